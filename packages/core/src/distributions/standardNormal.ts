import { cosPi } from "../elementary/cosPi.js";
import { log } from "../elementary/log.js";
import type { Rng } from "../random/rng.js";

/** A standard normal number from two uniforms (G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 1958). Its size is at most 8.7. */
export function standardNormal(rng: Rng): number {
  const radius = Math.sqrt(-2 * log(rng.open()));
  return radius * cosPi(2 * rng.uniform());
}
