import { type MeanEvidence, type Missing, meanInterval, mixInterval, type VouchedTail } from "tsallis/evidence";
import type { Interval } from "tsallis/statistics";
import type { LogEvaluation } from "./logEvaluation.js";

/** What is asked of a log beyond the usual. */
export interface Questions {
  /** What a missing loss counts as in the intervals. The verdict always takes them as a range. */
  readonly missing: Missing;
  /** Probabilities of the arms. */
  readonly mix: readonly number[] | null;
  /** What the caller vouches for, if the mean of uncapped losses is asked for. */
  readonly tail: VouchedTail | null;
  /** Whether losses are negative rewards: all answers are then about rewards. */
  readonly reward: boolean;
}

/** An arm may be known to be the best, lead without that, be out of the race, or still be in it. */
export type RaceStatus = "best" | "best so far" | "out" | "in the race";

/** What is known of an arm. */
export interface ArmAnswer extends Interval {
  readonly name: string;
  readonly plays: number;
  readonly missing: number;
  /** Null before its first outcome. */
  readonly mean: number | null;
  /** With missing losses from the floor to the cap; null if none is missing. */
  readonly range: Interval | null;
  /** Of the uncapped mean; null if it was not asked for. */
  readonly uncapped: Interval | null;
  readonly status: RaceStatus;
  /** The evidence that the leader is better; for the leader, the least of these. */
  readonly evidence: number;
}

/** An interval around an estimate, which is null if nothing was seen. */
export interface Answer extends Interval {
  readonly mean: number | null;
}

/** All that is answered of a log, in its own unit. */
export interface LogAnswers {
  readonly unit: "loss" | "reward";
  readonly decisions: number;
  readonly holdoutDecisions: number;
  readonly feedback: number;
  readonly missing: number;
  /** In the unit of the log: the largest and the smallest that matter. */
  readonly cap: number;
  readonly floor: number;
  readonly error: number;
  readonly tolerance: number;
  readonly missingAs: Missing;
  readonly source: "all plays" | "holdout";
  /** Decisions beyond cap or floor, and the share of what was paid that lies beyond; null where there are both signs. */
  readonly beyond: { readonly decisions: number; readonly share: number; readonly paid: number | null };
  /** By mean, the best first. */
  readonly arms: readonly ArmAnswer[];
  readonly policy: Answer;
  readonly holdout: Answer | null;
  readonly uniform: Answer;
  readonly mix: Answer | null;
  /** What a decision of the policy is better by than one of uniform play. */
  readonly saved: Answer;
  /** The same with missing losses from the floor to the cap; null if none is missing. */
  readonly savedRange: Interval | null;
  readonly verdict: {
    /** Whether one may stop; "if missing alike" holds only if the missing are like the rest. */
    readonly answer: "yes" | "if missing alike" | "not yet";
    /** The leader, by name; null before the first outcome. */
    readonly leader: string | null;
    readonly best: string | null;
    /** The arm that is hardest to tell from the leader; null without one. */
    readonly rival: string | null;
    readonly evidence: number;
    readonly needed: number;
  };
}

