import { describe, expect, it } from "vitest";
import { atan } from "../src/elementary/atan.js";
import { cosPi } from "../src/elementary/cosPi.js";
import { exp } from "../src/elementary/exp.js";
import { expm1 } from "../src/elementary/expm1.js";
import { log } from "../src/elementary/log.js";
import { log1p } from "../src/elementary/log1p.js";
import { pow } from "../src/elementary/pow.js";
import { sinPi } from "../src/elementary/sinPi.js";

// The promise is the same bits on every engine, so the hash of the bits of 20,000 results per function is a constant. It says nothing about accuracy
// (that is elementary.test.ts); it may change only together with a release note that the bits have changed.

/** Uniforms in [0, 1) from integer arithmetic only (xorshift32, Marsaglia 2003). */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

/** A double with a random sign bit, exponent in [-range, range] and fraction, built by exact doublings and halvings. */
function spread(uniform: () => number, range: number): number {
  let x = 1 + uniform() + uniform() / 4294967296;
  const exponent = Math.floor(uniform() * (2 * range + 1)) - range;
  for (let i = Math.abs(exponent); i > 0; i--) x *= exponent < 0 ? 0.5 : 2;
  return uniform() < 0.5 ? -x : x;
}

/** FNV-1a over the bytes of 20,000 results, big-endian; every NaN counts as the same. */
function hash(draw: (uniform: () => number) => number): string {
  const view = new DataView(new ArrayBuffer(8));
  const uniform = uniforms(2463534242);
  let digest = 0x811c9dc5;
  for (let i = 0; i < 20_000; i++) {
    const value = draw(uniform);
    view.setFloat64(0, Number.isNaN(value) ? 0.123 : value);
    for (let byte = 0; byte < 8; byte++) digest = Math.imul(digest ^ view.getUint8(byte), 0x01000193);
  }
  return (digest >>> 0).toString(16).padStart(8, "0");
}

describe("non-regression: the bits of 20,000 results per function", () => {
  it("hash to the committed constants", () => {
    expect({
      exp: hash((u) => exp(u() < 0.5 ? spread(u, 9) : u() * 1500 - 760)),
      log: hash((u) => log(Math.abs(u() < 0.5 ? spread(u, 1060) : u() * 2))),
      pow: hash((u) => pow(u() < 0.5 ? spread(u, 60) : u() * 3, u() < 0.2 ? Math.floor(u() * 20) - 10 : u() * 40 - 20)),
      expm1: hash((u) => expm1(u() < 0.5 ? spread(u, 9) : u() * 4 - 2)),
      log1p: hash((u) => log1p(u() < 0.5 ? Math.abs(spread(u, 60)) : u() * 2 - 1)),
      sinPi: hash((u) => sinPi(u() < 0.5 ? spread(u, 40) : u() * 4 - 2)),
      cosPi: hash((u) => cosPi(u() < 0.5 ? spread(u, 40) : u() * 4 - 2)),
      atan: hash((u) => atan(spread(u, 40))),
    }).toEqual({
      exp: "ad1f1564",
      log: "bd01a4f6",
      pow: "c9f545f2",
      expm1: "2ed3692f",
      log1p: "ecc1d06b",
      sinPi: "6e7cce10",
      cosPi: "c0558f04",
      atan: "08093fe5",
    });
  });
});
