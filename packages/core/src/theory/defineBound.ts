import type { Bound, BoundProblem } from "./bound.js";
import { checkProblem } from "./checkProblem.js";

type Formula = (problem: Required<BoundProblem>) => number | null;

/** A bound from its facts and its two formulas; the problem is checked at the door, so formulas read only sound numbers. */
export function defineBound(facts: Omit<Bound, "printed" | "corrected">, printed: Formula, corrected: Formula = printed): Bound {
  return Object.freeze({
    ...facts,
    printed: (problem: BoundProblem) => printed(checkProblem(problem, facts.needsGaps)),
    corrected: (problem: BoundProblem) => corrected(checkProblem(problem, facts.needsGaps)),
  });
}
