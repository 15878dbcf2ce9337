import { formatCount, formatNumber, formatPercent, type Interval } from "tsallis/statistics";
import type { Answer, ArmAnswer, LogAnswers } from "./logAnswers.js";
import type { Moment } from "./logEvaluation.js";
import type { Redrawn } from "./redraw.js";

/** What was read, beyond the answers. */
export interface LogCounts {
  /** Decisions of a service that have no outcome yet, and those behind them. */
  readonly open: number;
  /** Decisions that ended without feedback because too many were open. */
  readonly dropped: number;
  /** Feedback after the expiry of its decision. */
  readonly late: number;
  readonly earlier: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  readonly cut: boolean;
}

/** Everything about one log, or one segment of it. */
export interface EvaluatedLog extends LogAnswers {
  readonly name: string;
  /** Null if the log has no segments. */
  readonly segment: string | null;
  /** The time of the last decision that counts; null if the log has no times. */
  readonly settledUpTo: string | null;
  readonly log: LogCounts;
  readonly against: Redrawn | null;
  /** The answers on the way, with the arms in the order of these names; empty unless they were asked for. */
  readonly history: { readonly arms: readonly string[]; readonly moments: readonly Moment[] };
}

/** The answers in sentences: may one stop, what is saved, what lies beyond. */
export function sentencesOf(log: LogAnswers): string[] {
  return [stopSentence(log), savedSentence(log), capSentence(log)];
}

function stopSentence({ verdict: { answer, best, leader, rival, evidence, needed }, tolerance, source, arms, missing, holdout }: LogAnswers): string {
  const within = tolerance > 0 ? `, or within ${formatNumber(tolerance)} of the best` : "";
  const by = source === "holdout" ? ", by the holdout" : "";
  if (arms.length === 1) return `May I stop? There is only one arm, ${arms[0]!.name}.`;
  if (leader === null) return "May I stop? Not yet: nothing has been played.";
  const state = `against ${rival} the evidence is ${tenths(evidence)} of ${needed.toFixed(1)}`;
  if (answer === "yes") return `May I stop? Yes: ${best} is the best arm${within}${by}.`;
  if (answer === "if missing alike") {
    return `May I stop? Yes, if the missing are like the rest: then ${best} is the best arm${within}. If the ${formatCount(missing)} missing may be anything, not yet.`;
  }
  return `May I stop? Not yet: ${state}${by}.${holdout === null ? "" : " A larger holdout answers sooner."}`;
}

function savedSentence({ saved, unit, holdout, missing, missingAs }: LogAnswers): string {
  const against = holdout === null ? "uniform play" : "the holdout";
  const alike = missing > 0 && missingAs === "out" ? ", if the missing are like the rest" : "";
  const [more, less] = unit === "loss" ? ["saves", "costs"] : ["gains", "loses"];
  if (saved.low > 0) return `A decision ${more} ${formatNumber(saved.low)} to ${formatNumber(saved.high)} against ${against}${alike}.`;
  if (saved.high < 0) return `A decision ${less} ${formatNumber(-saved.high)} to ${formatNumber(-saved.low)} more than ${against}${alike}.`;
  const [best, worst] = unit === "loss" ? ["saved", "lost"] : ["gained", "lost"];
  return `Nothing is known to be ${best} against ${against}: per decision from ${formatNumber(Math.max(0, -saved.low))} ${worst} to ${formatNumber(saved.high)} ${best}${alike}.`;
}

function capSentence({ cap, floor, unit, beyond }: LogAnswers): string {
  const name = unit === "loss" ? "Losses" : "Rewards";
  const limits =
    floor < 0 ? `${name} count from ${formatLimit(floor)} to ${formatLimit(cap)}` : `${name} above ${formatLimit(cap)} count as ${formatLimit(cap)}`;
  if (beyond.decisions === 0) return `${limits}: none is beyond.`;
  const paid = beyond.paid === null ? "" : `, ${formatPercent(beyond.paid)} of what was ${unit === "loss" ? "paid" : "gained"} lies beyond`;
  return `${limits}: ${counted(beyond.decisions, "decision")} (${formatPercent(beyond.share)})${paid}.`;
}

