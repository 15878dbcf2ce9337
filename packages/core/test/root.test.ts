import fc from "fast-check";
import { expect, test } from "vitest";
import { root } from "../src/elementary/root.js";

/** Doubles as exact integers times 2^-1074, so that powers are compared without rounding. */
function exact(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  return (exponent === 0n ? bits & 0xfffffffffffffn : (bits & 0xfffffffffffffn) | 0x10000000000000n) << (exponent === 0n ? 0n : exponent - 1n);
}

const ulp = (x: number) => 2 ** (Math.floor(Math.log2(x)) - 52);

test("reference: root(x, n) is within 2 ulp, by exact integer powers", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.double({ min: 1e-300, max: 1e300, noNaN: true })),
      fc.integer({ min: 2, max: 6 }),
      (x, n) => {
        const y = root(x, n);
        const scale = 1n << (1074n * BigInt(n - 1)); // x * 2^1074 against (y * 2^1074)^n / 2^(1074 (n - 1))
        const target = exact(x) * scale;
        expect(exact(y - 2 * ulp(y)) ** BigInt(n) <= target).toBe(true);
        expect(exact(y + 2 * ulp(y)) ** BigInt(n) >= target).toBe(true);
      },
    ),
    { numRuns: 20_000 },
  );
});
