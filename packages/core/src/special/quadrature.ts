// Double-exponential quadrature: H. Takahasi and M. Mori, "Double exponential formulas for numerical integration", Publ. RIMS 9 (1974). A change of
// variables makes the integrand fall double-exponentially at both ends; the trapezoidal rule then gains digits in proportion to the number of nodes,
// and algebraic singularities at the ends do no harm.
import { exp } from "../elementary/exp.js";

/**
 * The step starts at 1 and is halved, at most LAST_LEVEL times, until the sum changes by less than this fraction. Each halving squares the error, so the error is
 * then far smaller. A sum of 0 means that no node has met the integrand yet. Tests against references check that the integrals of the distributions settle.
 */
const TOLERANCE = 1e-9;
const LAST_LEVEL = 9;

/** Nodes and weights of one level of halving, for t > 0 only. */
interface Level {
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

const tanhSinh: Level[] = [];
const sinhOnly: Level[] = [];

/**
 * The integral of f over (0, length), by x = length / (1 + exp(-pi sinh t)). The integrand gets its distances from both ends, f(x, length - x), each exact
 * however small. At an end it may grow like a power above -1 of the distance from it; the accuracy is full while that power is above -0.95.
 */
export function integrateInterval(f: (fromLow: number, toHigh: number) => number, length: number): number {
  if (!(length > 0)) return 0;
  const share = trapezoidal(
    tanhSinh,
    tanhSinhLevel,
    (node, fromHigh) => (fromHigh ? f(length * (1 - node), length * node) : f(length * node, length * (1 - node))),
    f(0.5 * length, 0.5 * length) * (Math.PI / 4),
  );
  return length * share;
}

/**
 * The integral over (0, Infinity) of a function f that the caller gives as y -> f(x) x with x = e^y: an integral over the real line, computed by
 * y = (pi/2) sinh t. In y the integrand must fall exponentially on both sides, at a rate of at least 0.001. x itself would leave the range of a double.
 */
export function integrateHalfLine(g: (y: number) => number): number {
  return trapezoidal(sinhOnly, sinhLevel, (y, negative) => g(negative ? -y : y), g(0) * (Math.PI / 2));
}

function trapezoidal(levels: Level[], makeLevel: (level: number) => Level, f: (node: number, mirrored: boolean) => number, centre: number): number {
  let step = 1;
  let sum = centre;
  let previous = Number.NaN;
  for (let level = 0; ; level++) {
    levels[level] ??= makeLevel(level);
    const { nodes, weights } = levels[level]!;
    sum += outwards(nodes, weights, f, false, Math.abs(sum)) + outwards(nodes, weights, f, true, Math.abs(sum));
    const value = step * sum;
    if ((value !== 0 && Math.abs(value - previous) <= TOLERANCE * Math.abs(value)) || level === LAST_LEVEL) return value;
    previous = value;
    step *= 0.5;
  }
}

/** Adds the terms of one side. It stops in the outer half after two negligible terms in a row that do not rise: after a rise, a peak may still lie further out. */
function outwards(
  nodes: Float64Array,
  weights: Float64Array,
  f: (node: number, mirrored: boolean) => number,
  mirrored: boolean,
  sum: number,
): number {
  let total = 0;
  let small = 0;
  let previous = 0;
  for (let i = 0; i < nodes.length && small < 2; i++) {
    const term = weights[i]! * f(nodes[i]!, mirrored);
    const size = Math.abs(term);
    total += term;
    small = 2 * i > nodes.length && size <= previous && size < 1e-18 * (sum + Math.abs(total)) ? small + 1 : 0;
    previous = size;
  }
  return total;
}

/** t = 1, 2, 3, ... at level 0; the odd multiples of the step at later levels. */
function makeLevel(level: number, last: number, node: (t: number) => number, weight: (t: number) => number): Level {
  const step = exp(-level * Math.LN2);
  const stride = level === 0 ? 1 : 2;
  const count = Math.floor((last / step - 1) / stride) + 1;
  const at = (i: number) => (1 + stride * i) * step;
  return {
    nodes: Float64Array.from({ length: count }, (_, i) => node(at(i))),
    weights: Float64Array.from({ length: count }, (_, i) => weight(at(i))),
  };
}

function sinh(t: number): number {
  return 0.5 * (exp(t) - exp(-t));
}

function cosh(t: number): number {
  return 0.5 * (exp(t) + exp(-t));
}

/** The last node is at a distance of 1e-304 lengths from the end. */
function tanhSinhLevel(level: number): Level {
  const share = (t: number) => 1 / (1 + exp(Math.PI * sinh(t)));
  return makeLevel(level, 6.1, share, (t) => Math.PI * cosh(t) * share(t) * (1 - share(t)));
}

/** The last node is at y = 35000. */
function sinhLevel(level: number): Level {
  return makeLevel(
    level,
    10.7,
    (t) => (Math.PI / 2) * sinh(t),
    (t) => (Math.PI / 2) * cosh(t),
  );
}
