import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packNumbers, unpackNumbers } from "../src/bandit/packedNumbers.js";

const again = (value: unknown): unknown => unpackNumbers(JSON.parse(JSON.stringify(packNumbers(value))));

describe("packed numbers", () => {
  it("are the same to the last bit", () => {
    const numbers = fc.array(fc.oneof(fc.constantFrom(0, -0, 1, 5e-324, Number.MAX_VALUE), fc.double({ noNaN: true, noDefaultInfinity: true })), {
      minLength: 64,
      maxLength: 300,
    });
    fc.assert(
      fc.property(numbers, (list) => {
        expect(again(list)).toEqual(list);
      }),
    );
  });

  it("are short where most are the same", () => {
    const list = Array.from({ length: 10_000 }, (_, i) => (i % 100 === 0 ? i / 7 : 1 / 3));
    expect(JSON.stringify(packNumbers(list)).length).toBeLessThan(2_000);
    expect(again(list)).toEqual(list);
  });

  it.each([[[1, 2, 3]], [Array(64).fill(null)], [[...Array(63).fill(0), Number.NaN]], ["text"], [7], [null], [{ a: 1 }], [Array(70).fill([1])]])(
    "leaves anything else as it is: %j",
    (value) => expect(packNumbers(value)).toBe(value),
  );

  it.each([
    { length: 1e9, most: 0, places: "", others: "" },
    { length: 64.5, most: 0, places: "", others: "" },
    { length: 64, most: 0, places: "AAAAAA==", others: "" },
    { length: 64, most: null, places: "", others: "" },
  ])("does not read what it did not write: %j", (value) => expect(unpackNumbers(value)).toBe(value));
});
