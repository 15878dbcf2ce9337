import fc from "fast-check";
import { createPolicy, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { toPlain, toTyped } from "../src/bandit/typedNumbers.js";

describe("typed numbers", () => {
  it("become what they were, to the last bit", () => {
    const number = fc.oneof(fc.constantFrom(0, -0, 1, 5e-324, Number.MAX_VALUE), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const list = fc.oneof(fc.array(number, { minLength: 60, maxLength: 70 }), fc.array(fc.oneof(number, fc.constant(null)), { maxLength: 70 }));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        number,
        fc.string(),
        fc.constant(null),
        fc.boolean(),
        list,
        fc.array(tie("value")),
        fc.dictionary(fc.string(), tie("value")),
      ),
    }));
    fc.assert(
      fc.property(value, (one) => {
        expect(toPlain(toTyped(one))).toEqual(one);
      }),
    );
  });

  it("leave no long plain list in the snapshot of a policy with many arms", () => {
    const policy = createPolicy({ policy: "matched-tinf" }, 1_000);
    const rng = stream(1, "test");
    for (let i = 0; i < 50; i++) policy.update(policy.choose(rng), i % 7);
    const plain: number[] = [];
    JSON.stringify(toTyped(policy.snapshot()), (_, value) => {
      if (Array.isArray(value)) plain.push(value.length);
      return ArrayBuffer.isView(value) ? null : value;
    });
    expect(Math.max(...plain)).toBeLessThan(64);
  });
});
