// sin(pi r) and cos(pi r) for |r| <= 1/4: u = pi r as a sum of two doubles, then Taylor polynomials.
// The terms u^3/6 and u^2/2, whose rounding would show, are split so that their larger part is a power of a number of few bits, hence exact.
// The first neglected terms, u^19/19! and u^20/20! with |u| <= pi/4, are below 2^-60 of the result.
const SPLITTER = 134217729;
// pi = PI_HI + PI_LO; PI_HI has 26 bits, so that its product with 26 bits of r is exact.
const PI_HI = 3.1415926814079285;
const PI_LO = -2.7818135228334233e-8;
// 1.5 * 2^35 and 1.5 * 2^26: adding and subtracting them rounds to multiples of 2^-17 and 2^-26.
const TO_2_17 = 51539607552;
const TO_2_26 = 100663296;

export function sinPiReduced(r: number): number {
  const scaled = SPLITTER * r;
  const rHigh = scaled - (scaled - r);
  const main = PI_HI * rHigh;
  const rest = PI_HI * (r - rHigh) + PI_LO * r;
  const u = main + rest;
  const uLow = main - u + rest;
  const v = u * u;
  const w = v * v;
  const a = u + TO_2_17 - TO_2_17;
  const cube = a * a * a * (1 / 6);
  const cubeLow = (u - a) * (v + a * (u + a)) * (1 / 6);
  const low = 1 / 120 - v * (1 / 5040) + w * (1 / 362880 - v * (1 / 39916800));
  const high = 1 / 6227020800 - v * (1 / 1307674368000) + w * (1 / 355687428096000);
  const sum = u - cube;
  return sum + (u - sum - cube + (uLow * (1 - 0.5 * v) - cubeLow + u * w * (low + w * w * high)));
}

export function cosPiReduced(r: number): number {
  const scaled = SPLITTER * r;
  const rHigh = scaled - (scaled - r);
  const main = PI_HI * rHigh;
  const rest = PI_HI * (r - rHigh) + PI_LO * r;
  const u = main + rest;
  const uLow = main - u + rest;
  const v = u * u;
  const w = v * v;
  const a = u + TO_2_26 - TO_2_26;
  const square = 0.5 * a * a;
  const squareLow = 0.5 * (u - a) * (u + a) + u * uLow;
  const low = 1 / 24 - v * (1 / 720) + w * (1 / 40320 - v * (1 / 3628800));
  const high = 1 / 479001600 - v * (1 / 87178291200) + w * (1 / 20922789888000 - v * (1 / 6402373705728000));
  const sum = 1 - square;
  return sum + (1 - sum - square - squareLow + w * (low + w * w * high));
}
