import { digest, type Label } from "./labels.js";
import { Xoshiro128 } from "./xoshiro128.js";

/**
 * A separate sequential generator for each (seed, ...labels): `stream(7, "policy", "htinf")`.
 *
 * @example
 * ```ts
 * import { stream } from "tsallis";
 *
 * const rng = stream(7, "policy", "htinf");
 * console.log(rng.uniform(), rng.uniform()); // 0.8651718876771813 0.8076568128137478
 * ```
 */
export function stream(seed: number, ...labels: Label[]): Xoshiro128 {
  return new Xoshiro128(Array.from(digest(seed, ["stream", ...labels]), (word) => word >>> 0));
}
