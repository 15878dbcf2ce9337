/**
 * Answers from a log of decisions: all that `tsallis evaluate` prints, and what another policy would have cost on redrawn losses.
 *
 * @module
 */
export { type Answer, type ArmAnswer, type LogAnswers, logAnswers, type Questions, type RaceStatus } from "./logAnswers.js";
export { LogEvaluation, type LogEvaluationOptions, type Moment } from "./logEvaluation.js";
export { FEWEST_TO_REDRAW, MOST_REDRAWN_ROUNDS, REDRAWN_RUNS, type Redrawn, type RedrawOptions, redraw } from "./redraw.js";
export { type EvaluatedLog, type LogCounts, notesOf, sentencesOf } from "./sentences.js";
