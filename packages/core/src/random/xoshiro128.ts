import { show, TsallisError } from "../errors.js";
import type { Rng } from "./rng.js";
import { open53, uniform53 } from "./uniform53.js";

/**
 * xoshiro128++ 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 2021):
 * 128 bits of state, period 2^128 - 1. The sequential generator that policies draw from.
 *
 * @example
 * ```ts
 * import { stream, Xoshiro128 } from "tsallis";
 *
 * const rng = stream(7, "policy");
 * const copy = new Xoshiro128(rng.state());
 * console.log(rng.uniform() === copy.uniform()); // true
 * ```
 */
export class Xoshiro128 implements Rng {
  readonly #state: Int32Array;

  /** `state` is four 32-bit words, not all zero; `stream(seed, ...labels)` usually makes it. */
  constructor(state: readonly number[]) {
    if (
      !(
        Array.isArray(state) &&
        state.length === 4 &&
        state.every((word) => Number.isInteger(word) && word >= 0 && word <= 0xffffffff) &&
        state.some((word) => word > 0)
      )
    ) {
      throw new TsallisError("ERR_PARAMETER", "state", state, `state must be four integers in [0, 2^32 - 1], not all zero, got ${show(state)}`);
    }
    this.#state = Int32Array.from(state, (word) => word | 0);
  }

  /** The next 32 bits, as an unsigned integer. */
  next(): number {
    return step(this.#state) >>> 0;
  }

  uniform(): number {
    return uniform53(step(this.#state), step(this.#state));
  }

  open(): number {
    return open53(step(this.#state), step(this.#state));
  }

  /** The four words that `new Xoshiro128(state)` continues from. */
  state(): number[] {
    const s = this.#state;
    return [s[0]! >>> 0, s[1]! >>> 0, s[2]! >>> 0, s[3]! >>> 0];
  }
}

/** Advances the state; returns the next 32 bits as a signed integer, which V8 need not box. */
function step(s: Int32Array): number {
  const s0 = s[0]!;
  const s1 = s[1]!;
  const sum = s0 + s[3]!;
  const s2 = s[2]! ^ s0;
  const s3 = s[3]! ^ s1;
  s[0] = s0 ^ s3;
  s[1] = s1 ^ s2;
  s[2] = s2 ^ (s1 << 9);
  s[3] = (s3 << 11) | (s3 >>> 21);
  return (((sum << 7) | ((sum | 0) >>> 25)) + s0) | 0;
}
