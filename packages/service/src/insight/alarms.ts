import { POLICIES } from "tsallis";
import { rankTest } from "tsallis/statistics";
import type { BanditState } from "../bandit/banditState.js";
import { changeText } from "../history/changeText.js";
import { isWorse, type LossChange } from "../history/historyChange.js";
import type { NumberedArm } from "../log/event.js";
import type { Alarm, Document } from "../schemas.js";
import type { Cohort } from "./cohort.js";
import type { DecisionRing } from "./decisionRing.js";
import { formatCount, formatNumber, formatShare } from "./formatNumber.js";
import type { OutcomeRing } from "./outcomeRing.js";
import { settledLosses } from "./settledLosses.js";
import type { Tails } from "./tails.js";
import { unevenness } from "./unevenness.js";

/** A share of fewer outcomes says little. */
const FEWEST_OUTCOMES = 50;
const MISSING = 0.2;
const NEAR = 0.9;
/** Alarms are looked at for months on end: the tests among them are wrong about once in this many independent looks. */
const P = 1e-4;
/** The rank test needs this many losses. */
const FEWEST_RANKED = 200;

/** What the alarms are about. */
export interface Observed {
  readonly document: Document;
  readonly state: Pick<BanditState, "arms" | "windowSeconds" | "counted" | "segments">;
  readonly decisions: DecisionRing;
  readonly outcomes: OutcomeRing;
  readonly cohort: Cohort;
  /** The most rounds of any segment, as its decisions told. */
  readonly rounds: number;
  /** Left out if no alarm asks for them. */
  readonly tails: Tails;
  /** How the losses of arms changed in the last day. */
  readonly changes: readonly LossChange[];
}

/** Whether some alarm depends on the tails of the losses. */
export function asksForTails({ policy }: Document): boolean {
  return optionOf(policy, "alpha") !== undefined || needsNonNegative(policy.policy);
}

/** What the owner should know, with what to do about it. */
export function alarms(observed: Observed): Alarm[] {
  const favourite = favouriteOf(observed);
  return [
    becameWorse(observed),
    feedbackMissing(observed),
    feedbackUneven(observed),
    horizonNear(observed),
    ...(favourite === null ? [] : [skipsMost(observed, favourite), drift(observed, favourite)]),
    tailHeavier(observed),
    negativeTail(observed),
  ].filter((alarm) => alarm !== null);
}

/** The present arm with most of the policy's last decisions. */
function favouriteOf({ decisions, state }: Observed): NumberedArm | null {
  const chosen = new Map<number, number>();
  for (let slot = 0; slot < decisions.size; slot++) {
    if (decisions.holdout[slot] === 0) chosen.set(decisions.arm[slot]!, (chosen.get(decisions.arm[slot]!) ?? 0) + 1);
  }
  let favourite: NumberedArm | null = null;
  let most = 0;
  for (const arm of state.arms.values()) {
    const count = chosen.get(arm.number) ?? 0;
    if (count > most) [favourite, most] = [arm, count];
  }
  return favourite;
}

/** Present arms whose last change was for the worse: until they recover, are retired, or a day has passed. */
function becameWorse({ changes, state, document }: Observed): Alarm | null {
  const last = new Map<number, LossChange>();
  for (const change of changes) if (state.arms.has(change.number)) last.set(change.number, change);
  const worse = [...last.values()].filter(isWorse);
  if (worse.length === 0) return null;
  return {
    code: "BECAME_WORSE",
    message: worse
      .map((change) => `Since ${new Date(change.at).toISOString().slice(0, 16).replace("T", " ")} UTC ${changeText(change, document)}.`)
      .join(" "),
    remedy: `Find out what happened to ${worse.map(({ arm }) => arm).join(", ")} then. If it stays like this, retire ${worse.length === 1 ? "the arm" : "these arms"}.`,
  };
}

function feedbackMissing({ outcomes, state }: Observed): Alarm | null {
  let expired = 0;
  for (let slot = 0; slot < outcomes.size; slot++) if (outcomes.isExpired(slot)) expired++;
  if (outcomes.size < FEWEST_OUTCOMES || !(expired > MISSING * outcomes.size)) return null;
  return {
    code: "FEEDBACK_MISSING",
    message: `${formatShare(expired / outcomes.size)} of the last ${formatCount(outcomes.size)} decisions that ended got no feedback in time.`,
    remedy: `Check that feedback is sent for every decision, and that the window of ${formatCount(state.windowSeconds)} s is long enough. If silence means failure, set "expired" to the loss of a failure.`,
  };
}

function feedbackUneven({ cohort, state }: Observed): Alarm | null {
  const arms = [...state.arms.values()];
  const found = unevenness(cohort.count(state.arms.keys()));
  if (found === null || !(found.p < P)) return null;
  const { worst, best, rest, p, chiSquare, degrees } = found;
  const nameOf = (place: number): string => (place < 0 ? `the ${rest} rarest arms together` : arms[place]!.name);
  return {
    code: "FEEDBACK_UNEVEN",
    message: `The arms differ in how much feedback is missing: ${formatShare(worst.share)} of ${formatCount(worst.ended)} decisions for ${nameOf(worst.place)}, ${formatShare(best.share)} of ${formatCount(best.ended)} for ${nameOf(best.place)} (chi-squared ${formatNumber(chiSquare)}, ${degrees} degrees of freedom, p ${p < 1e-12 ? "below 1e-12" : `= ${formatNumber(p)}`}).`,
    remedy: `An arm that goes silent when it fails looks better than it is. Find out why feedback for ${nameOf(worst.place)} is missing; if silence means failure, set "expired" to the loss of a failure.`,
  };
}

