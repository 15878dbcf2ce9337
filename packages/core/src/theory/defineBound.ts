import type { Bound, BoundProblem } from "./bound.js";
import { checkProblem } from "./checkProblem.js";

type Formula = (problem: Required<BoundProblem>) => number | null;

/** Makes a bound of its facts and its two formulas. The problem is checked first, so the formulas see only valid numbers. */
export function defineBound(facts: Omit<Bound, "printed" | "corrected">, printed: Formula, corrected: Formula = printed): Bound {
  return Object.freeze({
    ...facts,
    printed: (problem: BoundProblem) => printed(checkProblem(problem, facts.needsGaps)),
    corrected: (problem: BoundProblem) => corrected(checkProblem(problem, facts.needsGaps)),
  });
}
