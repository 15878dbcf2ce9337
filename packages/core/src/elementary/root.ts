import { highWord } from "./highWord.js";
import { POWERS_OF_TWO } from "./powersOfTwo.js";

/**
 * x^(1/n) for a normal x > 0 and an integer n from 2 to 6, within 2 ulp, without a logarithm: Newton from 2^(log2(x) / n), in which both
 * the logarithm and the power are read off linearly between powers of two (relative error below 0.1).
 */
export function root(x: number, n: number): number {
  if (n === 2) return Math.sqrt(x);
  const logarithm = (highWord(x) - 0x3ff00000) / (1048576 * n);
  const whole = Math.floor(logarithm);
  let y = POWERS_OF_TWO[whole + 1074]! * (1 + logarithm - whole);
  for (let i = 0; i < 5; i++) {
    let power = y;
    for (let j = 2; j < n; j++) power *= y;
    y += (x / power - y) / n;
  }
  return y;
}
