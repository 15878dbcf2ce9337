import { show, TsallisError } from "../errors.js";

/** A source of uniform random numbers. Randomness is always a value that is passed in. */
export interface Rng {
  /** Uniform on [0, 1), a multiple of 2^-53. */
  uniform(): number;
  /** Uniform on (0, 1): as `uniform`, with 0 replaced by 2^-54. For quantile functions, which are infinite at 0. */
  open(): number;
}

/** Draws one uniform, or throws before anything has moved: a broken generator must not leave a policy half-way through a round. */
export function draw(rng: Rng): number {
  if (typeof rng?.uniform !== "function") {
    throw new TsallisError("ERR_PARAMETER", "rng", rng, `rng must be a generator such as stream(1, "policy"), got ${show(rng)}`);
  }
  const u = rng.uniform();
  if (!(u >= 0 && u < 1)) throw new TsallisError("ERR_PARAMETER", "rng", u, `rng must draw numbers in [0, 1), got ${show(u)}`);
  return u;
}
