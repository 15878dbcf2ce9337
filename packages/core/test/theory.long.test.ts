import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POLICIES } from "../src/index.js";
import { completeOptions } from "../src/parameters.js";
import type { BoundProblem } from "../src/theory/bound.js";
import { BOUND_ASSUMPTIONS } from "../src/theory/boundAssumptions.js";
import { BOUNDS, bound } from "../src/theory/bounds.js";

const VERSIONS = ["printed", "corrected"] as const;

interface Fixture {
  cases: { problem: BoundProblem; values: Record<string, [number | null, number | null]> }[];
}
const fixture: Fixture = JSON.parse(readFileSync(new URL("./fixtures/theory.json", import.meta.url), "utf8"));

/** One best arm and K - 1 others with the same gap. */
const equalGaps = (arms: number, gap: number): number[] => [0, ...Array.from({ length: arms - 1 }, () => gap)];

/** A value that must exist. */
function value(id: string, version: (typeof VERSIONS)[number], problem: BoundProblem): number {
  const found = bound(id)[version](problem);
  if (found === null) throw new Error(`${id} has no ${version} value`);
  return found;
}

const between = (min: number, max: number) => fc.double({ min: Math.log(min), max: Math.log(max), noNaN: true }).map(Math.exp);
const problems = fc
  .record({
    horizon: between(1, 1e15).map(Math.floor),
    alpha: fc.double({ min: 1.02, max: 2, noNaN: true }),
    sigma: between(1e-3, 1e3),
    gaps: fc.array(fc.oneof(fc.constant(0), between(1e-3, 1e2)), { minLength: 0, maxLength: 6 }).map((gaps) => [...gaps, 0]),
  })
  .map((problem): Required<BoundProblem> => ({ ...problem, arms: problem.gaps.length }));

describe("reference: values against 50-digit arithmetic (fixtures/theory.py)", () => {
  it("covers every bound, and every value agrees to 1e-12", () => {
    expect(fixture.cases.length).toBe(270);
    for (const { problem, values } of fixture.cases) {
      expect(Object.keys(values)).toEqual(BOUNDS.map(({ id }) => id));
      for (const [id, expected] of Object.entries(values)) {
        VERSIONS.forEach((version, index) => {
          const [got, want] = [bound(id)[version](problem), expected[index]!];
          if (want === null || want === 0 || want === Infinity) expect(got, `${id} ${version} ${JSON.stringify(problem)}`).toBe(want);
          else expect(Math.abs(got! / want - 1), `${id} ${version} ${JSON.stringify(problem)}: ${got} for ${want}`).toBeLessThan(1e-12);
        });
      }
    }
  });

  it("agrees with numbers worked by hand", () => {
    const square = { arms: 4, horizon: 99, alpha: 2, sigma: 3 };
    // 30 * 3 * sqrt(4) * sqrt(100)
    expect(value("htinf/adversarial", "corrected", square)).toBeCloseTo(1800, 9);
    // 26 * 9 * 2 * 10 + 4 * 20
    expect(value("opttinf/adversarial", "corrected", square)).toBeCloseTo(4760, 9);
    // 204 * 60 + 12 * 3 * sqrt(99) + 3 * 20, and 4/3 of it
    expect(value("adatinf/adversarial", "printed", square)).toBeCloseTo(12300 + 36 * Math.sqrt(99), 8);
    expect(value("adatinf/adversarial", "corrected", square)).toBeCloseTo(16400 + 48 * Math.sqrt(99), 8);
    // M = 2 super-epochs at T = 4: (272 * 2 + 16) * 3 * (sqrt 2 + 2) + 4 * 2 * (sqrt 2 + 2)
    expect(value("ada2tinf/adversarial", "corrected", { ...square, horizon: 4 })).toBeCloseTo(1688 * (Math.SQRT2 + 2), 8);
    // alpha = 2, T = 1, one gap of 1/2, sigma = 1: 30 * 1/2 * 30/(2 * 1/2) * (1 + 0)
    const two = { arms: 2, horizon: 1, alpha: 2, sigma: 1, gaps: [0, 0.5] };
    expect(value("htinf/stochastically-constrained", "corrected", two)).toBeCloseTo(450, 9);
    // alpha = 2: 8/5 * { 1/2 * 4 * (25 + 64) * 2 + 8 * 2 }
    expect(value("opttinf/stochastically-constrained", "corrected", two)).toBeCloseTo(595.2, 9);
    // 68/(1/2) + 4 sqrt 2
    expect(value("tsallis-inf/stochastically-constrained", "corrected", two)).toBeCloseTo(136 + 4 * Math.SQRT2, 9);
  });
});

