import { quantile } from "tsallis/statistics";
import type { Ratio } from "../../ratio.js";
import { OURS } from "../rules/rules.js";
import type { SocketResult } from "./playSockets.js";

/** The router's mean over that of the simple rule that was best in the same run. */
export interface OverBest {
  /** The simple rule with the least median of its means. */
  readonly rule: string;
  readonly all: readonly number[];
  readonly median: number;
}

/** `results` are those of one scenario. */
export function overBest(results: readonly SocketResult[]): OverBest {
  const ours = results.filter(({ rule }) => rule === OURS).sort((a, b) => a.seed - b.seed);
  const simple = results.filter(({ rule }) => rule !== OURS);
  const all = ours.map(({ seed, mean }) => mean / Math.min(...simple.filter((each) => each.seed === seed).map((each) => each.mean)));
  const medians = [...new Set(simple.map(({ rule }) => rule))].map((rule) => ({ rule, median: medianOf(simple, rule, ({ mean }) => mean) }));
  return { rule: medians.reduce((a, b) => (b.median < a.median ? b : a)).rule, all, median: quantile(all, 0.5) };
}

/** What was asked of the router on real sockets, and what was measured; only of scenarios that were played. */
export function socketTargets(results: readonly SocketResult[]): Ratio[] {
  const names = [...new Set(results.map(({ scenario }) => scenario))];
  const of = (name: string) => results.filter(({ scenario }) => scenario === name);
  const worst = names.map((name) => ({ name, ratio: overBest(of(name)).median })).reduce((a, b) => (b.ratio > a.ratio ? b : a));
  const failures = (name: string, asked: number, total: number): Ratio[] =>
    names.includes(name)
      ? [
          {
            name: `failures of ${total} in ${name}, median run`,
            asked: `at most ${asked}`,
            measured: medianOf(of(name), OURS, (each) => each.failures),
          },
        ]
      : [];
  return [
    { name: `worst scenario (${worst.name}): mean to that of the best simple rule, median run`, asked: "at most 1.15", measured: worst.ratio },
    ...failures("hangs", 18, 990),
    ...failures("retry-after", 10, 200),
  ];
}

function medianOf(results: readonly SocketResult[], name: string, figure: (result: SocketResult) => number): number {
  return quantile(
    results.filter(({ rule }) => rule === name).map((result) => figure(result)),
    0.5,
  );
}
