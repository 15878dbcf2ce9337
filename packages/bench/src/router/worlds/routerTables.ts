import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import type { MeanInterval } from "./meanInterval.js";
import { BEST, type RouterResult } from "./routerResults.js";
import { routerTargets } from "./routerTargets.js";
import { RATE_PER_SECOND, SCENARIOS, TIMEOUT_MS } from "./scenarios.js";

const HOW = `Every rule meets the same latencies and the same requests, ${RATE_PER_SECOND} per second on average at random times. A request fails after ${TIMEOUT_MS / 1000} s.
The figures are means over seeds, with 95 % intervals by the normal approximation.
`;

/** Everything that `bench router` prints about the simulation. */
export function routerTables(results: readonly RouterResult[]): string {
  const rules = results.filter(({ rule }) => rule !== BEST);
  return [
    ...SCENARIOS.map(({ name, description }) => `(${name}) ${description}`),
    "",
    HOW,
    `Share of the possible gain over round robin, by true means: 1 is the best upstream at every moment\n${table(rules, ({ share }) => shown(share, 2))}`,
    `Mean latency in milliseconds, by true means\n${table(results, ({ mean }) => shown(mean, 0))}`,
    `99th percentile of latency in milliseconds, as drawn\n${table(results, ({ p99 }) => shown(p99, 0))}`,
    `What was asked\n${formatTable(
      ["", "asked", "measured"],
      routerTargets(rules).map(({ name, asked, measured }) => [name, asked, measured.toFixed(2)]),
    )}`,
  ].join("\n");
}

/** The mean and the margin of its interval. A small negative number is not shown as "-0.00". */
function shown({ mean, margin }: MeanInterval, digits: number): string {
  return `${mean.toFixed(digits).replace(/^-(?=[0.]+$)/, "")} ±${margin.toFixed(digits)}`;
}

/** One row per rule, one column per scenario. */
function table(results: readonly RouterResult[], show: (result: RouterResult) => string): string {
  const rules = [...new Set(results.map(({ rule }) => rule))];
  const cell = (rule: string, scenario: string) => show(results.find((each) => each.rule === rule && each.scenario === scenario)!);
  return formatTable(
    ["", ...SCENARIOS.map(({ name }) => name)],
    rules.map((rule) => [rule, ...SCENARIOS.map(({ name }) => cell(rule, name))]),
  );
}