describe("reference: the corrections, from their reasons", () => {
  it("harmonic numbers exceed ln(T+1) and stay within 1 + ln T", () => {
    let harmonic = 0;
    for (let round = 1; round <= 10_000; round++) {
      harmonic += 1 / round;
      expect(harmonic).toBeGreaterThan(Math.log(round + 1));
      expect(harmonic).toBeLessThanOrEqual(1 + Math.log(round));
    }
  });

  it("HTINF's instance coefficient is the maximum of 30 sigma x^(1/alpha) - Delta x", () => {
    for (const [alpha, sigma, gap] of [
      [2, 1, 0.5],
      [1.5, 3, 0.1],
      [1.2, 0.2, 0.7],
    ] as const) {
      const coefficient = value("htinf/stochastically-constrained", "corrected", { arms: 2, horizon: 1, alpha, sigma, gaps: [0, gap] });
      const objective = (x: number) => 30 * sigma * x ** (1 / alpha) - gap * x;
      const peak = ((30 * sigma) / (alpha * gap)) ** (alpha / (alpha - 1));
      expect(objective(peak) / coefficient).toBeCloseTo(1, 10);
      for (const factor of [0.1, 0.5, 0.9, 1.1, 2, 10]) expect(objective(peak * factor)).toBeLessThan(coefficient);
    }
  });

  it("HTINF's printed instance bound is (2/alpha)^(alpha/(alpha-1)) times too large, 718 at alpha = 1.1, but for its logarithm", () => {
    for (const [alpha, factor] of [
      [1.1, 718],
      [1.5, 64 / 27],
      [2, 1],
    ] as const) {
      const problem = { arms: 2, horizon: 1000, alpha, sigma: 1, gaps: [0, 0.3] };
      const ratio = value("htinf/stochastically-constrained", "printed", problem) / value("htinf/stochastically-constrained", "corrected", problem);
      expect(Math.abs((ratio * (1 + Math.log(1000))) / Math.log(1001) / factor - 1)).toBeLessThan(1e-3);
    }
  });

  it("property: OptTINF's three parts less their shares of the regret stay within the corrected bound, round by round", () => {
    const x = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 1.05, max: 2, noNaN: true }), between(1e-2, 1e2), between(1e-3, 1e1), x, (alpha, sigma, gap, x) => {
        const perRound = value("opttinf/stochastically-constrained", "corrected", { arms: 2, horizon: 1, alpha, sigma, gaps: [0, gap] });
        const parts = 13 * sigma ** alpha * x ** ((3 - alpha) / 2) + 2 * Math.sqrt(x);
        expect(parts - ((7 - 2 * alpha) / 8) * gap * x).toBeLessThanOrEqual(((1 + 2 * alpha) / 8) * perRound * (1 + 1e-9));
      }),
    );
  });

  it("OptTINF's print is looser for sigma >= 1, and too small for a tiny sigma", () => {
    const loose = { arms: 2, horizon: 1000, alpha: 1.3, sigma: 1, gaps: [0, 0.1] };
    expect(value("opttinf/stochastically-constrained", "corrected", loose)).toBeLessThan(
      value("opttinf/stochastically-constrained", "printed", loose),
    );
    const tiny = { ...loose, sigma: 1e-4 };
    expect(value("opttinf/stochastically-constrained", "corrected", tiny)).toBeGreaterThan(
      value("opttinf/stochastically-constrained", "printed", tiny),
    );
  });

  it("AdaTINF's regulariser costs more than the printed proof allows for K > 4 and at most twice that, so its constants grow by 4/3", () => {
    for (const arms of [1, 2, 4, 5, 10, 1000]) {
      const cost = 2 * Math.sqrt(arms) - 2;
      expect(cost > Math.sqrt(arms)).toBe(arms > 4);
      expect(cost).toBeLessThan(2 * Math.sqrt(arms));
      const problem = { arms, horizon: 12345, alpha: 1.4, sigma: 2 };
      expect(value("adatinf/adversarial", "corrected", problem) / value("adatinf/adversarial", "printed", problem)).toBeCloseTo(4 / 3, 12);
    }
  });

  it("Ada2TINF's corrected bound covers the sum of AdaTINF's over the super-epochs and stays below its closed form", () => {
    for (const alpha of [1.05, 1.5, 2]) {
      for (const sigma of [1e-6, 1, 100]) {
        for (const horizon of [1, 2, 4, 5, 11, 12, 26, 27, 1000, 1e7, 2 ** 50]) {
          const problem = { arms: 7, horizon, alpha, sigma };
          let sum = 0;
          for (let played = 0, m = 1; played < horizon; played += 2 ** m - 1, m++) {
            sum += value("adatinf/adversarial", "corrected", { ...problem, horizon: 2 ** m - 1 });
          }
          const corrected = value("ada2tinf/adversarial", "corrected", problem);
          const end = (4 * (horizon + 1)) / 3;
          const closed =
            ((272 * 7 ** (1 - 1 / alpha) + 16) * sigma * end ** (1 / alpha)) / (1 - 2 ** (-1 / alpha)) +
            (4 * Math.sqrt(7 * end)) / (1 - Math.SQRT1_2);
          expect(corrected).toBeGreaterThanOrEqual(sum * (1 - 1e-12));
          expect(corrected).toBeLessThan(closed);
        }
      }
    }
  });

  it("Ada2TINF's printed theorem is false: losses 0 and 1e-6 over 1e7 rounds cost more than it allows", () => {
    // The estimates are unbiased (nothing is skipped: thresholds are far above 1e-6), so E[eta L] = 1e-6 (t-1)/sqrt(t) in round t of a super-epoch. The worse arm's
    // probability x solves d = x^(-1/2) - (1-x)^(-1/2), which is convex and decreasing on (0, 1/2], so x is convex in d: E x >= 1/2 - E d / (2 sqrt 2), and
    // sum sqrt(t) <= 2/3 (n+1)^(3/2). Hence a lower bound on the regret that needs no simulation.
    const gap = 1e-6;
    const horizon = 1e7;
    let regret = 0;
    for (let left = horizon, length = 1; left > 0; left -= length, length = 2 * length + 1) {
      const rounds = Math.min(length, left);
      regret += gap * (rounds / 2 - (gap * (2 / 3) * (rounds + 1) ** 1.5) / (2 * Math.SQRT2));
    }
    expect(regret).toBeCloseTo(4.996, 2);
    const problem = { arms: 2, horizon, alpha: 2, sigma: gap };
    expect(value("ada2tinf/adversarial", "printed", problem)).toBeCloseTo(2.683, 3);
    expect(regret).toBeGreaterThan(value("ada2tinf/adversarial", "printed", problem));
    expect(regret).toBeLessThan(value("ada2tinf/adversarial", "corrected", problem));
  });

  it("the regret of the median-of-means index exceeds its printed bounds", () => {
    // Best arm: loss `outlier` with probability p, else slightly below 0; mean 0, variance 1. Other arm: always 1, so sigma = 1. With one sample the
    // median of means is that sample, and if it is the outlier the index outlier - sqrt(12) sqrt(16 (1/8 + 2 ln t)) stays at 1 or above for all t <= T,
    // while the other arm's is below 1: the best arm is never played again.
    const lost = (horizon: number) => {
      const outlier = Math.sqrt(12 * 16 * (1 / 8 + 2 * Math.log(horizon))) + 1;
      const p = 1 / (1 + outlier ** 2);
      expect(p * outlier ** 2 + (1 - p) * ((p / (1 - p)) * outlier) ** 2).toBeCloseTo(1, 12);
      return p * (horizon - 2);
    };
    const problem = { arms: 2, horizon: 1e9, alpha: 2, sigma: 1, gaps: [0, 1] };
    expect(lost(1e9)).toBeGreaterThan(10 * value("robust-ucb/median-of-means/instance-dependent", "printed", problem));
    const long = { ...problem, horizon: 2 ** 52 };
    expect(lost(2 ** 52)).toBeGreaterThan(10 * value("robust-ucb/median-of-means/instance-independent", "printed", long));
    // The policy of this library brings every arm to 2 + 32 ln t samples first, and its bounds are others.
    expect(value("robust-ucb/median-of-means/instance-dependent", "corrected", problem)).toBeGreaterThan(
      value("robust-ucb/median-of-means/instance-dependent", "printed", problem),
    );
    expect(value("robust-ucb/median-of-means/instance-independent", "corrected", long)).toBeGreaterThan(
      value("robust-ucb/median-of-means/instance-independent", "printed", long),
    );
  });

  it("the centred moment of a two-point distribution is within 2^(2-alpha) of the raw one, and comes near it", () => {
    let nearest = 0;
    for (const alpha of [1.02, 1.2, 1.5, 1.8, 2]) {
      for (let p = 0.002; p < 1; p += 0.002) {
        for (const low of [-1, -0.5, -0.1, 0, 0.1]) {
          const mean = p + (1 - p) * low;
          const raw = p + (1 - p) * Math.abs(low) ** alpha;
          const ratio = (p * Math.abs(1 - mean) ** alpha + (1 - p) * Math.abs(low - mean) ** alpha) / raw;
          expect(ratio).toBeLessThanOrEqual(2 ** (2 - alpha) * (1 + 1e-12));
          nearest = Math.max(nearest, ratio / 2 ** (2 - alpha));
        }
      }
    }
    expect(nearest).toBeGreaterThan(0.95);
  });

  it("RobustUCB's corrected bounds exceed the printed ones", () => {
    for (const alpha of [1.1, 1.5, 2]) {
      const problem = { arms: 3, horizon: 1e5, alpha, sigma: 2, gaps: [0, 0.1, 1] };
      for (const id of ["robust-ucb/truncated-mean/instance-dependent", "robust-ucb/truncated-mean/instance-independent"]) {
        expect(value(id, "corrected", problem)).toBeGreaterThan(value(id, "printed", problem));
      }
    }
    const problem = { arms: 3, horizon: 1e5, alpha: 2, sigma: 2, gaps: [0, 0.1, 1] };
    expect(value("robust-ucb/catoni/instance-dependent", "corrected", problem)).toBeGreaterThan(
      value("robust-ucb/catoni/instance-dependent", "printed", problem),
    );
  });

  it("RobustUCB's corrected worst case is no less than the best choice of equal gaps in the corrected instance bound", () => {
    for (const alpha of [1.1, 1.5, 2]) {
      for (const horizon of [100, 1e6, 1e12]) {
        const problem = { arms: 5, horizon, alpha, sigma: 1 };
        const worst = value("robust-ucb/truncated-mean/instance-independent", "corrected", problem);
        for (let gap = 2; gap > 1e-8; gap /= 1.1) {
          const regret = Math.min(
            value("robust-ucb/truncated-mean/instance-dependent", "corrected", { ...problem, gaps: equalGaps(5, gap) }),
            gap * horizon,
          );
          expect(worst).toBeGreaterThanOrEqual(regret);
        }
      }
    }
  });

  it("the lower bounds follow from the constructions in their header", () => {
    for (const alpha of [1.01, 1.2, 1.5, 2]) {
      for (const arms of [2, 3, 10, 1000]) {
        for (const horizon of [arms, 2 * arms, 100 * arms, 1e9]) {
          const q = arms / (2 * horizon);
          const regret = q ** (1 - 1 / alpha) * (horizon - horizon / arms) * (1 - q) ** (horizon / arms);
          expect(regret).toBeGreaterThan(17 * value("lower/instance-independent", "corrected", { arms, horizon, alpha, sigma: 1 }));
        }
        for (const gap of [0.001, 0.1, 0.2, 0.25]) {
          const q = gap ** (alpha / (alpha - 1));
          if (q < Number.MIN_VALUE) continue;
          const slope = ((arms - 1) * gap) / -Math.log1p(-q);
          const atThousand = value("lower/instance-dependent", "corrected", { arms, horizon: 1000, alpha, sigma: 1, gaps: equalGaps(arms, gap) });
          expect(slope).toBeGreaterThan((0.96 / 0.4) * (atThousand / Math.log(1000)));
        }
      }
    }
  });
});

