import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { continuedFraction } from "./continuedFraction.js";
import { logGamma } from "./logGamma.js";

/**
 * The regularised incomplete beta function I_x(a, b) for a, b > 0, by the continued fraction DLMF 8.17.22. The caller gives both x and y = 1 - x,
 * so that neither loses digits when the other is nearly 1. Beyond the mean of the beta distribution the fraction is slow, and 1 - I_y(b, a) (8.17.4) is used instead.
 */
export function incompleteBeta(x: number, y: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  return x <= (a + 1) / (a + b + 2) ? byFraction(x, y, a, b) : 1 - byFraction(y, x, b, a);
}

function byFraction(x: number, y: number, a: number, b: number): number {
  const front = exp(a * log(x) + b * log(y) + logGamma(a + b) - logGamma(a + 1) - logGamma(b));
  return (
    front /
    continuedFraction(
      (n) => {
        const m = Math.floor(n / 2);
        return n % 2 === 0 ? (m * (b - m) * x) / ((a + n - 1) * (a + n)) : (-(a + m) * (a + b + m) * x) / ((a + n - 1) * (a + n));
      },
      () => 1,
    )
  );
}
