import { type Evaluation as Folded, type MeanEvidence, type Missing, meanInterval } from "tsallis/evidence";
import type { BanditState } from "../bandit/banditState.js";
import type { BanditEvidence } from "../evidence/banditEvidence.js";
import type { Evaluations } from "../evidence/claim.js";
import type { Document, Evaluation, EvaluationQuery } from "../schemas.js";
import { decisionsToGo } from "./decisionsToGo.js";
import { sentencesOf } from "./evaluationText.js";

/** What is asked, complete. */
export type Asked = Required<Pick<EvaluationQuery, "error" | "tolerance">> & Pick<EvaluationQuery, "segment" | "index">;

/** What the answer rests on, besides the evidence. */
export interface Context {
  readonly state: BanditState;
  readonly document: Document;
  /** The probabilities of the next decision of the policy, in the order of the arms; null if it cannot tell. */
  readonly probabilities: readonly number[] | null;
}

/** Everything that can be answered from the decisions so far. */
export function evaluationAnswer(evidence: BanditEvidence, asked: Asked, context: Context): Evaluation {
  const { segment, error, tolerance } = asked;
  const evaluations = segment === undefined ? evidence.claim?.all : evidence.claim?.segment(segment);
  const figures = evaluations === undefined ? NOTHING : figuresOf(evidence, evaluations, asked, context);
  const limits = evidence.claim?.limits;
  const answer = {
    seq: context.state.seq,
    ...(segment === undefined ? {} : { segment }),
    ...{ cap: evidence.cap ?? evidence.guess, isGuess: evidence.cap === null, floor: limits?.floor ?? null, isReward: limits?.cap === 0 },
    ...{ error, tolerance, since: evidence.since, startedBy: evidence.startedBy, unsettled: evidence.unsettled },
    ...figures,
  };
  return { ...answer, sentences: sentencesOf(answer, evidence, context) };
}

export type Figures = Omit<Evaluation, "sentences">;

const NOTHING = {
  ...{ decisions: 0, missing: 0, source: null, moves: null, arms: [], policy: null, uniform: null, saved: null, savedBy: null, beyond: null },
  verdict: { answer: "not yet" as const, best: null, rival: null, evidence: null, needed: null, decisionsToGo: null },
};

function figuresOf(evidence: BanditEvidence, evaluations: Evaluations, asked: Asked, context: Context) {
  const { still, moving } = evaluations;
  const moves = movesOf(evidence, asked, context);
  const compared = moves === null ? still : moving;
  const source: Evaluation["source"] = moves === null ? "all plays" : moving === null ? "withheld" : "holdout";
  const { error } = asked;
  const policy = still.policy();
  const hasHoldout = context.state.holdout > 0;
  return {
    decisions: still.rounds,
    missing: policy.missing + still.holdout().missing,
    ...{ source, moves },
    arms: armsOf(evidence, compared ?? still, compared, asked, context),
    policy: figureOf(policy, error),
    uniform: compared === null ? null : rounded(compared.uniform(error)),
    saved: rounded(savingsOf(compared, hasHoldout, error)),
    savedBy: compared === null ? null : hasHoldout ? ("holdout" as const) : ("arms" as const),
    beyond: beyondOf(still),
    verdict: verdictOf(evidence, compared, asked, context, moves !== null),
  };
}

/** Why arms must not be compared by all their plays; null if they may. */
function movesOf({ moved }: BanditEvidence, { segment }: Asked, { state, document }: Context): Evaluation["moves"] {
  const { halfLife, detect } = document.policy as { readonly halfLife?: unknown; readonly detect?: unknown };
  if (segment === undefined && state.segments.size > 0) return "segments";
  if (halfLife !== undefined || detect === true) return "forgets";
  return moved ? "drift" : null;
}

