import { exp } from "../elementary/exp.js";
import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import { integrateHalfLine, integrateInterval } from "../special/quadrature.js";
import type { Law } from "./law.js";

/**
 * E|X - centre|^order for a law whose distribution function is smooth inside its support, from the two tails:
 * the integral over v > 0 of P(X >= centre + v^(1/order)) + P(X <= centre - v^(1/order)). `bulk` and `spread` say where most of the law lies: the range is
 * split there. The relative error is below 1e-9 while |centre - bulk| is below 1e4 spreads, for tail indices above order + 0.001 order.
 */
export function momentByQuadrature(law: Law, centre: number, order: number, bulk: number, spread: number): number {
  const right = tailIntegral(
    (distance) => law.survival(centre + distance),
    order,
    law.high - centre,
    [law.low - centre, bulk - centre],
    law.rightIndex,
    spread,
  );
  const left = tailIntegral(
    (distance) => law.cdf(centre - distance),
    order,
    centre - law.low,
    [centre - law.high, centre - bulk],
    law.leftIndex,
    spread,
  );
  return right + left;
}

function tailIntegral(tail: (distance: number) => number, order: number, extent: number, breaks: number[], index: number, spread: number): number {
  if (!(extent > 0)) return 0;
  const edges = [...breaks.filter((distance) => distance > 0 && distance < extent), ...(extent < Infinity ? [extent] : [])].sort((a, b) => a - b);
  const root = 1 / order;
  let sum = 0;
  let start = 0;
  for (const edge of edges) {
    const end = pow(edge, order);
    const from = start;
    sum += integrateInterval((v) => tail(pow(from + v, root)), end - from).value;
    start = end;
  }
  return extent < Infinity ? sum : sum + beyond(tail, order, start, index, spread);
}

/**
 * The integral from v = start to infinity, by v = start + unit e^y. In y the integrand of a power tail falls like exp(-(index/order - 1) y), slowly if order is
 * close to the index, and v would overflow long before it is small. But far out the tail is its power to all digits: from `last` on the power itself is used.
 */
function beyond(tail: (distance: number) => number, order: number, start: number, index: number, spread: number): number {
  const root = 1 / order;
  const unit = pow(pow(start, root) + spread, order) - start;
  const integrand = (y: number) => {
    const step = unit * exp(y);
    return step * tail(pow(start + step, root));
  };
  const overflow = 700 - log(unit);
  if (index === Infinity) return integrateHalfLine((y) => (y < overflow ? integrand(y) : 0)).value;
  // At a distance of exp(345) spreads, nearer if the tail's probability would fall below exp(-690) there.
  const last = Math.min(order * Math.min(345, 690 / index), overflow);
  const atLast = integrand(last);
  return integrateHalfLine((y) => (y < last ? integrand(y) : atLast * exp((index * root - 1) * (last - y)))).value;
}
