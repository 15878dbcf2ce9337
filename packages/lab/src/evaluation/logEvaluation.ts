import { Evaluation, type Outcome } from "tsallis/evidence";
import type { Interval } from "tsallis/statistics";

/** What a log is evaluated as. */
export interface LogEvaluationOptions {
  /** The names of the arms; decisions have their numbers. */
  readonly arms: readonly string[];
  /** The largest and the smallest loss that matter. Of rewards, which are negative losses, the cap is 0 or more where some are negative. */
  readonly cap: number;
  readonly floor: number;
  /** The share of the holdout; 0 if there is none. Its size matters only with `moving`. */
  readonly holdout: number;
  readonly moving: boolean;
  readonly error: number;
  readonly tolerance: number;
  /** Whether the answers are remembered at some moments on the way, for the figures of a report. */
  readonly history: boolean;
}

/** The answers after some decisions. */
export interface Moment {
  readonly round: number;
  /** By arm; null before its first play. */
  readonly arms: readonly (Interval & { readonly mean: number })[];
  /** By arm: the evidence that the leader is better, and for the leader the least of these. */
  readonly evidence: readonly number[];
}

/** Where the history begins, and by how much the decisions have grown from one moment to the next: with many arms a moment takes long. */
const FIRST = 20;
const GROWTH = 1.05;
const MANY_ARMS = 20;
const GROWTH_OF_MANY = 1.3;

/** The decisions of a log, folded in their order. */
export class LogEvaluation {
  readonly evaluation: Evaluation;
  readonly history: Moment[] = [];
  #next: number;

  constructor(readonly options: LogEvaluationOptions) {
    const { arms, cap, floor, holdout, moving, history } = options;
    this.evaluation = new Evaluation({ arms: arms.length, cap, floor, holdout, moving });
    this.#next = history ? FIRST : Infinity;
  }

  /** It throws, with nothing changed, if the loss or the arm is not valid. */
  add(outcome: Outcome): void {
    const { evaluation } = this;
    evaluation.add(outcome);
    if (evaluation.rounds < this.#next) return;
    this.remember();
    this.#next = Math.ceil(evaluation.rounds * (this.options.arms.length > MANY_ARMS ? GROWTH_OF_MANY : GROWTH));
  }

  /** Adds the present moment to the history, unless it is there. */
  remember(): void {
    const { evaluation, options } = this;
    const { rounds: round } = evaluation;
    if (round === 0 || this.history.at(-1)?.round === round) return;
    const missing = options.moving ? "range" : "out";
    const { evidence } = evaluation.verdict({ error: options.error, tolerance: options.tolerance });
    const arms = options.arms.map((_, arm) => {
      const stream = evaluation.arm(arm, missing);
      return { mean: stream.mean, ...stream.interval(options.error) };
    });
    this.history.push({ round, arms, evidence });
  }
}
