import { stream } from "tsallis";
import { mean } from "tsallis/statistics";
import { describe, expect, it } from "vitest";
import { analyse } from "../src/analysis/analysis.js";
import { acrossCsv } from "../src/export/acrossCsv.js";
import { interquartileMean, interquartileMeans } from "../src/statistics/interquartileMean.js";
import { createResampler } from "../src/statistics/resamples.js";
import { DOCUMENT, makeOutcome } from "./outcomes.js";

const { steady } = DOCUMENT.environments;
const documentOf = (count: number) => ({
  ...DOCUMENT,
  environments: Object.fromEntries(Array.from({ length: count }, (_, i) => [`world ${i}`, steady])),
});
const factors: Readonly<Record<string, number>> = { htinf: 2, adatinf: 1, uniform: 3 };
/** The same regrets in every environment. */
const same = (count: number) => {
  const { frozen, results } = makeOutcome(documentOf(count), ({ policy, seed }) => factors[policy]! * (1 + (seed % 7)));
  const first = "world 0/";
  const copied = new Map([...results].map(([id]) => [id, { ...results.get(id.replace(/^world \d+\//, first))!, id }]));
  return analyse(frozen, copied as typeof results);
};

describe("across environments", () => {
  it("reference: scipy's trim_mean with a quarter cut off on either side", () => {
    for (const [values, expected] of [
      [[1, 2, 3, 4, 5, 6, 7, 8], 4.5],
      [[5, 1, 9], 5],
      [[0, 0, 0, 10, 1000], 10 / 3],
      [[3], 3],
    ] as const)
      expect(interquartileMean([Float64Array.from(values)])).toBeCloseTo(expected, 12);
  });

  it("draws the middle half of all columns again as if each resample were sorted by itself", () => {
    const rng = stream(1, "interquartile");
    for (const size of [1, 2, 3, 7, 40]) {
      // Ties are frequent.
      const columns = [1, 2, 3].map(() => Float64Array.from({ length: size }, () => Math.floor(10 * rng.uniform())));
      const resamples = createResampler(1)(size, 30);
      const draws = [...resamples.indices()].flatMap((piece) =>
        Array.from({ length: piece.length / size }, (_, d) => piece.slice(d * size, (d + 1) * size)),
      );
      const expected = draws.map((draw) => interquartileMean(columns.map((values) => Float64Array.from(draw, (at) => values[at]!))));
      for (const [d, found] of interquartileMeans(columns, resamples).entries()) expect(found).toBeCloseTo(expected[d]!, 12);
    }
  });

  it("has the means of the rows, in their order, inside of their intervals", () => {
    const { across, groups } = same(3);
    expect(across).toMatchObject({ environments: 3, seeds: 20 });
    expect(across!.entries.map(({ policy }) => policy)).toEqual(["adatinf", "htinf", "uniform"]);
    for (const { policy, share, stuck, interquartileMean: middle } of across!.entries) {
      const rows = groups.map(({ members }) => members.find(({ label }) => label === policy)!.row);
      expect(share.estimate).toBeCloseTo(mean(rows.map((row) => row.share!)), 12);
      expect(stuck!.estimate).toBeCloseTo(mean(rows.map((row) => row.stuck!)), 12);
      for (const { estimate, low, high } of [share, stuck!, middle]) expect(low <= estimate && estimate <= high).toBe(true);
      expect(share.low).toBeLessThan(share.high);
    }
    expect(across!.entries[0]!.improvement).toBeNull();
    expect(across!.entries[1]!.improvement).toEqual({ estimate: 0, low: 0, high: 0 });
  });

  it("does not take environments with the same random numbers for more evidence: nine copies have the interval of three", () => {
    const [few, many] = [same(3).across!, same(9).across!];
    for (const [i, { share, interquartileMean: middle, medianRatio }] of few.entries.entries()) {
      const other = many.entries[i]!;
      for (const [a, b] of [
        [share, other.share],
        [middle, other.interquartileMean],
        [medianRatio!, other.medianRatio!],
      ] as const) {
        if (a == null) continue;
        expect(b.low).toBeCloseTo(a.low, 10);
        expect(b.high).toBeCloseTo(a.high, 10);
      }
    }
  });

  it("is one CSV with every number and its interval; nothing with fewer than three environments", () => {
    const lines = acrossCsv(same(3).across!).trim().split("\r\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain("interquartileMean,interquartileMeanLow,interquartileMeanHigh");
    for (const line of lines) expect(line.split(",")).toHaveLength(3 + 3 * 8);
    expect(same(2).across).toBeNull();
  });
});
