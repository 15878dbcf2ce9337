import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { shownMean } from "./meanInterval.js";
import { BEST, type RouterResult } from "./routerResults.js";
import { routerTargets } from "./routerTargets.js";
import { RATE_PER_SECOND, SCENARIOS, type Scenario, TIMEOUT_MS } from "./scenarios.js";

const HOW = `Every rule meets the same latencies and the same requests, ${RATE_PER_SECOND} per second on average at random times. A request fails after ${TIMEOUT_MS / 1000} s.
The figures are means over seeds, with 95 % intervals by the normal approximation.
`;

/** Everything that `bench router` prints about the simulation. */
export function routerTables(results: readonly RouterResult[]): string {
  const rules = results.filter(({ rule }) => rule !== BEST);
  const played = playedIn(results);
  return [
    ...played.map(({ name, description }) => `(${name}) ${description}`),
    "",
    HOW,
    `Share of the possible gain over round robin, by true means: 1 is the best upstream at every moment\n${table(rules, ({ share }) => shownMean(share, 2))}`,
    `Mean latency in milliseconds, by true means\n${table(results, ({ mean }) => shownMean(mean, 0))}`,
    `99th percentile of latency in milliseconds, as drawn\n${table(results, ({ p99 }) => shownMean(p99, 0))}`,
    `What was asked\n${targets(rules)}`,
  ].join("\n");
}

function targets(rules: readonly RouterResult[]): string {
  return formatTable(
    ["", "asked", "measured"],
    routerTargets(rules).map(({ name, asked, measured }) => [name, asked, measured.toFixed(3)]),
  );
}

function playedIn(results: readonly RouterResult[]): Scenario[] {
  return SCENARIOS.filter(({ name }) => results.some(({ scenario }) => scenario === name));
}

/** One row per rule, one column per scenario. */
function table(results: readonly RouterResult[], show: (result: RouterResult) => string): string {
  const played = playedIn(results);
  const rules = [...new Set(results.map(({ rule }) => rule))];
  const cell = (rule: string, scenario: string) => show(results.find((each) => each.rule === rule && each.scenario === scenario)!);
  return formatTable(
    ["", ...played.map(({ name }) => name)],
    rules.map((rule) => [rule, ...played.map(({ name }) => cell(rule, name))]),
  );
}
