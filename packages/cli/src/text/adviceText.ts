import type { Advice } from "@tsallis/lab/advice";
import { type ArmFindings, formatNumber, type PooledFindings, type Sigma } from "tsallis/statistics";
import { emphasised } from "./terminal.js";
import { formatTable } from "./textTable.js";

/** The tables list at most this many arms. */
const MOST_ARMS = 20;
/** The shares at which the Hill plot is printed in numbers. */
const SHARES = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const ALL = "all arms";

/** The recommendation for people, then what it follows from. */
export function adviceText(advice: Advice): string {
  const { arms, pooled } = advice;
  const listed = arms.slice(0, MOST_ARMS);
  const total = `Evidence: ${arms.length} arms, ${pooled.losses.toLocaleString("en")} losses from ${formatNumber(pooled.lowest)} to ${formatNumber(pooled.highest)}.`;
  return [
    recommendationText(advice),
    arms.length === listed.length ? `${total}\n` : `${total} The tables list the first ${MOST_ARMS} arms; --json lists all.\n`,
    tailTable(listed, pooled),
    hillTable(advice, listed),
    sigmaTable(listed, pooled),
    signTable(listed),
  ].join("\n");
}

function recommendationText({ recommendation: { spec, reasons, warnings, alternatives } }: Advice): string {
  return [
    `Recommended: ${emphasised(JSON.stringify(spec))}`,
    ...reasons.map((reason) => `- ${reason}`),
    ...warnings.map((warning) => `Warning: ${warning}.`),
    ...alternatives.map((alternative) => `Or ${JSON.stringify(alternative.spec)}, if ${alternative.when}.`),
    "",
  ].join("\n");
}

function tailTable(arms: readonly ArmFindings[], pooled: PooledFindings): string {
  const head = ["arm", "losses", "k", "Pareto fit", "Hill", "Hill right", "Hill left"];
  const row = ({ losses, pareto, tails: { both, right, left } }: ArmFindings | PooledFindings, name: string) => [
    name,
    losses.toLocaleString("en"),
    pareto === null ? "-" : String(pareto.k),
    estimateText(pareto?.index),
    estimateText(both?.hill),
    estimateText(right?.hill),
    estimateText(left?.hill),
  ];
  const far = arms.filter(({ centre }) => centre !== 0).map(({ name }) => name);
  return [
    "Tail index of |loss|, with 95 % intervals. Lower is heavier; below 2 the variance is infinite. Pareto fit: a generalised Pareto distribution fitted to the k largest. Hill: Hill's estimate. Right and left: losses above 0, losses below 0.\n",
    formatTable(head, [...arms.map((arm) => row(arm, short(arm.name))), row(pooled, ALL)], { dropped: [2, 6, 5, 1] }),
    pooled.heavierArm === null ? "" : `The tail of ${short(pooled.heavierArm)} is clearly heavier than that of the other arms: its index decides.\n`,
    far.length === 0
      ? ""
      : `The losses of these arms are far from 0, so their tails are measured from the median: ${far.map(short).join(", ")}. Subtracting one constant from all losses of all arms changes no regret and makes sigma smaller.\n`,
  ].join("");
}

function hillTable({ hillPlot }: Advice, arms: readonly ArmFindings[]): string {
  const points = SHARES.flatMap((share) => hillPlot.filter((point) => point.share === share));
  if (points.length === 0) return "";
  const head = ["arm", ...points.map(({ share }) => `${Number((100 * share).toPrecision(3))} %`)];
  const rows = arms.map(({ name }, i) => [short(name), ...points.map((point) => indexText(point.arms[i]!))]);
  return `Hill plot: Hill's estimate if this share of the losses counts as the tail.\n${formatTable(head, [...rows, [ALL, ...points.map(({ pooled }) => indexText(pooled.estimate))]], { dropped: inner(head) })}`;
}

function sigmaTable(arms: readonly ArmFindings[], pooled: PooledFindings): string {
  const head = ["arm", ...pooled.sigmas.map(({ alpha }) => `alpha ${alpha}`)];
  const rows = [...arms.map(({ name, sigmas }) => [short(name), ...sigmas.map(sigmaText)]), [ALL, ...pooled.sigmas.map(sigmaText)]];
  const marks = "?: the moment may be infinite. !: the moment is infinite, and the number grows with the data.";
  return `sigma = (mean |loss|^alpha)^(1/alpha), with 95 % intervals; for all arms, the largest. ${marks}\n${formatTable(head, rows, { dropped: inner(head) })}`;
}

function signTable(arms: readonly ArmFindings[]): string {
  const rows = arms.map(({ name, truncatedNonNegativity: { verdict, worst } }) => [
    short(name),
    verdict,
    ...(worst === null
      ? ["-", "-", "-"]
      : [formatNumber(worst.threshold), formatNumber(worst.estimate), `${formatNumber(worst.low)} to ${formatNumber(worst.high)}`]),
  ]);
  const head = ["arm", "verdict", "M", "estimate", "95 % interval"];
  return `Truncated non-negativity: E[X 1{|X| > M}] at the M where it is lowest.\n${formatTable(head, rows, { dropped: [2, 3] })}`;
}

/** The columns between the first value and the last, which say more. */
function inner(head: readonly string[]): number[] {
  return head.map((_, column) => column).slice(2, -1);
}

function estimateText(estimate: PooledFindings["index"] | undefined): string {
  if (estimate === null || estimate === undefined) return "-";
  return estimate.low === Infinity ? "∞" : `${indexText(estimate.estimate)} (${indexText(estimate.low)} to ${indexText(estimate.high)})`;
}

function indexText(index: number | null): string {
  return index === null ? "-" : index === Infinity ? "∞" : formatNumber(index);
}

function sigmaText({ sigma, low, high, moment }: Sigma): string {
  return `${formatNumber(sigma)} (${formatNumber(low)} to ${indexText(high)})${{ finite: "", doubtful: " ?", infinite: " !" }[moment]}`;
}

/** A name that leaves room for the numbers. */
function short(name: string): string {
  const characters = [...name];
  return characters.length <= 16 ? name : `${characters.slice(0, 15).join("")}…`;
}
