import { digest, type Label } from "./labels.js";
import { Xoshiro128 } from "./xoshiro128.js";

/** A separate sequential generator for each (seed, ...labels): `stream(7, "policy", "htinf")`. */
export function stream(seed: number, ...labels: Label[]): Xoshiro128 {
  return new Xoshiro128(Array.from(digest(seed, ["stream", ...labels]), (word) => word >>> 0));
}