function horizonNear({ document: { policy }, state: { counted, segments }, rounds }: Observed): Alarm | null {
  const horizon = optionOf(policy, "horizon");
  // After a restart no decision may have told its round yet. Without segments, all decisions but those of the holdout are rounds of one policy.
  const played = Math.max(rounds, segments.size === 0 ? counted.decisions - counted.holdout : 0);
  if (horizon === undefined || !(played >= NEAR * horizon)) return null;
  return {
    code: "HORIZON_NEAR",
    message: `${formatCount(played)} of ${formatCount(horizon)} rounds are played. After the last one ${policy.policy} refuses to decide (ERR_HORIZON).`,
    remedy: "Create a bandit with a longer horizon, or with a policy that needs none, such as matched-tinf, and move the traffic there.",
  };
}

function skipsMost({ outcomes }: Observed, { name, number }: NumberedArm): Alarm | null {
  let [answered, skipped] = [0, 0];
  for (let slot = 0; slot < outcomes.size; slot++) {
    if (outcomes.arm[slot] !== number || outcomes.isExpired(slot) || outcomes.isHoldout(slot)) continue;
    answered++;
    if (outcomes.isSkipped(slot)) skipped++;
  }
  if (answered < FEWEST_OUTCOMES || !(skipped > answered / 2)) return null;
  return {
    code: "SKIPS_MOST",
    message: `The policy skipped ${formatCount(skipped)} of the last ${formatCount(answered)} losses of ${name}, its favourite, because of their size: it learns little from what it does most.`,
    remedy:
      "The losses are larger than the policy was told. Create a bandit with a larger sigma, or with a policy that needs none, such as matched-tinf.",
  };
}

/** The last quarter of the favourite's losses against the rest, by ranks. The choices of a policy do not change the distribution of an arm's losses, so that they may be compared. */
function drift({ document: { policy }, outcomes }: Observed, { name, number }: NumberedArm): Alarm | null {
  if (optionOf(policy, "halfLife") !== undefined) return null;
  const losses = settledLosses(outcomes, number);
  if (losses.length < FEWEST_RANKED) return null;
  const cut = losses.length - Math.floor(losses.length / 4);
  const { p, larger } = rankTest(losses.subarray(0, cut), losses.subarray(cut));
  if (!(p < P)) return null;
  const forgets = POLICIES[policy.policy]?.parameters.halfLife !== undefined;
  return {
    code: "DRIFT",
    message: `The last ${formatCount(losses.length - cut)} losses of ${name}, the favourite, are ${larger > 0.5 ? "larger" : "smaller"} than the ${formatCount(cut)} before: one of them is the larger of a pair with probability ${formatNumber(larger)} (Mann and Whitney, p ${p < 1e-12 ? "below 1e-12" : `= ${formatNumber(p)}`}).`,
    remedy: `If the world changes for good, let the policy forget: create a bandit with ${forgets ? `${policy.policy} and "halfLife"` : 'matched-tinf and "halfLife"'} of about ${formatCount(halfLifeFor(losses.length - cut))} rounds.`,
  };
}

/** About as many rounds as it took to see the change, in one digit. */
function halfLifeFor(recent: number): number {
  return Number(recent.toPrecision(1));
}

function tailHeavier({ document: { policy }, tails }: Observed): Alarm | null {
  const alpha = optionOf(policy, "alpha");
  const index = tails.pooled?.index;
  if (alpha === undefined || index == null || !(index.high < alpha)) return null;
  const { heavierArm } = tails.pooled!;
  return {
    code: "TAIL_HEAVIER",
    message: `The tail index of the losses${heavierArm === null ? "" : ` of ${heavierArm}`} is ${formatNumber(index.estimate)} (${formatNumber(index.low)} to ${formatNumber(index.high)}), below the alpha ${formatNumber(alpha)} that the policy was told: that moment does not exist.`,
    remedy:
      index.high <= 1
        ? "The losses seem to have no mean. Send a bounded function of them instead."
        : `Create a bandit with an alpha of at most ${formatNumber(Math.max(1.05, Math.floor(20 * index.low) / 20))}, or with a policy that needs none, such as matched-tinf.`,
  };
}

function negativeTail({ document: { policy }, tails }: Observed): Alarm | null {
  const judged = tails.pooled?.truncatedNonNegativity;
  if (judged?.verdict !== "violated" || !needsNonNegative(policy.policy)) return null;
  return {
    code: "NEGATIVE_TAIL",
    message: `Truncated non-negativity, which ${policy.policy} needs, is violated: ${judged.reason}.`,
    remedy:
      "Create a bandit with a policy that does not need it, such as matched-tinf, the default. If the losses are rewards with the sign reversed, send the largest reward minus the reward as the loss, which is never negative.",
  };
}

function needsNonNegative(policy: string): boolean {
  return POLICIES[policy]?.needs.includes("truncated-non-negative") === true;
}

/** A number that the policy was told. */
function optionOf(policy: Document["policy"], name: string): number | undefined {
  const value = (policy as Readonly<Record<string, unknown>>)[name];
  return typeof value === "number" ? value : undefined;
}
