import { cosPi } from "../elementary/cosPi.js";
import { log } from "../elementary/log.js";
import type { Rng } from "../random/rng.js";

/** A standard normal number from two uniforms (G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 1958). Its size is at most 8.7. */
export function standardNormal(rng: Rng): number {
  const radius = Math.sqrt(-2 * log(rng.open()));
  return radius * cosPi(2 * rng.uniform());
}

/** A gamma number of scale 1 and of a shape of at least 1, by rejection (G. Marsaglia and W. W. Tsang, ACM Trans. Math. Softw. 26, 2000). */
export function standardGamma(shape: number, rng: Rng): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = standardNormal(rng);
    const root = 1 + c * x;
    const v = root * root * root;
    // Written so that a generator that draws NaN ends the loop.
    if (!(v <= 0 || log(rng.open()) >= (x * x) / 2 + d * (1 - v + log(v)))) return d * v;
  }
}
