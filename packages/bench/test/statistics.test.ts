import { stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { benchStatistics } from "../src/statistics/benchStatistics.js";
import { exponentCoverage, meanCoverage } from "../src/statistics/coverage.js";
import { pairedAlarms, unpairedAlarms } from "../src/statistics/falseAlarms.js";
import { GROWING_CURVES, ROUNDS } from "../src/statistics/growingCurves.js";
import { CELLS, measureStatistics, SEEDS } from "../src/statistics/measureStatistics.js";
import { ASKED, SAMPLE_DISTRIBUTIONS } from "../src/statistics/sampleDistributions.js";
import { statisticsTables } from "../src/statistics/statisticsTables.js";

const signal = new AbortController().signal;

describe("bench statistics", () => {
  it("knows the means of its distributions: 40,000 draws within 5 standard errors, a false alarm in 1e6 per distribution", () => {
    for (const { name, mean, draw } of SAMPLE_DISTRIBUTIONS) {
      const rng = stream(1, "laws", name);
      const values = Float64Array.from({ length: 40_000 }, () => draw(rng));
      const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length;
      expect(Math.abs(centre - mean), name).toBeLessThan(5 * Math.sqrt(variance / values.length));
    }
    for (const name of Object.keys(ASKED)) expect(SAMPLE_DISTRIBUTIONS.map((distribution) => distribution.name)).toContain(name);
  });

  it("knows the mean curves: 20,000 seeds within 5 standard errors at the first and the last checkpoint", () => {
    for (const { name, mean, draw } of GROWING_CURVES) {
      const rng = stream(1, "curves", name);
      const curves = Array.from({ length: 20_000 }, () => draw(rng));
      for (const place of [0, ROUNDS.length - 1]) {
        const centre = curves.reduce((sum, curve) => sum + curve[place]!, 0) / curves.length;
        const variance = curves.reduce((sum, curve) => sum + (curve[place]! - centre) ** 2, 0) / curves.length;
        expect(Math.abs(centre - mean(ROUNDS[place]!)), name).toBeLessThan(5 * Math.sqrt(variance / curves.length));
      }
    }
  });

  it("gives the same shares again, with their standard errors", () => {
    const disasters = SAMPLE_DISTRIBUTIONS.at(-1)!;
    const coverage = meanCoverage(disasters, 5, 40);
    expect(coverage).toEqual(meanCoverage(disasters, 5, 40));
    // 62 % of such samples have no disaster; 40 of them within 5 standard errors.
    expect(coverage.share).toBeLessThan(0.78);
    expect(coverage.standardError).toBeCloseTo(Math.sqrt((coverage.share * (1 - coverage.share)) / 40), 12);
    expect(exponentCoverage(GROWING_CURVES[0]!, 5, 4).trials).toBe(4);
    // The p value of five signs is never below 1 in 16.
    expect(pairedAlarms(SAMPLE_DISTRIBUTIONS[0]!, 5, 20).share).toBe(0);
    expect(pairedAlarms(SAMPLE_DISTRIBUTIONS[0]!, 20, 20, 5).share).toBe(1);
    expect(unpairedAlarms(SAMPLE_DISTRIBUTIONS[0]!, [10, 30], 3, 10).seeds).toEqual([10, 30]);
  });

  it("prints every cell in tables and in JSON", async () => {
    let steps = 0;
    const result = await measureStatistics(2, signal, () => steps++);
    expect(steps).toBe(CELLS);
    const tables = statisticsTables(result);
    for (const { headers, rows } of tables) for (const row of rows) expect(row).toHaveLength(headers.length);
    expect(tables[0]!.rows).toHaveLength(SAMPLE_DISTRIBUTIONS.length);
    expect(result.coverage).toHaveLength((SAMPLE_DISTRIBUTIONS.length + GROWING_CURVES.length) * SEEDS.length);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it("refuses an invalid number of trials, and stops when its signal aborts", async () => {
    for (const trials of [0, 1.5, Number.NaN])
      await expect(benchStatistics({ trials, json: false }, signal)).rejects.toThrow("trials must be an integer");
    await expect(benchStatistics({ trials: 5, json: false }, AbortSignal.abort())).rejects.toThrow();
  });
});
