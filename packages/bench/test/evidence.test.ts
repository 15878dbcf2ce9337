import { stream } from "tsallis";
import { MeanEvidence } from "tsallis/evidence";
import { describe, expect, it } from "vitest";
import { coverageResult, QUESTIONS, raceResult, tailOf } from "../src/evidence/evidenceResult.js";
import { evidenceTables } from "../src/evidence/evidenceTables.js";
import { playLog } from "../src/evidence/playLog.js";
import { fewestDecisions, playRace } from "../src/evidence/playRace.js";
import { WealthAtTruth } from "../src/evidence/wealthAtTruth.js";
import { cappedMean, MAKERS, MEANS, WORLDS, worldOf } from "../src/evidence/worlds.js";

describe("bench evidence", () => {
  it.each(WORLDS.map((world) => [world.name, world] as const))(
    "%s: knows its capped means: 40,000 draws within 5 standard errors, a false alarm in 1e6 each",
    (name, world) => {
      const distribution = world.arm(MEANS[1]!);
      const rng = stream(1, "capped", name);
      const values = Float64Array.from({ length: 40_000 }, () => Math.min(world.cap, Math.max(world.floor, distribution.sample(rng))));
      const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / values.length;
      expect(Math.abs(centre - cappedMean(distribution, world))).toBeLessThan(5 * Math.sqrt(variance / values.length));
    },
  );

  it("plays a log of every policy, the same again, and counts its answers", () => {
    const coverage = MAKERS.map(({ name }) => {
      const runs = [1, 2].map((seed) => playLog({ world: "Pareto 1.6", maker: name, seed, rounds: 300 }));
      expect(playLog({ world: "Pareto 1.6", maker: name, seed: 1, rounds: 300 })).toEqual(runs[0]);
      expect(runs[0]).not.toEqual(runs[1]);
      return coverageResult("Pareto 1.6", name, runs);
    });
    expect(coverage.map(({ inversePropensity }) => inversePropensity === null)).toEqual([false, false, false, true]);
    for (const { answers, overOracle } of coverage) {
      for (const question of QUESTIONS) {
        expect(answers[question].width).toBeGreaterThan(0);
        expect(answers[question].right).toBe(1);
      }
      expect(Math.min(...overOracle)).toBeGreaterThan(0);
    }
    const runs = [1, 2, 3].map((seed) => playRace({ world: "Pareto 1.6", arms: 2, gap: 1, seed, rounds: 3000 }));
    for (const { evidence } of runs) expect(evidence).toMatchObject({ wrong: false });
    const race = raceResult("Pareto 1.6", 2, 1, runs, 100);
    expect(race.evidence).toMatchObject({ stopped: 1, wrong: 0 });
    const text = evidenceTables({ coverage, races: [race] });
    expect(text).toContain("No cell of 20 is above 5 % by more than chance.");
    expect(text).toContain("thompson");
  });

  it.each(WORLDS.map((world) => [world.name, world] as const))("%s: its wealth at the true mean is that of tsallis/evidence", (name, world) => {
    const { cap, floor } = world;
    const distribution = world.arm(1.3);
    const mean = cappedMean(distribution, world);
    const [wealth, evidence, rng] = [new WealthAtTruth(cap, floor), new MeanEvidence({ cap, floor }), stream(1, "wealth", name)];
    for (let n = 0; n < 400; n++) {
      const loss = distribution.sample(rng);
      wealth.add(loss, mean);
      evidence.add(loss);
      expect(wealth.below).toBeCloseTo(evidence.evidenceBelow(mean), 9);
      expect(wealth.above).toBeCloseTo(evidence.evidenceAbove(mean), 9);
    }
  });

  it("marks what is wrong more often than chance explains", () => {
    const run = playLog({ world: "Bernoulli", maker: "htinf", seed: 1, rounds: 50 });
    const wrong = { ...run, uniform: { ...run.uniform, everWrong: true } };
    const cell = coverageResult("Bernoulli", "htinf", [wrong, wrong, wrong]);
    expect(QUESTIONS.filter((question) => cell.answers[question].tooOften)).toEqual(["uniform"]);
    expect(evidenceTables({ coverage: [cell], races: [] })).toContain("Above 5 % by more than chance:\nBernoulli, htinf: uniform\n");
    expect(tailOf(3, 3, 0.05)).toBeCloseTo(0.05 ** 3, 12);
    expect(tailOf(0, 10, 0.05)).toBe(1);
    expect(tailOf(1, 10, 0.05)).toBeCloseTo(1 - 0.95 ** 10, 12);
  });

  it("knows the fewest decisions of a race between two Bernoulli arms", () => {
    // There the distances are the divergences of the two distributions, and the best m is found on a grid.
    const divergence = (p: number, q: number) => p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));
    let least = Infinity;
    for (let m = 0.2; m <= 0.26; m += 1e-5) least = Math.min(least, divergence(0.2, m) + divergence(0.26, m));
    const expected = Math.log(1 / 0.12) / (0.5 * least);
    // The draws decide the two shares: 20,000 of each arm are within 20 % of the gap's square.
    expect(fewestDecisions(worldOf("Bernoulli"), 0.3) / expected).toBeGreaterThan(0.8);
    expect(fewestDecisions(worldOf("Bernoulli"), 0.3) / expected).toBeLessThan(1.25);
  });
});
