import { log } from "../elementary/log.js";
import type { Rng } from "../random/rng.js";
import { standardNormal } from "./standardNormal.js";

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
