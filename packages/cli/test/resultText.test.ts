import { stripVTControlCharacters } from "node:util";
import type { Analysis, FrozenExperiment, Profile, Ranking, RankingEntry } from "@tsallis/lab";
import { afterEach, describe, expect, it, vi } from "vitest";
import { resultText } from "../src/text/resultText.js";
import { columnWidths, formatTable, wrappedTable } from "../src/text/textTable.js";

const names = (count: number) => Array.from({ length: count }, (_, index) => `world ${index + 1}`);
const ranking = (environment: string, value: number | null = null): Ranking => ({
  environment,
  sweep: value === null ? null : { path: "horizon", value },
  horizon: 100,
  entries: [{ rank: 1, policy: "best", seeds: 2, failed: 0, final: null, share: null, stuck: null, behindFirst: null, bound: null, note: null }],
});
const profile = (environments: readonly string[]): Profile => [
  {
    policy: "best",
    cells: new Map(environments.map((name) => [name, { share: 0.04, stuck: 0, ratio: null }])),
    share: 0.04,
    stuck: 0,
    mostStuck: { share: 0, environment: environments[0]! },
    median: null,
    worst: null,
  },
  {
    policy: "told",
    cells: new Map(environments.map((name) => [name, { share: 0.138, stuck: 0.021, ratio: 1234 }])),
    share: 0.138,
    stuck: 0.021,
    mostStuck: { share: 0.15, environment: "world 3" },
    median: 1234,
    worst: { ratio: Infinity, environment: "world 2" },
  },
];
const frozen = {
  experiment: { claim: null, policies: { best: { policy: "uniform" }, told: { policy: "htinf", alpha: "promised", sigma: "promised" } } },
} as unknown as FrozenExperiment;

function textOf(count: number, more: Partial<Parameters<typeof resultText>[0]> = {}): string {
  const analysis = {
    frozen,
    runs: [],
    results: new Map(),
    rankings: names(count).map((name) => ranking(name)),
    profiles: { sound: profile(names(count)), broken: null, onOneSeed: false },
    claim: { verdict: null, evidence: [], stuck: null },
    open: 0,
    fewSeeds: null,
    ...more,
  };
  return resultText(analysis, "out");
}

describe("the text printed at the end", () => {
  it("is a ranking per environment up to six environments", () => {
    expect(textOf(6).match(/^world \d: pseudo-regret/gm)).toHaveLength(6);
    expect(textOf(6)).not.toContain("median  ");
    expect(textOf(7, { profiles: null }).match(/^world \d: pseudo-regret/gm)).toHaveLength(7);
  });

  it("names the run hashes of all completed runs, if they were recorded", () => {
    const runs = ["world/best/1", "world/best/2", "world/told/1"].map((id) => ({ id })) as unknown as Analysis["runs"];
    const results = new Map([
      ["world/best/1", { status: "completed", trace: { runHash: "00ff" } }],
      ["world/best/2", { status: "failed" }],
      ["world/told/1", { status: "completed", trace: { runHash: "12ab" } }],
    ]) as unknown as Analysis["results"];
    const asked = { ...frozen, experiment: { ...frozen.experiment, runHash: true as const } };
    expect(textOf(1, { frozen: asked, runs, results })).toContain("of every round\n00ff  world/best/1\n12ab  world/told/1\n\n");
    expect(textOf(1, { runs, results })).not.toContain("00ff");
  });

  it("is a profile with more", () => {
    expect(textOf(7)).toBe(`Regret against the best arm of each round: 7 environments
┌────────┬───────────────┬────────┬────────────────┬────────┬───────┬─────────┐
│ policy │ needs to know │  share │ stuck, most in │ median │ worst │   where │
├────────┼───────────────┼────────┼────────────────┼────────┼───────┼─────────┤
│ best   │       nothing │ 0.0400 │            0 % │      - │     - │       - │
│ told   │  alpha, sigma │  0.138 │ 2.1 %, world 3 │  1,234 │     ∞ │ world 2 │
└────────┴───────────────┴────────┴────────────────┴────────┴───────┴─────────┘
Share: regret divided by that of uniform play, the mean over the environments.
Stuck: the share of runs with more than half of uniform play's regret in the last fifth of the rounds.
Median, worst: regret divided by that of the best policy, over the environments with a share above 0.05.
The best policy of an environment is picked on the other half of the seeds, so a ratio may be below 1.
Rankings of each environment: out/ranking.csv

Report: out/report.html
`);
  });

  it("has no interval from one seed", () => {
    const final = { mean: 5, low: 5, high: 5, median: 5, skipRate: 0 } as unknown as RankingEntry["final"];
    const [{ entries, ...rest }] = [ranking("world")] as [Ranking];
    const text = (seeds: number) => textOf(1, { rankings: [{ ...rest, entries: [{ ...entries[0]!, seeds, final }] }] });
    expect(text(1)).toMatch(/│ +- │/);
    expect(text(1)).not.toContain("5.00 to 5.00");
    expect(text(2)).toContain("5.00 to 5.00");
  });

  it("ends with a legend, and counts what is still to play", () => {
    const text = textOf(1, { open: 1 });
    const legend = text.split("\n").filter((line) => /^(?:Lower is|Stuck:)/.test(line));
    expect(legend).toHaveLength(2);
    expect(text).toContain("1 run of the experiment is still to play.\n");
    expect(textOf(1, { open: 1000 })).toContain("1,000 runs of the experiment are still to play.\n");
  });

  it("warns if there are few seeds", () => {
    expect(textOf(2, { fewSeeds: "5 seeds are few." })).toContain("\n5 seeds are few.\n");
  });

  it("says so if the best policy was picked on the only seed", () => {
    const text = textOf(7, { profiles: { sound: profile(names(7)), broken: null, onOneSeed: true } });
    expect(text).toContain("\nWith one seed, the best policy of an environment is picked on that seed, so its ratio includes luck.\n");
  });

  it("lists broken environments separately, and sweeps as usual", () => {
    const text = textOf(7, {
      profiles: { sound: profile(names(6)), broken: profile(["left"]), onOneSeed: false },
      rankings: [...names(7).map((name) => ranking(name)), ranking("swept", 100), ranking("swept", 200)],
    });
    expect(text).toContain("\nListed separately, because truncated non-negativity is broken: 1 environment\n┌");
    expect(text).toContain("\nswept: mean pseudo-regret by horizon\n┌");
    expect(text).not.toContain("pseudo-regret after");
  });
});

