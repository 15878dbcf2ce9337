import { formatCount, formatNumber, formatPercent } from "tsallis/statistics";
import { type BanditEvidence, MOST_COMPARED, PILOT } from "../evidence/banditEvidence.js";
import type { Evaluation } from "../schemas.js";
import type { Context, Figures } from "./evaluationAnswer.js";

/** The answer in words. */
export function sentencesOf(answer: Figures, evidence: BanditEvidence, context: Context): Evaluation["sentences"] {
  const { unit } = context.document;
  const amount = (value: number) => formatNumber(value).replace(/\.0+$/, "") + (unit ? ` ${unit}` : "");
  if (evidence.isTooWide) {
    const stop = `Not answered: ${formatCount(evidence.arms.length)} arms, and at most ${MOST_COMPARED} are compared.`;
    return { saved: NOT_KNOWN, stop, cap: "", missing: "", compared: "" };
  }
  if (answer.cap === null) {
    const stop = `Not yet: the document has no cap, and the first ${formatCount(PILOT)} decisions, which set it, do not count. ${formatCount(evidence.piloted)} of them have ended.`;
    return { saved: NOT_KNOWN, stop, cap: ASK_FOR_CAP, missing: "", compared: "" };
  }
  if (answer.policy === null) {
    const { segment } = answer;
    const isLimit = segment !== undefined && context.state.segments.has(segment) && evidence.claim!.all.still.rounds > 0;
    const stop = isLimit
      ? `Not answered yet: no decision of this segment is settled, or it is not one of the first ${evidence.claim!.mostSegments} segments, which are the ones that are evaluated.`
      : "Not yet: no decision has ended.";
    return { saved: NOT_KNOWN, stop, cap: capSentence(answer, amount), missing: "", compared: "" };
  }
  return {
    saved: savedSentence(answer, amount),
    stop: stopSentence(answer, context),
    cap: capSentence(answer, amount),
    missing: missingSentence(answer),
    compared: comparedSentence(answer),
  };
}

const NOT_KNOWN = "What is saved is not known yet.";
const ASK_FOR_CAP = 'Set the cap to the largest loss that matters: PATCH the bandit with { "cap": 200 }, say.';

function savedSentence({ saved, error, cap, moves }: Figures, amount: (value: number) => string): string {
  if (saved === null) return `What is saved cannot be said: ${WHY[moves!]}, so uniform play is known by a holdout only, and there is none.`;
  const range = `${formatPercent(1 - error)} range, whenever you look; counting at most ${amount(cap!)} each`;
  if (saved.low > 0) return `A decision saves ${formatNumber(saved.low)} to ${amount(saved.high)} against uniform play (${range}).`;
  if (saved.high < 0) return `A decision costs ${formatNumber(-saved.high)} to ${amount(-saved.low)} more than uniform play (${range}).`;
  return `No saving is visible yet: between ${amount(-saved.low)} more and ${amount(saved.high)} less than uniform play (${range}).`;
}

function stopSentence({ verdict, tolerance, source, moves }: Figures, { state: { holdout } }: Context): string {
  const { answer, best, rival, evidence, needed, decisionsToGo } = verdict;
  const sooner = holdout < 0.5 ? " A larger holdout answers sooner." : "";
  const within = tolerance > 0 ? `, or within ${formatNumber(tolerance)} of the best` : "";
  if (answer === "withheld")
    return `Not answered: ${WHY[moves!]}, so arms can be compared by a holdout only, and there is none. PATCH the bandit with { "holdout": 0.1 }.`;
  if (answer === "yes") return `Yes: ${best} is the best arm${within}${source === "holdout" ? ", by the holdout" : ""}.`;
  if (evidence === null) return `Not yet: no decision has ended${source === "holdout" ? " in the holdout" : ""}.`;
  const so = `against ${rival} the evidence is ${tenths(evidence)} of ${tenths(needed!)}`;
  const go =
    decisionsToGo === null
      ? ""
      : ` About ${about(decisionsToGo)} more decisions, if it goes on like this: a rough guess, which is off by more than a factor of 3 in one case of three.`;
  if (answer === "if missing alike")
    return `Yes, if the decisions without feedback are like the rest: then ${best} is the best arm${within}. If they may be anything, not yet: ${so}.${go}`;
  return `Not yet: ${so}.${go}${sooner}`;
}

const WHY = {
  segments: "segments are taken together here, and an arm may be played more where losses are larger",
  forgets: "the policy forgets, so its arms are expected to change",
  drift: "losses have changed (the alarm DRIFT was on)",
};

function comparedSentence({ moves, source, startedBy, since }: Figures): string {
  const began = since === 0 ? "" : ` Counted from event ${formatCount(since)} on, ${BEGAN[startedBy]}.`;
  if (moves === null || source !== "holdout") return began.trim();
  const why = WHY[moves];
  return `${why[0]!.toUpperCase()}${why.slice(1)}: arms are compared by the holdout alone.${began}`;
}

const BEGAN = {
  created: "where the cap was known",
  cap: "where the cap was set",
  arms: "where the arms changed",
  sign: "where the first loss of another sign came",
};

function capSentence({ cap, floor, isGuess, isReward, beyond }: Figures, amount: (value: number) => string): string {
  const what = isReward
    ? `Rewards above ${amount(cap!)} count as ${amount(cap!)}, and are shown as negative losses`
    : `Losses above ${amount(cap!)} count as ${amount(cap!)}${floor! < 0 ? `, below −${amount(cap!)} as −${amount(cap!)}` : ""}`;
  const beyondIt =
    beyond === null || beyond.decisions === 0 ? "no decision so far" : `${decisions(beyond.decisions)}${shareSentence(beyond.shareOfCost)}`;
  const guess = isGuess ? ` This cap is a guess, the largest of the first ${formatCount(PILOT)} decisions. ${ASK_FOR_CAP}` : "";
  return `${what}: ${beyondIt}.${guess}`;
}

function shareSentence(share: number | null): string {
  return share === null ? "" : `; ${formatPercent(share)} of all that was paid lies beyond`;
}

function missingSentence({ missing, decisions: counted }: Figures): string {
  if (missing === 0) return "";
  return `${decisions(missing)} (${formatPercent(missing / counted)}) ${missing === 1 ? "has" : "have"} no feedback. ${missing === 1 ? "It counts" : "They count"} as anything that a loss can be, from the least to the most, so the ranges hold however ${missing === 1 ? "it" : "they"} came to be missing.`;
}

function decisions(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "decision" : "decisions"}`;
}

function tenths(evidence: number): string {
  return Math.max(0, evidence).toFixed(1);
}

/** One digit: more would be a lie. */
function about(count: number): string {
  return formatCount(Number(count.toPrecision(1)));
}
