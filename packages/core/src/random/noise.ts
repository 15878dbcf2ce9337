import { digest, type Label } from "./labels.js";
import { philox4x32 } from "./philox4x32.js";
import type { Rng } from "./rng.js";
import { open53, uniform53 } from "./uniform53.js";

/**
 * Counter-based randomness indexed by (round, arm): `at(round, arm)` yields the same numbers in whatever order they are asked for.
 * The Philox counter is (block, arm, low word of round, high word of round); a block holds two uniforms.
 */
export class Noise implements Rng {
  readonly #key0: number;
  readonly #key1: number;
  readonly #block = new Int32Array(4);
  #round = 0;
  #arm = 0;
  #drawn = 0;

  constructor(seed: number, ...labels: Label[]) {
    const words = digest(seed, ["noise", ...labels]);
    this.#key0 = words[0]!;
    this.#key1 = words[1]!;
  }

  /** Moves to the first number of a cell and returns the generator itself: `distribution.sample(noise.at(round, arm))`. */
  at(round: number, arm: number): this {
    this.#round = round;
    this.#arm = arm;
    this.#drawn = 0;
    return this;
  }

  uniform(): number {
    const offset = this.#next();
    return uniform53(this.#block[offset]!, this.#block[offset + 1]!);
  }

  open(): number {
    const offset = this.#next();
    return open53(this.#block[offset]!, this.#block[offset + 1]!);
  }

  #next(): number {
    const offset = (this.#drawn & 1) * 2;
    if (offset === 0) {
      const block = this.#block;
      block[0] = this.#drawn >>> 1;
      block[1] = this.#arm;
      block[2] = this.#round | 0;
      block[3] = Math.floor(this.#round / 4294967296);
      philox4x32(block, this.#key0, this.#key1);
    }
    this.#drawn++;
    return offset;
  }
}
