import { show, TsallisError } from "../errors.js";

/** A source of uniform random numbers. Randomness is always a value that is passed in. */
export interface Rng {
  /** Uniform on [0, 1), a multiple of 2^-53. */
  uniform(): number;
  /** Uniform on (0, 1): as `uniform`, with 0 replaced by 2^-54. For quantile functions, which are infinite at 0. */
  open(): number;
}

/** Refuses what can not be drawn from, before a policy has moved. */
export function requireRng(rng: Rng): void {
  if (typeof rng?.uniform !== "function")
    throw new TsallisError("ERR_PARAMETER", "rng", rng, `rng must be a generator such as stream(1, "policy"), got ${show(rng)}`);
}
