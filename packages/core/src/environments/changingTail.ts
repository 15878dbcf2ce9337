import { pareto } from "../distributions/pareto.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { phased } from "./phased.js";
import { requireShape } from "./requireShape.js";

export const CHANGING_TAIL = {
  alpha: ALPHA,
  means: { type: "numbers", minimum: 1, atLeast: 1e-80, atMost: 1e80, description: "the mean loss of each arm, the same in every round" },
  shapes: { type: "numbers", minimum: 1, above: 1, atMost: 1000, description: "the tail indices that take turns, each above alpha" },
  period: { type: "integer", atLeast: 1, description: "the rounds between two changes of the tail index" },
} as const satisfies Parameters;

/** Pareto losses whose tail index cycles through `shapes`, `period` rounds each, while the means stay constant: only the tails reveal the change. */
export function changingTail(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(CHANGING_TAIL, options, path);
  const { alpha, means, shapes, period } = completed;
  for (const [i, shape] of shapes.entries()) requireShape(shape, alpha, `${path}shapes[${i}]`);
  const lists = shapes.map((shape) => means.map((mean) => pareto({ shape, scale: (mean * (shape - 1)) / shape })));
  return phased("changing-tail", completed, seed, lists, (round) => Math.floor((round - 1) / period) % lists.length);
}