/** All answers of a log at its end. */
export function logAnswers({ evaluation, options }: LogEvaluation, { missing, mix, tail, reward }: Questions): LogAnswers {
  const { arms: names, error, tolerance, holdout: share } = options;
  const sign = reward ? -1 : 1;
  const of = ({ low, high }: Interval): Interval => (reward ? { low: 0 - high, high: 0 - low } : { low, high });
  const meanOf = (stream: MeanEvidence) => (stream.count === 0 ? null : sign * stream.mean + 0);
  const answerOf = (stream: MeanEvidence): Answer => ({ mean: meanOf(stream), ...of(stream.interval(error)) });
  const { best, leader, inRace, evidence, needed, bestIfMissingAlike, source } = evaluation.verdict({ error, tolerance });
  const [policy, holdout] = [evaluation.policy(missing), evaluation.holdout(missing)];
  const streams = names.map((_, arm) => evaluation.arm(arm, missing));
  const whole = [evaluation.policy(), evaluation.holdout()];
  const lost = total(whole, (stream) => stream.missing);
  const feedback = total(whole, ({ count }) => count);
  const mixed = (weights: readonly number[]) => {
    const means = streams.map((stream, arm) => (weights[arm] === 0 ? 0 : (meanOf(stream) ?? NaN) * weights[arm]!));
    const mean = means.reduce((sum, each) => sum + each, 0);
    return { mean: Number.isNaN(mean) ? null : mean };
  };
  const even = new Array<number>(names.length).fill(1 / names.length);
  const uniform = { ...(evaluation.moving ? { mean: meanOf(holdout) } : mixed(even)), ...of(evaluation.uniform(error, missing)) };
  // A saving of losses is a gain of rewards.
  const against = share > 0 ? meanOf(holdout) : uniform.mean;
  const own = meanOf(policy);
  const named = best ?? bestIfMissingAlike;
  const rivals = [...names.keys()].filter((arm) => arm !== leader);
  const rival =
    leader === null
      ? undefined
      : rivals.reduce<number | undefined>((least, arm) => (least === undefined || evidence[arm]! < evidence[least]! ? arm : least), undefined);
  // By what is shown: the race itself takes missing losses as a range.
  const shown = [...names.keys()].filter((arm) => streams[arm]!.count > 0).sort((a, b) => streams[a]!.mean - streams[b]!.mean);
  const statusOf = (arm: number): RaceStatus => {
    if (arm === best) return "best";
    if (!inRace.includes(arm)) return "out";
    return arm === shown[0] ? "best so far" : "in the race";
  };
  const arms = streams.map((stream, arm): ArmAnswer => {
    const range = evaluation.arm(arm, "range");
    return {
      name: names[arm]!,
      plays: range.count + range.missing,
      missing: range.missing,
      ...answerOf(stream),
      range: range.missing > 0 ? of(range.interval(error)) : null,
      uncapped: tail === null ? null : of(meanInterval(stream, tail, error)),
      status: statusOf(arm),
      evidence: evidence[arm]!,
    };
  });
  return {
    unit: reward ? "reward" : "loss",
    decisions: evaluation.rounds,
    holdoutDecisions: whole[1]!.count + whole[1]!.missing,
    feedback,
    missing: lost,
    cap: reward ? -options.floor : options.cap,
    floor: reward ? 0 - options.cap : options.floor,
    error,
    tolerance,
    missingAs: missing,
    source,
    beyond: beyondOf(whole, feedback),
    arms: arms.sort((a, b) => rank(a, sign) - rank(b, sign)),
    policy: answerOf(policy),
    holdout: share > 0 ? answerOf(holdout) : null,
    uniform,
    mix: mix === null ? null : { ...mixed(mix), ...of(mixInterval(streams, mix, error)) },
    saved: { mean: against === null || own === null ? null : sign * (against - own), ...evaluation.savings(error, missing) },
    savedRange: lost > 0 ? evaluation.savings(error, "range") : null,
    verdict: {
      answer: best !== null ? "yes" : bestIfMissingAlike !== null ? "if missing alike" : "not yet",
      leader: leader === null ? null : names[leader]!,
      best: named === null ? null : names[named]!,
      rival: rival === undefined ? null : names[rival]!,
      evidence: rival === undefined ? 0 : evidence[rival]!,
      needed,
    },
  };
}

/** The best first, then by mean, and arms without an outcome last. */
function rank({ status, mean }: ArmAnswer, sign: number): number {
  if (status === "best") return -Number.MAX_VALUE;
  return mean === null ? Number.MAX_VALUE : sign * mean;
}

function beyondOf(streams: readonly MeanEvidence[], feedback: number): LogAnswers["beyond"] {
  const decisions = total(streams, ({ beyondCap, beyondFloor }) => beyondCap + beyondFloor);
  const excess = total(streams, (stream) => stream.excess);
  const isOneSided = streams.every(({ cap, floor }) => cap === 0 || floor === 0);
  const counted = total(streams, ({ count, mean }) => (count === 0 ? 0 : count * Math.abs(mean)));
  return {
    decisions,
    share: feedback === 0 ? 0 : decisions / feedback,
    paid: isOneSided ? (excess === 0 ? 0 : excess / (excess + counted)) : null,
  };
}

function total(streams: readonly MeanEvidence[], of: (stream: MeanEvidence) => number): number {
  return streams.reduce((sum, stream) => sum + of(stream), 0);
}
