/**
 * Answers from logged decisions that hold whenever one looks, under any tail: means, differences and mixes of arms, savings, and which arm is best.
 *
 * @module
 */
export { DecisionOrder, type DecisionOrderSnapshot, type Settled } from "./decisionOrder.js";
export { Evaluation, type EvaluationOptions, type EvaluationSnapshot, type Missing, type Outcome, type Verdict } from "./evaluation.js";
export { differenceInterval, meanInterval, mixInterval, type VouchedTail } from "./intervals.js";
export { MeanEvidence, type MeanEvidenceOptions, type MeanEvidenceSnapshot } from "./meanEvidence.js";