/** What else has to be known to read the answers: what is missing, what does not count, and what carries no guarantee. */
export function notesOf(log: EvaluatedLog): string[] {
  const { arms, missing, decisions, cap, floor, unit, missingAs, savedRange, against, policy, source } = log;
  const { open, dropped, late, earlier, doubled, outOfOrder, cut } = log.log;
  const silent = arms.filter(({ plays, missing: own }) => plays === own);
  const leader = arms[0];
  const words = unit === "loss" ? "cost" : "gain";
  const isLeftOut = missingAs === "out" && source === "all plays";
  const notes: (string | false)[] = [
    silent.length > 0 && `Without an outcome, and so anything from ${formatLimit(floor)} to ${formatLimit(cap)}: ${listOf(silent)}.`,
    missing > 0 &&
      `${counted(missing, "decision")} (${formatPercent(missing / decisions)}) ${missing === 1 ? "has" : "have"} no feedback${isLeftOut ? ` and ${missing === 1 ? "is" : "are"} left out` : ` and ${missing === 1 ? "counts" : "count"} as a range`}. If ${missing === 1 ? "it" : "they"} may ${words} anything from ${formatLimit(floor)} to ${formatLimit(cap)}: ${leader?.range ? `${leader.name} ${between(leader.range)}, ` : ""}${unit === "loss" ? "saved" : "gained"} ${between(savedRange!)}.`,
    open > 0 &&
      `${counted(open, "decision")} of the log ${open === 1 ? "waits" : "wait"} for the oldest one without an outcome, and ${open === 1 ? "does" : "do"} not count yet.`,
    dropped > 0 && `${counted(dropped, "decision")} ended without feedback because more than --max-open were waiting.`,
    late > 0 && `Feedback came too late for ${counted(late, "decision")}: ${late === 1 ? "it counts" : "they count"} as missing.`,
    earlier > 0 &&
      `${counted(earlier, "decision")} before the last change of arms, holdout or cap ${earlier === 1 ? "does" : "do"} not count: a change begins a new claim.`,
    doubled > 0 && `${counted(doubled, "line")} ${doubled === 1 ? "repeats an id" : "repeat ids"} and ${doubled === 1 ? "does" : "do"} not count.`,
    outOfOrder > 0 &&
      `${counted(outOfOrder, "line")} ${outOfOrder === 1 ? "was" : "were"} out of order and put into the order of ${outOfOrder === 1 ? "its time" : "their times"}.`,
    cut && "The last line is cut off and does not count.",
    against !== null && againstSentence(against, policy, unit),
  ];
  return notes.filter((note): note is string => note !== false);
}

function againstSentence({ policy: spec, runs, rounds, mean, low, high }: Redrawn, own: Answer, unit: "loss" | "reward"): string {
  const verb = unit === "loss" ? "cost" : "gained";
  const logged = own.mean === null ? "" : `; the logged policy ${verb} ${formatNumber(own.mean)}`;
  return `${JSON.stringify(spec)} would have ${verb} ${formatNumber(mean)} per decision (middle 80 % of ${runs} runs of ${formatCount(rounds)} rounds on redrawn losses: ${formatNumber(low)} to ${formatNumber(high)})${logged}. This carries no guarantee.`;
}

function listOf(arms: readonly ArmAnswer[]): string {
  const names = arms.slice(0, 5).map(({ name }) => name);
  return arms.length > 5 ? `${names.join(", ")} and ${arms.length - 5} more` : names.join(", ");
}

function between({ low, high }: Interval): string {
  return `${formatNumber(low)} to ${formatNumber(high)}`;
}

/** A cap or a floor as it was given, if it is short. */
export function formatLimit(value: number): string {
  if (value < 0) return `−${formatLimit(-value)}`;
  return Number.isInteger(value) && value < 1e9 ? formatCount(value) : formatNumber(value);
}

/** Rounded down, so that what is short of a line does not look as if it had reached it; less than none is none. */
function tenths(value: number): string {
  return (Math.floor(Math.max(0, value) * 10) / 10).toFixed(1);
}

/** "1 line", "2 lines" */
function counted(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}
