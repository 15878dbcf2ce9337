import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { formatNumber } from "tsallis/statistics";
import type { EvidenceResult } from "./benchEvidence.js";
import { QUESTIONS, type StopResult } from "./evidenceResult.js";

const HOW = `Two figures: the best arm, and all others. Normal, inverse propensity and winsorised intervals are about the true mean, all others about the mean of capped losses.
Ever: the evidence at the true means, after every decision. An exclamation mark: above 5 % by more than chance at the .001 level.
Over the oracle's: the length of the interval divided by that of the shortest around the same estimate that is right in 95 % of the logs.
`;

/** Everything that `bench evidence` prints. */
export function evidenceTables({ coverage, races }: EvidenceResult): string {
  const logs = coverage[0]!.logs.toLocaleString("en");
  const tooOften = coverage.flatMap(({ world, maker, answers }) =>
    QUESTIONS.flatMap((question) => (answers[question].tooOften ? [`${world}, ${maker}: ${question}`] : [])),
  );
  const cells = coverage.length * QUESTIONS.length;
  return [
    `Intervals that are right at the end, percent of ${logs} logs\n${formatTable(
      ["world", "log by", "normal", "inverse propensity", "winsorised", ...QUESTIONS],
      coverage.map(({ world, maker, normal, inversePropensity, winsorised, answers }) => [
        world,
        maker,
        pair(normal),
        inversePropensity === null ? "-" : pair(inversePropensity),
        pair(winsorised),
        ...QUESTIONS.map((question) => percent(answers[question].right)),
      ]),
    )}`,
    `Intervals that are ever wrong, percent of ${logs} logs, and lengths\n${formatTable(
      ["world", "log by", ...QUESTIONS, "length: best arm", "uniform", "savings", "over the oracle's"],
      coverage.map(({ world, maker, answers, overOracle }) => [
        world,
        maker,
        ...QUESTIONS.map((question) => percent(answers[question].everWrong) + (answers[question].tooOften ? " !" : "")),
        formatNumber(answers["best arm"].width),
        formatNumber(answers.uniform.width),
        formatNumber(answers.savings.width),
        overOracle.map((ratio) => ratio.toFixed(2)).join(" / "),
      ]),
    )}${HOW}`,
    tooOften.length === 0 ? `No cell of ${cells} is above 5 % by more than chance.\n` : `Above 5 % by more than chance:\n${tooOften.join("\n")}\n`,
    `May I stop? Uniform traffic, percent of races that stop (at a wrong arm), and the median decision\n${formatTable(
      ["world", "arms", "gap", "races", "evidence", "median", "over the fewest", "peeking t-test", "median"],
      races.map(({ world, arms, gap, logs, evidence, peeking, fewest }) => [
        world,
        String(arms),
        percent(gap),
        logs.toLocaleString("en"),
        stops(evidence),
        median(evidence),
        fewest === null || evidence.median === null ? "-" : (evidence.median / fewest).toFixed(1),
        peeking === null ? "-" : stops(peeking),
        peeking === null ? "-" : median(peeking),
      ]),
    )}`,
  ].join("\n");
}

function percent(share: number): string {
  return (100 * share).toFixed(1).replace(/\.0$/, "");
}

function pair([best, rest]: readonly [number, number]): string {
  return `${percent(best)} / ${percent(rest)}`;
}

function stops({ stopped, wrong }: StopResult): string {
  return `${percent(stopped)} (${percent(wrong)})`;
}

function median({ median }: StopResult): string {
  return median === null ? "-" : Math.round(median).toLocaleString("en");
}
