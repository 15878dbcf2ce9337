import type { FrozenExperiment, Profile, Ranking, Written } from "@tsallis/lab";
import { describe, expect, it } from "vitest";
import { resultText } from "../src/resultText.js";

const names = (count: number) => Array.from({ length: count }, (_, index) => `world ${index + 1}`);
const ranking = (environment: string, value: number | null = null): Ranking => ({
  environment,
  sweep: value === null ? null : { path: "horizon", value },
  horizon: 100,
  entries: [{ rank: 1, policy: "best", seeds: 2, failed: 0, final: null, neverLearned: null, beatsNext: null, bound: null, note: null }],
});
const profile = (environments: readonly string[]): Profile => [
  { policy: "best", ratios: new Map(environments.map((name) => [name, 1])), median: 1, worst: { ratio: 1, environment: environments[0]! } },
  { policy: "told", ratios: new Map(environments.map((name) => [name, 1234])), median: 1234, worst: { ratio: Infinity, environment: "world 2" } },
];
const frozen = {
  experiment: { claim: null, policies: { best: { policy: "uniform" }, told: { policy: "htinf", alpha: "promised", sigma: "promised" } } },
} as unknown as FrozenExperiment;

function textOf(count: number, more: Partial<Written> = {}): string {
  const written: Written = {
    summary: [],
    rankings: names(count).map((name) => ranking(name)),
    profiles: { sound: profile(names(count)), broken: null },
    claim: { verdict: null, evidence: [] },
    failures: [],
    open: 0,
    ...more,
  };
  return resultText(written, frozen, "out");
}

describe("what is printed at the end", () => {
  it("is a ranking per environment up to six environments", () => {
    expect(textOf(6).match(/^world \d: pseudo-regret/gm)).toHaveLength(6);
    expect(textOf(6)).not.toContain("median  ");
    expect(textOf(7, { profiles: null }).match(/^world \d: pseudo-regret/gm)).toHaveLength(7);
  });

  it("is a profile with more", () => {
    expect(textOf(7)).toBe(`Regret over the least regret of each environment: 7 environments
┌────────┬──────────────┬────────┬───────┬─────────┐
│ policy │      is told │ median │ worst │   where │
├────────┼──────────────┼────────┼───────┼─────────┤
│ best   │      nothing │   1.00 │  1.00 │ world 1 │
│ told   │ alpha, sigma │  1,234 │     ∞ │ world 2 │
└────────┴──────────────┴────────┴───────┴─────────┘
1 is the best policy of an environment. The rankings of each: out/ranking.csv

Report: out/report.html
`);
  });

  it("keeps broken environments apart, and sweeps as they are", () => {
    const text = textOf(7, {
      profiles: { sound: profile(names(6)), broken: profile(["left"]) },
      rankings: [...names(7).map((name) => ranking(name)), ranking("swept", 100), ranking("swept", 200)],
    });
    expect(text).toContain("\nApart, where truncated non-negativity is broken: 1 environment\n┌");
    expect(text).toContain("\nswept: mean pseudo-regret by horizon\n┌");
    expect(text).not.toContain("pseudo-regret after");
  });
});