describe("reference: bounds that say nothing", () => {
  it("HTINF's worst case beats the trivial 2 sigma T only from T = K 15^(alpha/(alpha-1)) on", () => {
    for (const [alpha, crossover] of [
      [2, 2.3e3],
      [1.5, 3.4e4],
      [1.1, 8.6e13],
    ] as const) {
      const exact = 10 * 15 ** (alpha / (alpha - 1));
      expect(Math.abs(exact / crossover - 1)).toBeLessThan(0.03);
      const vacuous = (horizon: number) => value("htinf/adversarial", "corrected", { arms: 10, horizon, alpha, sigma: 7 }) > 2 * 7 * horizon;
      expect(vacuous(Math.floor(0.99 * exact))).toBe(true);
      expect(vacuous(Math.ceil(1.01 * exact))).toBe(false);
    }
  });

  it("HTINF's instance coefficient is 1e20 at alpha = 1.1, sigma = 1, gap 0.3", () => {
    const coefficient = value("htinf/stochastically-constrained", "corrected", { arms: 2, horizon: 1, alpha: 1.1, sigma: 1, gaps: [0, 0.3] });
    expect(coefficient).toBeGreaterThan(1e20);
    expect(coefficient).toBeLessThan(1.1e20);
  });

  it("close to alpha = 1 instance bounds overflow to Infinity, also at T = 1", () => {
    const problem = { arms: 2, horizon: 1000, alpha: 1.001, sigma: 1, gaps: [0, 0.1] };
    expect(bound("htinf/stochastically-constrained").corrected(problem)).toBe(Infinity);
    expect(bound("robust-ucb/truncated-mean/instance-dependent").corrected(problem)).toBe(Infinity);
    expect(bound("robust-ucb/truncated-mean/instance-dependent").corrected({ ...problem, horizon: 1 })).toBe(0.1);
    expect(bound("lower/instance-dependent").corrected({ ...problem, horizon: 1 })).toBe(0);
  });

  it("property: no value is NaN, however small or large sigma and the gaps", () => {
    const extreme = fc.constantFrom(Number.MIN_VALUE, 1e-308, 1e-160, 1e-5, 1, 1e5, 1e160, 1e308);
    fc.assert(
      fc.property(extreme, extreme, fc.constantFrom(1.001, 1.5, 2), fc.constantFrom(1, 1000), (sigma, gap, alpha, horizon) => {
        for (const { id, printed, corrected } of BOUNDS) {
          for (const gaps of [[0], [0, gap]]) {
            for (const found of [printed, corrected].map((formula) => formula({ arms: gaps.length, horizon, alpha, sigma, gaps }))) {
              if (found !== null) expect(found, `${id} ${JSON.stringify({ sigma, gaps, alpha })}`).toBeGreaterThanOrEqual(0);
            }
          }
        }
      }),
      { seed: 9, numRuns: 1000 },
    );
  });

  it("a second best arm makes bounds that need a unique one infinite, and leaves RobustUCB's finite", () => {
    const problem = { arms: 3, horizon: 1000, alpha: 1.5, sigma: 1, gaps: [0, 0, 0.5] };
    for (const { id, assumptions, needsGaps, corrected, printed } of BOUNDS) {
      if (!needsGaps) continue;
      for (const found of [corrected(problem), printed(problem)]) {
        if (found !== null) expect(Number.isFinite(found), id).toBe(!assumptions.includes("unique-best-arm"));
      }
    }
  });

  it("one arm has no instance-dependent regret but Tsallis-INF's constants", () => {
    const problem = { arms: 1, horizon: 1000, alpha: 1.5, sigma: 1, gaps: [0] };
    const constants: Record<string, number> = {
      "tsallis-inf/stochastically-constrained": 4,
      "tsallis-inf/rv/stochastically-constrained": 28 * Math.log(1000) + 33.5,
    };
    for (const { id, needsGaps, corrected } of BOUNDS) {
      if (!needsGaps) continue;
      if (corrected(problem) !== null) expect(corrected(problem), id).toBeCloseTo(constants[id] ?? 0, 9);
    }
  });
});

