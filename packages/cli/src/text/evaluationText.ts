import { type Answer, type EvaluatedLog, notesOf, sentencesOf } from "@tsallis/lab/evaluation";
import { formatCount, formatNumber, formatPercent, type Interval } from "tsallis/statistics";
import { counted } from "./quantities.js";
import { emphasised, oneLine } from "./terminal.js";
import { formatTable } from "./textTable.js";

/** The tables list at most this many arms. */
const MOST_ARMS = 20;

/** Answers first, then the table. */
export function evaluationText(log: EvaluatedLog): string {
  return [
    oneLine(countsLine(log)),
    ...sentencesOf(log).map((sentence, i) => (i === 0 ? emphasised(oneLine(sentence)) : oneLine(sentence))),
    armTable(log),
    ...(log.arms.length > MOST_ARMS ? [`The table lists the first ${MOST_ARMS} of ${log.arms.length} arms; --json has all.`] : []),
    ...notesOf(log).map(oneLine),
    "",
  ].join("\n");
}

function countsLine({ name, segment, decisions, feedback, log, settledUpTo }: EvaluatedLog): string {
  const parts = [
    counted(decisions, "decision"),
    `${formatCount(feedback)} with feedback`,
    ...(log.open > 0 ? [`${formatCount(log.open)} open or behind an open one`] : []),
  ];
  const upTo = settledUpTo === null ? "" : `; settled up to ${settledUpTo.replace("T", " ").slice(0, 16)}`;
  return `${segment === null ? name : `${name}, segment ${segment === "" ? "(none)" : segment}`}: ${parts.join(", ")}${upTo}`;
}

function armTable(log: EvaluatedLog): string {
  const { arms, error, unit, source, policy, holdout, uniform, mix, saved } = log;
  const level = formatPercent(1 - error);
  const tail = arms[0]?.uncapped !== null && arms[0]?.uncapped !== undefined;
  const listed = arms.slice(0, MOST_ARMS);
  const uncapped = (interval: Interval | null) => (tail ? [interval === null ? "" : between(interval)] : []);
  const row = (name: string, plays: string, answer: Answer, last: string, interval: Interval | null = null) => [
    name,
    plays,
    answer.mean === null ? "-" : formatNumber(answer.mean),
    between(answer),
    ...uncapped(interval),
    last,
  ];
  const rows = [
    ...listed.map((arm) => row(short(arm.name), formatCount(arm.plays), arm, arm.status, arm.uncapped)),
    row("the policy", formatCount(log.decisions - log.holdoutDecisions), policy, ""),
    ...(holdout === null ? [] : [row("the holdout", formatCount(log.holdoutDecisions), holdout, "")]),
    row("always uniform", "", uniform, ""),
    ...(mix === null ? [] : [row("the mix", "", mix, "")]),
    row(unit === "loss" ? "saved per decision" : "gained per decision", "", saved, ""),
  ];
  const head = [
    "arm",
    source === "holdout" ? "holdout plays" : "plays",
    "mean",
    `${level}, whenever you look`,
    ...(tail ? ["the same, uncapped"] : []),
    "",
  ];
  return formatTable(head, rows, { dropped: tail ? [1, 4] : [1] }).trimEnd();
}

function between({ low, high }: Interval): string {
  return `${formatNumber(low)} to ${formatNumber(high)}`;
}

/** A name that leaves room for the numbers. */
function short(name: string): string {
  const characters = [...oneLine(name)];
  return characters.length <= 24 ? oneLine(name) : `${characters.slice(0, 23).join("")}…`;
}