/** Of a holdout if there is one; otherwise uniform play by all arms minus the policy, at half the error each, since both are of the same losses. */
function savingsOf(compared: Folded | null, hasHoldout: boolean, error: number) {
  if (compared === null) return null;
  if (hasHoldout) return compared.savings(error);
  const uniform = compared.uniform(error / 2);
  const policy = compared.policy().interval(error / 2);
  return { low: uniform.low - policy.high, high: uniform.high - policy.low };
}

function armsOf(evidence: BanditEvidence, shown: Folded, compared: Folded | null, { error, tolerance, index }: Asked, { state }: Context) {
  const race = compared?.verdict({ error, tolerance });
  return evidence.arms.map((number, place) => {
    const stream = shown.arm(place);
    const hasAlike = stream.missing > 0 && !shown.moving;
    const inRace = race?.inRace.includes(place) ?? true;
    return {
      arm: state.arms.get(number)!.name,
      ...figureOf(stream, error),
      ifMissingAlike: hasAlike && shown.arm(place, ALIKE).count > 0 ? rounded(shown.arm(place, ALIKE).interval(error)) : null,
      uncapped: index === undefined ? null : rounded(meanInterval(stream, { index }, error)),
      race: race === undefined ? null : race.leader === place ? ("leads" as const) : inRace ? ("in" as const) : ("out" as const),
      evidence: race === undefined || race.leader === null || race.leader === place ? null : race.evidence[place]!,
    };
  });
}

const ALIKE: Missing = "out";

function figureOf(stream: MeanEvidence, error: number) {
  const { count, missing, mean } = stream;
  return { answered: count, missing, mean: count === 0 ? null : mean, range: rounded(stream.interval(error))! };
}

/** What lies beyond the limits, as decisions and as a share of all that was paid. */
function beyondOf(still: Folded): Evaluation["beyond"] {
  const streams = [still.policy(), still.holdout()];
  const decisions = sum(streams, ({ beyondCap, beyondFloor }) => beyondCap + beyondFloor);
  const excess = sum(streams, (stream) => stream.excess);
  // Where losses have both signs, what was paid is no sum of sizes.
  const isOneSided = still.floor === 0 || still.cap === 0;
  const paid = sum(streams, ({ count, mean }) => (count === 0 ? 0 : Math.abs(mean) * count));
  return { decisions, shareOfCost: isOneSided && excess + paid > 0 ? excess / (excess + paid) : null };
}

function verdictOf(evidence: BanditEvidence, compared: Folded | null, asked: Asked, context: Context, moves: boolean): Evaluation["verdict"] {
  if (compared === null) return { ...NOTHING.verdict, answer: "withheld" };
  const { error, tolerance } = asked;
  const { best, bestIfMissingAlike, leader, evidence: found, needed } = compared.verdict({ error, tolerance });
  const name = (place: number | null) => (place === null ? null : context.state.arms.get(evidence.arms[place]!)!.name);
  const rival =
    leader === null
      ? null
      : found.reduce<number | null>((least, each, arm) => (arm !== leader && (least === null || each < found[least]!) ? arm : least), null);
  return {
    answer: best !== null ? "yes" : bestIfMissingAlike !== null ? "if missing alike" : "not yet",
    ...{ best: name(best ?? bestIfMissingAlike), rival: name(rival), evidence: leader === null ? null : found[leader]!, needed },
    decisionsToGo: best !== null ? 0 : decisionsToGo(compared, { shares: moves ? null : sharesOf(context), error, tolerance }),
  };
}

/** How often each arm is played from now on, the holdout included. */
function sharesOf({ probabilities, state: { holdout } }: Context): readonly number[] | null {
  return probabilities?.map((probability) => (1 - holdout) * probability + holdout / probabilities.length) ?? null;
}

/** JSON has no -0. */
function rounded<Interval extends { readonly low: number; readonly high: number } | null>(interval: Interval): Interval {
  return interval === null ? interval : ({ low: interval.low + 0, high: interval.high + 0 } as Interval);
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