describe("property: growth and dimension", () => {
  // Multiplying losses by k multiplies sigma, the gaps and the regret by k. These bounds do not follow: OptTINF and the AdaTINF family compare losses
  // with 1 (the multiplier never falls below 1), Tsallis-INF's losses are in [0, 1]. Ada2TINF's printed bound follows only because it forgets sqrt(K T).
  const notCovariant = new Set([
    "opttinf/adversarial printed",
    "opttinf/adversarial corrected",
    "opttinf/stochastically-constrained printed",
    "opttinf/stochastically-constrained corrected",
    "adatinf/adversarial printed",
    "adatinf/adversarial corrected",
    "ada2tinf/adversarial corrected",
    "tsallis-inf/adversarial printed",
    "tsallis-inf/adversarial corrected",
    "tsallis-inf/stochastically-constrained printed",
    "tsallis-inf/stochastically-constrained corrected",
    "tsallis-inf/rv/adversarial printed",
    "tsallis-inf/rv/adversarial corrected",
    "tsallis-inf/rv/stochastically-constrained printed",
    "tsallis-inf/rv/stochastically-constrained corrected",
  ]);
  const scaled = (problem: Required<BoundProblem>, k: number) => ({ ...problem, sigma: k * problem.sigma, gaps: problem.gaps.map((gap) => k * gap) });

  it("scale-covariant bounds are multiplied by k with sigma and the gaps", () => {
    fc.assert(
      fc.property(problems, between(1e-3, 1e3), (problem, k) => {
        for (const item of BOUNDS) {
          for (const version of VERSIONS) {
            if (notCovariant.has(`${item.id} ${version}`)) continue;
            const [before, after] = [item[version](problem), item[version](scaled(problem, k))];
            if (before === null || before === 0 || !(before < 1e290)) continue;
            expect(Math.abs(after! / (k * before) - 1), `${item.id} ${version}`).toBeLessThan(1e-9);
          }
        }
      }),
    );
  });

  it("the others are not", () => {
    const problem = { arms: 3, horizon: 1000, alpha: 1.7, sigma: 1, gaps: [0, 0.5, 0.5] };
    for (const key of notCovariant) {
      const [id, version] = key.split(" ") as [string, "printed" | "corrected"];
      const ratio = value(id, version, scaled(problem, 1 / 64)) / (value(id, version, problem) / 64);
      expect(Math.abs(ratio - 1), key).toBeGreaterThan(0.05);
    }
  });

  it("values are never NaN, never negative, and do not fall when T or sigma grows", () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 1, max: 1e6 }), between(1, 100), (problem, rounds, factor) => {
        for (const item of BOUNDS) {
          for (const version of VERSIONS) {
            const here = item[version](problem);
            if (here === null) continue;
            expect(here, item.id).toBeGreaterThanOrEqual(0);
            const slack = here * (1 - 1e-12);
            expect(item[version]({ ...problem, horizon: problem.horizon + rounds }), item.id).toBeGreaterThanOrEqual(slack);
            expect(item[version]({ ...problem, sigma: problem.sigma * factor }), item.id).toBeGreaterThanOrEqual(slack);
          }
        }
      }),
    );
  });

  it("no upper bound for heavy tails is below the worst-case lower bound when T >= K >= 2", () => {
    fc.assert(
      fc.property(problems, fc.integer({ min: 2, max: 1000 }), ({ horizon, alpha, sigma }, arms) => {
        const problem = { arms, horizon: Math.max(horizon, arms), alpha, sigma };
        const lower = value("lower/instance-independent", "corrected", problem);
        for (const item of BOUNDS) {
          if (item.kind === "lower" || item.needsGaps || !item.assumptions.includes("heavy-tailed")) continue;
          const upper = item.corrected(problem);
          if (upper !== null) expect(upper, item.id).toBeGreaterThan(lower);
        }
      }),
    );
  });

  it("exponents are those of the formulas, measured between two far values of T, K and sigma", () => {
    // Leading terms: many arms, a large sigma and long horizons. T from 2^20 to 2^52 (Ada2TINF's steps align at powers of two). Tsallis-INF's 68 next to 4 ln T decides the tolerance;
    // a logarithm too few or too many would differ by ln(52/20)/ln(2^32) = 0.043.
    const measure = (item: (typeof BOUNDS)[number], low: BoundProblem, high: BoundProblem) => {
      const version = item.formula.corrected === null ? "printed" : "corrected";
      return Math.log(item[version](high)! / item[version](low)!);
    };
    // 14 K ln T next to 2 sqrt(K T) is small only from there on.
    const shortest = (id: string) => (id === "tsallis-inf/rv/adversarial" ? 44 : 20);
    const measured = new Set<string>();
    for (const item of BOUNDS) {
      for (const alpha of [1.3, 1.6, 2]) {
        const base = { arms: 1000, horizon: 2 ** 52, alpha, sigma: 1e4, gaps: equalGaps(1000, 0.5) };
        if (item.printed(base) === null && item.corrected(base) === null) continue;
        measured.add(item.id);
        const { horizon, logarithm, arms, sigma } = item.exponents;
        const short = shortest(item.id);
        const inHorizon = measure(item, { ...base, horizon: 2 ** short }, base) - logarithm(alpha) * Math.log(52 / short);
        expect(Math.abs(inHorizon / Math.log(2 ** (52 - short)) - horizon(alpha)), `${item.id} T`).toBeLessThan(0.02);
        const inArms = measure(item, base, { ...base, arms: 10_000, gaps: equalGaps(10_000, 0.5) });
        expect(Math.abs(inArms / Math.log(10) - arms(alpha)), `${item.id} K`).toBeLessThan(0.01);
        const inSigma = measure(item, base, { ...base, sigma: 1e6 });
        expect(Math.abs(inSigma / Math.log(100) - (sigma === null ? 0 : sigma(alpha))), `${item.id} sigma`).toBeLessThan(0.01);
      }
    }
    expect(BOUNDS.map(({ id }) => id).filter((id) => !measured.has(id))).toEqual([
      "ape2/instance-dependent",
      "ape2/instance-independent",
      "mr-ucb/instance-independent",
      "mr-ape/instance-independent",
      "forcemom/instance-dependent",
      "forcemom/instance-independent",
      "uniinf/adversarial",
      "uniinf/stochastic",
      "omd-lb-ht/adversarial",
      "delayed-tsallis-inf/adversarial",
    ]);
  });
});

