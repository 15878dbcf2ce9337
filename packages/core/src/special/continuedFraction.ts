/**
 * b(0) + a(1) / (b(1) + a(2) / (b(2) + ...)), by Lentz's method as modified by Thompson and Barnett ("Coulomb and Bessel functions of complex
 * arguments and order", J. Comput. Phys. 64, 1986): the convergents' numerators and denominators enter only as ratios of neighbours, so neither overflows.
 */
export function continuedFraction(a: (n: number) => number, b: (n: number) => number): number {
  const first = b(0);
  let value = away(first);
  let numerators = value;
  let denominators = 0;
  for (let n = 1; n <= MAX_TERMS; n++) {
    const an = a(n);
    const bn = b(n);
    denominators = 1 / away(bn + an * denominators);
    numerators = away(bn + an / numerators);
    const factor = numerators * denominators;
    value *= factor;
    if (Math.abs(factor - 1) < 2e-16) break;
  }
  return value;
}

const MAX_TERMS = 10000;

/** Moves a ratio that happens to be 0 off it; the next step compensates. */
function away(x: number): number {
  return Math.abs(x) < 1e-300 ? 1e-300 : x;
}
