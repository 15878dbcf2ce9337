import { stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { compareOutcomes } from "../src/analysis/compare.js";
import type { Run } from "../src/document/run.js";
import { renderComparison } from "../src/report/page/renderComparison.js";
import { completed, DOCUMENT, failed, makeOutcome, makeTrace, ROUNDS } from "./outcomes.js";

const before = makeOutcome();

describe("comparison of two results", () => {
  it("of the same is without a change", () => {
    const { cells, onlyFirst, onlySecond, incomparable } = compareOutcomes(before, makeOutcome());
    expect(cells.length).toBe(6);
    for (const { paired, changed, p, difference } of cells) {
      expect({ paired, changed, p, difference }).toEqual({ paired: true, changed: false, p: 1, difference: { estimate: 0, low: 0, high: 0 } });
    }
    expect([onlyFirst, onlySecond, incomparable]).toEqual([[], [], []]);
  });

  it("marks the cell that changed, and no other", () => {
    // A change of 3 %, far below the spread over seeds: only the pairs show it.
    const after = makeOutcome(DOCUMENT, ({ environment, policy }) => (environment === "steady" && policy === "htinf" ? 1.03 : 1));
    const { cells } = compareOutcomes(before, after);
    expect(cells.filter(({ changed }) => changed).map(({ id }) => id)).toEqual(["steady/htinf"]);
    const { difference, means, verdict } = cells.find(({ changed }) => changed)!;
    expect(verdict).toBe("worse");
    expect(difference.estimate).toBeCloseTo(0.03 * means[0], 6);
    expect(difference.low).toBeGreaterThan(0);
    const back = compareOutcomes(after, before).cells.find(({ changed }) => changed)!;
    expect(back.difference.high).toBeLessThan(0);
    expect(back.verdict).toBe("better");
    expect(cells.filter(({ verdict }) => verdict === "within noise")).toHaveLength(cells.length - 1);
  });

  it("is not fooled by noise: of 40 changes that are none, no more than a few are marked", () => {
    // Signs at random: at 5 % over the six cells together, more than 8 of 40 has probability 2e-4.
    let marked = 0;
    for (let trial = 0; trial < 40; trial++) {
      const after = makeOutcome(DOCUMENT, ({ seed, environment, policy }) => {
        const sign = (((seed * 2654435761) ^ (trial * 40503) ^ (environment.length * 7919 + policy.length * 104729)) >>> 7) & 1;
        return sign === 1 ? 1.1 : 0.9;
      });
      if (compareOutcomes(before, after).cells.some(({ changed }) => changed)) marked++;
    }
    expect(marked).toBeLessThanOrEqual(8);
  });

  it("nor if some cells, at random, are the same seed by seed", () => {
    // Whether a cell is tested says nothing of the signs of its differences: at 5 %, more than 5 of 20 has probability 3e-4.
    let marked = 0;
    for (let trial = 0; trial < 20; trial++) {
      const after = makeOutcome(DOCUMENT, ({ seed, environment, policy }) => {
        if (stream(trial, "same", environment, policy).uniform() < 0.7) return 1;
        return stream(trial, "sign", environment, policy, seed).uniform() < 0.5 ? 1.1 : 0.9;
      });
      if (compareOutcomes(before, after).cells.some(({ changed }) => changed)) marked++;
    }
    expect(marked).toBeLessThanOrEqual(5);
  });

  it("counts as tests only the cells in which something differs", () => {
    const six = { ...DOCUMENT, seeds: 6 };
    const onlyOne = ({ environment, policy }: Run) => (environment === "steady" && policy === "htinf" ? 5 : 1);
    const { cells, fewSeeds } = compareOutcomes(makeOutcome(six), makeOutcome(six, onlyOne));
    expect(cells.filter(({ changed }) => changed).map(({ id }) => id)).toEqual(["steady/htinf"]);
    expect(cells.filter(({ p }) => p === 1)).toHaveLength(5);
    expect(fewSeeds).not.toContain("after the correction");
  });

  it("says so if there are too few seeds for anything to be found after the correction", () => {
    const marks = (seeds: number) => {
      const document = { ...DOCUMENT, seeds };
      const compared = compareOutcomes(
        makeOutcome(document),
        makeOutcome(document, () => 5),
      );
      return { marked: compared.cells.filter(({ changed }) => changed).length, fewSeeds: compared.fewSeeds };
    };
    const sentence =
      "With 6 seeds no p is below 0.031, nor below 0.19 after the correction for 6 cells that differ, so no change can be beyond noise: use at least 9 seeds.";
    expect(marks(6)).toEqual({ marked: 0, fewSeeds: expect.stringMatching(/^6 seeds are few: /) });
    expect(marks(6).fewSeeds).toContain(sentence);
    expect(marks(9)).toEqual({ marked: 6, fewSeeds: expect.not.stringContaining("after the correction") });
    // Two samples: 2 of the 924 ways to deal 12 seeds into halves are enough for six cells.
    const others = { ...DOCUMENT, seeds: [11, 12, 13, 14, 15, 16] };
    const unpaired = compareOutcomes(
      makeOutcome({ ...DOCUMENT, seeds: 6 }),
      makeOutcome(others, () => 5),
    );
    expect(unpaired.fewSeeds).not.toContain("after the correction");
    expect(unpaired.cells.some(({ changed }) => changed)).toBe(true);
  });

  it("marks nothing on five seeds, however large the change", () => {
    const five = { ...DOCUMENT, seeds: 5 };
    const { cells } = compareOutcomes(
      makeOutcome(five),
      makeOutcome(five, () => 100),
    );
    expect(cells.every(({ changed, difference }) => !changed && difference.low > 0)).toBe(true);
  });

  it("does not pair other seeds or other environments", () => {
    const others = compareOutcomes(
      before,
      makeOutcome({ ...DOCUMENT, seeds: 21 }, () => 4),
    );
    expect(others.cells.every(({ paired, changed, seeds }) => !paired && changed && seeds[1] === 21)).toBe(true);
    const turned = { ...DOCUMENT, environments: { ...DOCUMENT.environments, turning: { ...DOCUMENT.environments.turning, period: 99 } } };
    const { cells } = compareOutcomes(
      before,
      makeOutcome(turned, () => 1.03),
    );
    expect(cells.map(({ environment, paired, changed }) => [environment, paired, changed])).toEqual([
      ...Array(3).fill(["steady", true, true]),
      ...Array(3).fill(["turning", false, false]),
    ]);
    for (const { paired, difference } of cells) if (!paired) expect(difference.low < 0 && difference.high > 0).toBe(true);
  });

  it("lists what only one has, and what cannot be compared", () => {
    const { uniform: _, ...rest } = DOCUMENT.policies;
    const after = makeOutcome({ ...DOCUMENT, policies: { ...rest, other: { policy: "opttinf" } } });
    const results = new Map(after.results);
    for (const run of after.runs) {
      if (run.id.startsWith("steady/htinf/")) results.set(run.id, failed(run));
      if (run.id.startsWith("turning/htinf/")) results.set(run.id, completed(run, makeTrace(1, 1, ROUNDS.slice(0, 9))));
    }
    const comparison = compareOutcomes(before, { ...after, results });
    expect(comparison.onlyFirst).toEqual(["steady/uniform", "turning/uniform"]);
    expect(comparison.onlySecond).toEqual(["steady/other", "turning/other"]);
    expect(comparison.incomparable).toEqual([
      { id: "steady/htinf", reason: "no run of the second experiment completed" },
      { id: "turning/htinf", reason: "the horizons differ: 10000 and 100" },
    ]);
    expect(comparison.cells.map(({ id }) => id)).toEqual(["steady/adatinf", "turning/adatinf"]);
  });

  it("paints what became worse red, and what became better green", () => {
    const page = (factor: number) => {
      const compared = compareOutcomes(
        before,
        makeOutcome(DOCUMENT, () => factor),
      );
      const place = { place: "here", name: "n", version: "1", hash: "0" };
      return renderComparison(compared, [place, place]);
    };
    expect(page(4)).toMatch(/class="answer fails">6 of 6 cells changed beyond noise: 0 better, 6 worse\./);
    expect(page(4)).toContain('<span class="verdict fails">worse</span>');
    expect(page(0.25)).toMatch(/class="answer holds">6 of 6 cells changed beyond noise: 6 better, 0 worse\./);
    expect(page(1)).toContain('class="answer none">None of 6 cells changed beyond noise.');
  });

  it("warns of changes between unmatched results of unequal spreads, with few seeds", () => {
    const compared = (seeds: number, spread: number) =>
      compareOutcomes(
        makeOutcome({ ...DOCUMENT, seeds }, ({ seed }) => 1 + (seed % 5) / 50),
        makeOutcome({ ...DOCUMENT, seeds: Array.from({ length: seeds }, (_, i) => 100 + i) }, ({ seed }) => 4 + (spread * (seed % 5)) / 50),
      );
    expect(compared(20, 10).cells.every(({ changed, unequalSpreads }) => changed && unequalSpreads)).toBe(true);
    expect(compared(20, 10).fewSeeds).toMatch(/^6 changes are between results of different losses, one of which spreads more than twice as far: /);
    expect(compared(40, 10).fewSeeds).toBeNull();
  });

  it("warns of few seeds, and does not compare single ones", () => {
    const few = (seeds: number) => compareOutcomes(makeOutcome({ ...DOCUMENT, seeds }), makeOutcome({ ...DOCUMENT, seeds }));
    expect(few(20).fewSeeds).toBeNull();
    expect(few(5).fewSeeds).toContain("5 seeds are few");
    expect(few(1)).toMatchObject({ cells: [], fewSeeds: null });
    expect(few(1).incomparable[0]!.reason).toBe("one seed is too few");
  });
});