describe("the table", () => {
  it("has unique ids that begin with the policy, and complete facts", () => {
    expect(new Set(BOUNDS.map(({ id }) => id)).size).toBe(BOUNDS.length);
    for (const item of BOUNDS) {
      expect(item.id.split("/")[0]).toBe(item.policy ?? "lower");
      expect(item.kind).toBe(item.policy === null ? "lower" : "upper");
      expect(item.source.length).toBeGreaterThan(20);
      expect(item.assumptions.length).toBeGreaterThan(0);
      for (const assumption of item.assumptions) expect(BOUND_ASSUMPTIONS).toHaveProperty(assumption);
      if (item.formula.printed !== item.formula.corrected) expect(item.correction, item.id).toBeTruthy();
      expect(item.needsGaps).toBe(/Delta/.test(item.formula.printed));
      expect(bound(item.id)).toBe(item);
    }
    const used = new Set(BOUNDS.flatMap(({ assumptions }) => assumptions));
    expect([...used].sort()).toEqual(Object.keys(BOUND_ASSUMPTIONS).sort());
  });

  it("is the table of docs/reference/theory.md, formula by formula and assumption by assumption", () => {
    const page = readFileSync(new URL("../../../docs/reference/theory.md", import.meta.url), "utf8");
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    for (const { id, formula, assumptions } of BOUNDS) {
      const row = rows.find((line) => line.startsWith(`| \`${id}\``));
      expect(row, id).toBeDefined();
      expect(row).toContain(`\`${formula.printed}\``);
      expect(row).toContain(
        formula.corrected === null ? "| none |" : formula.corrected === formula.printed ? "| same |" : `\`${formula.corrected}\``,
      );
      expect(row).toContain(`| ${assumptions.join(", ")} |`);
    }
    for (const [name, meaning] of Object.entries(BOUND_ASSUMPTIONS)) expect(rows).toContain(`| \`${name}\` | ${meaning.replaceAll("|", "\\|")} |`);
    expect(rows.length).toBe(BOUNDS.length + Object.keys(BOUND_ASSUMPTIONS).length);
  });
});