describe("tables on a narrow terminal", () => {
  afterEach(() => vi.restoreAllMocks());
  const terminal = (columns: number) => vi.spyOn(process, "stdout", "get").mockReturnValue({ columns, isTTY: true } as typeof process.stdout);
  const widest = (text: string) =>
    Math.max(
      ...stripVTControlCharacters(text)
        .split("\n")
        .map(({ length }) => length),
    );
  const head = ["policy", "mean", "worst\nratio", "where"];
  const rows = [
    ["robust-ucb truncated", "1.25", "0 %", "pareto 1.6 scale 0.001"],
    ["\u001b[1mhtinf\u001b[22m", "12,300", "100 %", "left"],
  ];

  it.each([20, 30, 40])("of %i columns have a line for each cell, and say all that the wide ones say", (columns) => {
    terminal(columns);
    const text = formatTable(head, rows);
    expect(widest(text)).toBeLessThanOrEqual(Math.max(columns, "worst ratio  robust-ucb".length));
    for (const cell of rows.flat()) expect(text.replaceAll(/\s+/g, " ")).toContain(cell);
    expect(text).toContain("mean         1.25\nworst ratio  0 %\n");
    expect(text.split("\n\n")).toHaveLength(2);
    expect(widest(wrappedTable(head, rows))).toBeLessThanOrEqual(Math.max(columns, "worst ratio  robust-ucb".length));
  });

  it("leave columns out, the least important first, and name them, before they turn into lists", () => {
    const at = (columns: number) => {
      terminal(columns);
      return formatTable(head, rows, { dropped: [2, 1] });
    };
    const notShown = (text: string) => /^┌.*┘\nNot shown, for lack of width: (.*)\.\n$/s.exec(text)?.[1];
    expect(at(66)).toMatch(/^┌.*┘\n$/s);
    expect(notShown(at(60))).toBe("worst ratio");
    expect(notShown(at(50))).toBe("mean, worst ratio");
    expect(at(40)).toBe(formatTable(head, rows));
    expect(at(40)).not.toContain("┌");
    const wordy = rows.map((row) => [...row, "some words that are longer than the column is wide"]);
    terminal(100);
    expect(notShown(wrappedTable([...head, "what"], wordy, [3, 2]))).toBe("where");
  });

  it("stay tables where there is room", () => {
    terminal(80);
    expect(formatTable(head, rows)).toMatch(/^┌/);
    expect(wrappedTable(head, rows)).toMatch(/^┌/);
  });
});

describe("the columns of a table", () => {
  const rows = [
    ["policy", "median", "where"],
    ["robust-ucb truncated", "1.25", "pareto 1.6 scale 0.001"],
  ];

  it("are as wide as their cells if there is room", () => {
    expect(columnWidths(rows, [0, 2], Infinity)).toEqual([22, 8, 24]);
    expect(columnWidths(rows, [0, 2], 58)).toEqual([22, 8, 24]);
  });

  it("shrink if there is not, the widest first, and never below their longest word", () => {
    expect(columnWidths(rows, [0, 2], 54)).toEqual([21, 8, 21]);
    expect(columnWidths(rows, [0, 2], 10)).toEqual([12, 8, 8]);
    expect(columnWidths(rows, [], 10)).toEqual([22, 8, 24]);
  });

  it("do not count the codes that colour a cell", () => {
    expect(columnWidths([["\u001b[1m\u001b[32mbest\u001b[39m\u001b[22m"]], [0], 80)).toEqual([6]);
  });
});