describe("guards", () => {
  const good = { arms: 2, horizon: 10, alpha: 1.5, sigma: 1, gaps: [0, 1] };
  const htinf = bound("htinf/stochastically-constrained");

  it("refuses what is outside its range, NaN included", () => {
    for (const [key, broken] of [
      ["arms", 0],
      ["arms", 2.5],
      ["horizon", 0],
      ["horizon", NaN],
      ["horizon", 1e300],
      ["alpha", 1],
      ["alpha", 2.01],
      ["alpha", NaN],
      ["sigma", 0],
      ["sigma", Infinity],
      ["sigma", "1"],
      ["gaps", [0, -1]],
      ["gaps", [0, NaN]],
      ["gaps", [0, Infinity]],
      ["gaps", [0.1, 1]],
      ["gaps", [0]],
      ["gaps", []],
      ["gaps", null],
    ] as const) {
      for (const version of VERSIONS) {
        const attempt = () => htinf[version]({ ...good, [key]: broken } as BoundProblem);
        expect(attempt, `${key} ${String(broken)}`).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: key }));
      }
    }
    expect(() => htinf.printed({ ...good, typo: 1 } as BoundProblem)).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_KEY" }));
    expect(() => htinf.printed(null as unknown as BoundProblem)).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "problem" }));
  });

  it("asks for gaps where they are needed, and checks them wherever they are given", () => {
    const { gaps: _, ...without } = good;
    for (const item of BOUNDS) {
      if (item.needsGaps) expect(() => item.corrected(without), item.id).toThrow(expect.objectContaining({ code: "ERR_MISSING", parameter: "gaps" }));
      else expect(item.corrected(without), item.id).toBe(item.corrected(good));
      expect(() => item.corrected({ ...good, gaps: [1, 2] }), item.id).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "gaps" }));
    }
  });

  it("a bound on one variant of a policy names options that its spec knows", () => {
    for (const { id, policy, options = {} } of BOUNDS) {
      for (const [name, value] of Object.entries(options)) {
        const { parameters } = POLICIES[policy!]!;
        expect(Object.keys(parameters), id).toContain(name);
        expect(() => completeOptions({ [name]: parameters[name]! }, { [name]: value }), id).not.toThrow();
      }
    }
    expect(bound("robust-ucb/truncated-mean/instance-dependent").options).toEqual({ estimator: "truncated" });
    expect(bound("robust-ucb/catoni/instance-independent").options).toEqual({ estimator: "catoni" });
  });

  it("names the known bounds when asked for an unknown one", () => {
    expect(() => bound("htinf")).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_NAME", value: "htinf" }));
    expect(() => bound("htinf")).toThrow("htinf/adversarial, htinf/stochastically-constrained");
  });
});
