import { describe, expect, test } from "vitest";
import {
  AdaRUCB,
  APE2,
  createPolicy,
  DSEE,
  ForceMoM,
  MRAPE,
  MRUCB,
  POLICIES,
  type Policy,
  type Rng,
  RobustUCB,
  restorePolicy,
  stream,
} from "../src/index.js";
import { completeOptions } from "../src/parameters.js";
import { PERTURBATIONS } from "../src/policies/ape2.js";
import { play } from "./policies.js";

const ARMS = 4;
/** Kahan and Babuska's sum, as good as twice the digits: outliers of 1e15 may cancel. */
const sum = (values: readonly number[]) => {
  let [total, lost] = [0, 0];
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
};
const mean = (values: readonly number[]) => sum(values) / values.length;
const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Heavy-tailed losses of both signs, worse with the arm; now and then one of size 1e15. */
function hostile(seed: number): (round: number, arm: number) => number {
  const rng = stream(seed, "robust");
  return (_round, arm) => {
    const x = (rng.uniform() < 0.4 ? -1 : 1) * rng.open() ** (-1 / 1.4) + 0.4 * arm;
    return rng.uniform() < 0.004 ? Math.sign(x) * 1e15 : x;
  };
}

/** The median of means by its definition. */
function medianOfMeans(samples: readonly number[], blocks: number): number {
  const length = Math.floor(samples.length / blocks);
  const means = Array.from({ length: blocks }, (_, i) => mean(samples.slice(i * length, (i + 1) * length))).sort((a, b) => a - b);
  return blocks % 2 === 1 ? means[(blocks - 1) / 2]! : (means[blocks / 2 - 1]! + means[blocks / 2]!) / 2;
}

/** The zero of a decreasing function, by bisection. */
function zero(f: (x: number) => number, low: number, high: number): number {
  for (let i = 0; i < 250; i++) {
    const x = low / 2 + high / 2;
    if (f(x) > 0) low = x;
    else high = x;
  }
  return low / 2 + high / 2;
}

/** The samples that an estimator on the grid uses. */
function onGrid(samples: readonly number[]): readonly number[] {
  let point = 1;
  for (let next = 1; next <= samples.length; next = Math.max(next + 1, Math.floor(1.05 * next))) point = next;
  return samples.slice(0, point);
}

const published = { variant: "published" } as const;

function pRobust(samples: readonly number[], p: number, c: number): { estimate: number; n: number } {
  const n = samples.length;
  const r = (2 - p) / (p - 1);
  const b = (2 * r ** (1 - 2 / p) + r ** (2 - 2 / p)) ** (-p / 2);
  const psi = (x: number) => Math.sign(x) * Math.log(1 + Math.abs(x) + b * Math.abs(x) ** p);
  return { estimate: (c / n ** (1 - 1 / p)) * sum(samples.map((x) => psi(x / (c * n ** (1 / p))))), n };
}

interface Naive {
  /** The index of an arm from all its losses so far; null: it needs more samples. Round is the one to be played. */
  index(samples: readonly number[], round: number, draw: () => number): number | null;
  /** What it draws for each arm. */
  draws?: (rng: Rng) => number;
}

/** Plays a policy beside its naive definition: same arms, indices to 1e-12. */
function compare(policy: Policy, naive: Naive, rounds: number, seed: number): void {
  const indices = new Float64Array(ARMS);
  const [rng, twin, loss] = [stream(seed), stream(seed), hostile(seed)];
  const told: number[][] = Array.from({ length: ARMS }, () => []);
  const plays = new Array<number>(ARMS).fill(0);
  const leastPlayed = (arms: readonly number[]) => arms.reduce((least, arm) => (plays[arm]! < plays[least]! ? arm : least));
  let compared = 0;
  for (let round = 1; round <= rounds; round++) {
    twin.uniform(); // the policy draws one uniform for itself
    const draws = () => (naive.draws === undefined ? 0 : naive.draws(twin));
    const arms = told.map((_, arm) => arm);
    const unknown = arms.filter((arm) => told[arm]!.length === 0);
    let want: number;
    if (unknown.length > 0) {
      want = leastPlayed(unknown);
    } else {
      // Nothing is drawn if an arm needs samples.
      const lacking = arms.filter((arm) => naive.index(told[arm]!, round, () => 0) === null);
      if (lacking.length > 0) {
        want = leastPlayed(lacking);
      } else {
        const wanted = told.map((samples) => naive.index(samples, round, draws)!);
        want = wanted.indexOf(Math.min(...wanted));
        if (naive.draws === undefined && round % 7 === 0) {
          (policy as unknown as { indices(round: number, into: Float64Array): void }).indices(round, indices);
          wanted.forEach((index, arm) => {
            compared++;
            expect(Math.abs(indices[arm]! - index), `round ${round}: ${indices[arm]} for ${index}`).toBeLessThanOrEqual(
              1e-12 * Math.max(1, Math.abs(index)),
            );
          });
        }
      }
    }
    const choice = policy.choose(rng);
    expect(choice.arm, `round ${round}`).toBe(want);
    const value = loss(round, choice.arm);
    policy.update(choice, value);
    told[choice.arm]!.push(value);
    plays[choice.arm]!++;
  }
  if (naive.draws === undefined) expect(compared).toBeGreaterThan(100);
}

const log2Up = (round: number) => Math.ceil(Math.log2(Math.max(2, round)));

describe("reference: each policy is its naive definition, outliers of 1e15 included", () => {
  test.each([1.3, 2])("RobustUCB, truncated mean, alpha = %s", (alpha) => {
    const sigma = 1.5;
    const index = (samples: readonly number[], round: number) => {
      const level = 2 * Math.log(Math.max(2, round));
      const kept = samples.map((x, j) => (Math.abs(x) <= ((sigma ** alpha * (j + 1)) / level) ** (1 / alpha) ? x : 0));
      return mean(kept) - 4 * sigma * (level / samples.length) ** ((alpha - 1) / alpha);
    };
    compare(new RobustUCB({ arms: ARMS, alpha, sigma }), { index }, 1500, 1);
  });

  test.each([1.3, 2])("RobustUCB, median of means, alpha = %s", (alpha) => {
    const sigma = 0.2;
    const index = (samples: readonly number[], round: number) => {
      const logarithm = 1 / 8 + 2 * Math.log(Math.max(2, round)); // ln(e^(1/8) / delta)
      const n = samples.length;
      const blocks = Math.max(1, Math.floor(Math.min(8 * logarithm, n / 2)));
      return medianOfMeans(samples, blocks) - (12 * sigma ** alpha) ** (1 / alpha) * ((16 * logarithm) / n) ** ((alpha - 1) / alpha);
    };
    const enough = (samples: readonly number[], round: number) =>
      samples.length < 16 * (1 / 8 + 2 * Math.log(Math.max(2, round))) ? null : index(samples, round);
    const options = { arms: ARMS, estimator: "median-of-means", alpha, sigma } as const;
    compare(new RobustUCB(options), { index: enough }, 1800, 2);
    compare(new RobustUCB({ ...options, ...published }), { index }, 1800, 2);
  });

  test("RobustUCB, Catoni", () => {
    const sigma = 1.5;
    const at = (samples: readonly number[], level: number) => {
      const n = samples.length;
      if (n < 4 * level) return null;
      const a = Math.sqrt((2 * level) / (n * (sigma ** 2 + (2 * sigma ** 2 * level) / (n - 2 * level))));
      const psi = (x: number) => Math.sign(x) * Math.log(1 + Math.abs(x) + x ** 2 / 2);
      const f = (m: number) => sum(samples.map((x) => psi(a * (x - m))));
      // A bracket around the bulk: bisection from 1e15 costs too much for each round.
      const [low, high] = [-1e3, 1e3];
      expect(f(low) >= 0 && f(high) <= 0).toBe(true);
      return cached(samples, level, () => zero(f, low, high)) - 2 * sigma * Math.sqrt(level / n);
    };
    const cache = new Map<string, number>();
    const cached = (samples: readonly number[], level: number, compute: () => number) => {
      const key = `${samples[0]} ${samples.length} ${level}`;
      if (!cache.has(key)) cache.set(key, compute());
      return cache.get(key)!;
    };
    const options = { arms: ARMS, estimator: "catoni", alpha: 2, sigma } as const;
    compare(new RobustUCB(options), { index: (samples, round) => at(onGrid(samples), 2 * Math.LN2 * log2Up(round)) }, 420, 3);
    cache.clear();
    compare(new RobustUCB({ ...options, ...published }), { index: (samples, round) => at(samples, 2 * Math.log(round)) }, 420, 3);
  });

  test.each(["weibull", "gamma", "gev", "pareto", "frechet"] as const)("APE2, %s", (perturbation) => {
    const [alpha, c] = [1.4, 0.8];
    const shape = alpha ** 2 / (alpha - 1);
    const laws: Record<string, (u: number) => number> = {
      weibull: (u) => -Math.log(u),
      gamma: (u) => -Math.log(u),
      gev: (u) => -Math.log(-Math.log(u)),
      pareto: (u) => u ** (-1 / shape),
      frechet: (u) => (-Math.log(u)) ** (-1 / shape),
    };
    const index = (samples: readonly number[], _round: number, draw: () => number) => {
      const { estimate, n } = pRobust(samples, alpha, c);
      return estimate - (c / n ** (1 - 1 / alpha)) * draw();
    };
    const draws = (rng: Rng) => laws[perturbation]!(rng.open());
    compare(new APE2({ arms: ARMS, alpha, perturbation, c }), { index: (samples, ...rest) => index(onGrid(samples), ...rest), draws }, 400, 4);
    compare(new APE2({ arms: ARMS, alpha, perturbation, c, ...published }), { index, draws }, 400, 4);
  });

  const bonus = (horizon: number, n: number, alpha: number) => Math.log(Math.max(1, horizon / (ARMS * n))) / n ** (1 - 1 / alpha);

  test("MR-UCB, its bonus gone at the end", () => {
    const [alpha, c, c0, horizon] = [1.4, 0.7, 0.3, 1200];
    const index = (samples: readonly number[]) => {
      const { estimate, n } = pRobust(samples, alpha, c0);
      return estimate - c * bonus(horizon, n, alpha);
    };
    compare(new MRUCB({ arms: ARMS, alpha, horizon, c, c0 }), { index: (samples) => index(onGrid(samples)) }, horizon, 5);
    compare(new MRUCB({ arms: ARMS, alpha, horizon, c, c0, ...published }), { index }, horizon, 5);
  });

  test("MR-APE", () => {
    const [alpha, c, horizon] = [1.4, 0.7, 500];
    const index = (samples: readonly number[], _round: number, draw: () => number) => {
      const { estimate, n } = pRobust(samples, alpha, c);
      return estimate - 2 * c * draw() * bonus(horizon, n, alpha);
    };
    const draws = (rng: Rng) => rng.uniform();
    compare(new MRAPE({ arms: ARMS, alpha, horizon, c }), { index: (samples, ...rest) => index(onGrid(samples), ...rest), draws }, horizon, 6);
    compare(new MRAPE({ arms: ARMS, alpha, horizon, c, ...published }), { index, draws }, horizon, 6);
  });

  test("AdaR-UCB", () => {
    const c = (1 + Math.SQRT2) ** 2;
    const policy = new AdaRUCB({ arms: ARMS });
    const [rng, loss] = [stream(7), hostile(7)];
    const [X, twins]: [number[][], number[][]] = [Array.from({ length: ARMS }, () => []), Array.from({ length: ARMS }, () => [])];
    const plays = new Array<number>(ARMS).fill(0);
    const saturated = (samples: readonly number[], M: number) => samples.reduce((sum, x) => sum + Math.min(x ** 2 / M ** 2, 1), 0);
    let indexed = 0;
    let last = -1;
    for (let round = 1; round <= 3000; round++) {
      const level = 3 * Math.log(Math.ceil(round / 2));
      let want = last;
      if (round % 2 === 1) {
        const indices = X.map((samples, arm) => {
          const n = samples.length;
          if (n === 0 || twins[arm]!.filter((x) => x !== 0).length <= c * level) return -Infinity;
          const M = Math.exp(zero((logarithm) => saturated(twins[arm]!, Math.exp(logarithm)) - c * level, -20, 50));
          expect(Math.abs(saturated(twins[arm]!, M) - c * level)).toBeLessThan(1e-9);
          const y = samples.map((x) => (Math.abs(x) <= M ? x : 0));
          const m = mean(y);
          const V = sum(y.map((value) => (value - m) ** 2)) / (n - 1);
          return m - Math.sqrt((2 * V * level) / n) - (10 * M * level) / n;
        });
        const best = Math.min(...indices);
        const tied = indices.flatMap((index, arm) => (index === best ? [arm] : []));
        want = tied.reduce((least, arm) => (plays[arm]! < plays[least]! ? arm : least));
        if (best > -Infinity) {
          const got = new Float64Array(ARMS);
          (policy as unknown as { indices(round: number, into: Float64Array): void }).indices(round, got);
          for (const [arm, index] of indices.entries()) {
            expect(Math.abs(got[arm]! - index)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(index)));
          }
          indexed++;
        }
      }
      const choice = policy.choose(rng);
      expect(choice.arm, `round ${round}`).toBe(want);
      last = choice.arm;
      // Some zeros, which do not count for the root.
      const value = round % 13 === 0 ? 0 : loss(round, last);
      policy.update(choice, value);
      (round % 2 === 1 ? X : twins)[last]!.push(value);
      plays[last]!++;
    }
    expect(indexed).toBeGreaterThan(500);
  });

  test.each([
    [2 / 3, "forcemom"],
    [0.5, "forcemom"],
    [3, "dsee"],
    [0.4, "dsee"],
  ] as const)("ForceMoM and DSEE, %s (%s): exploration by the clock, and only its samples count", (value, name) => {
    const [alpha, sigma] = [1.5, 1];
    const policy = name === "forcemom" ? new ForceMoM({ arms: ARMS, rho: value }) : new DSEE({ arms: ARMS, alpha, sigma, w: value });
    const target = (round: number) =>
      name === "forcemom"
        ? Math.max(ARMS * Math.ceil(16 * Math.log(2 * ARMS + Math.E)), Math.ceil(ARMS ** (1 - value) * round ** value))
        : Math.max(ARMS, Math.ceil(ARMS * value * Math.log(round)));
    const index = (samples: readonly number[], round: number) => {
      const n = samples.length;
      if (name === "forcemom") {
        let q = Math.min(n, 2 * Math.ceil(Math.log(2 * ARMS) + Math.log(Math.log(Math.E ** Math.E + n))) + 1);
        if (q % 2 === 0) q--;
        return medianOfMeans(samples, q);
      }
      const level = 2 * Math.log(Math.max(2, round));
      return mean(samples.map((x, j) => (Math.abs(x) <= ((sigma ** alpha * (j + 1)) / level) ** (1 / alpha) ? x : 0)));
    };
    const [rng, loss] = [stream(8), hostile(8)];
    const told: number[][] = Array.from({ length: ARMS }, () => []);
    let explored = 0;
    for (let round = 1; round <= 2500; round++) {
      const explores = explored < target(round);
      const indices = explores ? [] : told.map((samples) => index(samples, round));
      const want = explores ? explored % ARMS : indices.indexOf(Math.min(...indices));
      const choice = policy.choose(rng);
      expect(choice.arm, `round ${round}`).toBe(want);
      const value = loss(round, choice.arm);
      policy.update(choice, value);
      if (!explores) continue;
      told[choice.arm]!.push(value);
      explored++;
    }
    expect(explored).toBeLessThan(900);
    expect((policy.snapshot().state as { losses: number[][] }).losses).toEqual(told);
  });
});

describe("published properties", () => {
  /** Plays of the best arm, 0, whose first loss is an outlier. */
  const plays = (spec: object, rounds: number) => {
    const policy = createPolicy(spec, 2);
    const noise = stream(1, "noise");
    let outlier = true;
    const arms = play(policy, rounds, (_round, arm) => {
      if (arm === 0 && outlier) {
        outlier = false;
        return 1e6;
      }
      return noise.uniform() - 0.5 + arm;
    });
    return arms.filter((arm) => arm === 0).length;
  };

  test("one outlier ruins follow the leader and not the robust policies", () => {
    expect(plays({ policy: "follow-the-leader" }, 20_000)).toBe(1);
    for (const spec of [
      { policy: "robust-ucb", estimator: "truncated", alpha: 2, sigma: 0.5 },
      { policy: "robust-ucb", estimator: "median-of-means", alpha: 2, sigma: 0.1 },
      { policy: "robust-ucb", estimator: "catoni", alpha: 2, sigma: 0.5 },
      { policy: "mr-ucb", alpha: 2, horizon: 20_000 },
      { policy: "adar-ucb" },
      { policy: "forcemom" },
      { policy: "dsee", alpha: 2, sigma: 1 },
    ]) {
      expect(plays(spec, 20_000), JSON.stringify(spec)).toBeGreaterThan(15_000);
    }
  });

  test("the p-robust estimate of one sample grows like its logarithm, which an outlier can take out of the reach of APE2's and MR-APE's perturbations", () => {
    // ln(1 + 1e6 + 1e12 / 2) = 27: the exponential perturbation exceeds that with probability 2e-12 per round, and 2 U ln(T/K) is at most 18.4.
    expect(plays({ policy: "ape2", alpha: 2 }, 20_000)).toBe(1);
    expect(plays({ policy: "mr-ape", alpha: 2, horizon: 20_000 }, 20_000)).toBe(1);
  });

  test("the median of means is brought to 2 + 32 ln t samples of each arm, Catoni's estimator to 8 ln t, before any index counts", () => {
    const smallest = (spec: object, rounds: number) => {
      const policy = createPolicy(spec, 2);
      play(policy, rounds, (_round, arm) => arm * 1000);
      return Math.min(...(policy.snapshot().state as { samples: number[] }).samples);
    };
    for (const rounds of [1000, 30_000]) {
      const median = smallest({ policy: "robust-ucb", estimator: "median-of-means", alpha: 2, sigma: 1 }, rounds);
      expect(median).toBe(Math.ceil(2 + 32 * Math.log(rounds)));
      const catoni = smallest({ policy: "robust-ucb", estimator: "catoni", alpha: 2, sigma: 1 }, rounds);
      expect(catoni / (8 * Math.LN2 * log2Up(rounds))).toBeGreaterThanOrEqual(1);
      expect(catoni / (8 * Math.LN2 * log2Up(rounds))).toBeLessThan(1.07);
    }
  });

  test("losses times k with sigma or c times k leave the arms the same; AdaR-UCB and ForceMoM need not be told", () => {
    const k = 2 ** 20;
    for (const [spec, scaled] of [
      [{ policy: "robust-ucb", alpha: 1.5, sigma: 1 }, { sigma: k }],
      [{ policy: "robust-ucb", estimator: "median-of-means", alpha: 1.5, sigma: 0.1 }, { sigma: 0.1 * k }],
      [{ policy: "robust-ucb", estimator: "catoni", alpha: 2, sigma: 1 }, { sigma: k }],
      [{ policy: "ape2", alpha: 1.5, c: 1 }, { c: k }],
      [
        { policy: "mr-ucb", alpha: 1.5, horizon: 2000, c: 1, c0: 1 },
        { c: k, c0: k },
      ],
      [{ policy: "mr-ape", alpha: 1.5, horizon: 2000, c: 1 }, { c: k }],
      [{ policy: "adar-ucb" }, {}],
      [{ policy: "forcemom" }, {}],
      [{ policy: "dsee", alpha: 1.5, sigma: 1 }, { sigma: k }],
    ] as const) {
      const [one, other] = [hostile(9), hostile(9)];
      const arms = play(createPolicy(spec, 3), 2000, one);
      expect(
        play(createPolicy({ ...spec, ...scaled }, 3), 2000, (round, arm) => k * other(round, arm)),
        spec.policy,
      ).toEqual(arms);
      expect(new Set(arms).size).toBe(3);
    }
  });
});

describe("AdaR-UCB", () => {
  test("plays every arm twice in a row, also a forced one, and sorts late losses by their rounds", () => {
    const policy = new AdaRUCB({ arms: 3 });
    const rng = stream(1);
    const first = policy.choose(rng);
    expect(policy.choose(rng).arm).toBe(first.arm);
    const forced = policy.force(2);
    const pair = policy.choose(rng);
    expect(pair.arm).toBe(2);
    policy.update(pair, 5);
    policy.update(forced, 7);
    expect(policy.snapshot().state).toMatchObject({ losses: [[], [], [7]], thresholdLosses: [[], [], [5]], last: 2 });
  });

  test("an arm whose losses are all zero is never given an index: its threshold has no root", () => {
    const arms = play(new AdaRUCB({ arms: 2 }), 2000, (round, arm) => (arm === 0 ? 0 : round % 3));
    expect(arms.filter((arm) => arm === 0).length).toBeGreaterThan(1000);
  });

  test("a loss whose square would leave the doubles is refused before anything moves, and a snapshot with one", () => {
    const policy = new AdaRUCB({ arms: 2 });
    const choice = policy.choose(stream(1));
    const before = JSON.stringify(policy.snapshot());
    for (const loss of [1.1e140, -1e300]) {
      expect(() => policy.update(choice, loss)).toThrow(expect.objectContaining({ code: "ERR_OVERFLOW", parameter: "loss", value: loss }));
    }
    expect(JSON.stringify(policy.snapshot())).toBe(before);
    policy.update(choice, 1e140);
    const good = clone(policy.snapshot());
    const spoil = (state: object) => () => restorePolicy({ ...good, state: { ...good.state, ...state } });
    expect(spoil({})).not.toThrow();
    expect(spoil({ losses: [[1e141], []] })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.losses[0]" }));
    expect(spoil({ thresholdLosses: [[0], [0]] })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.thresholdLosses[1]" }));
    for (const last of [-1, 2, 0.5, null])
      expect(spoil({ last })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.last" }));
  });
});

test("ForceMoM takes an odd number of blocks also where feedback is missing", () => {
  const policy = new ForceMoM({ arms: 2 });
  const told = new Array<number>(2).fill(0);
  const losses = [
    [0, 10, 1, 2],
    [1.4, 1.4, 1.4, 1.4],
  ];
  // Each arm gets four losses: the median of the first three is 1, half way between the middle two of all four would be 1.5.
  for (let round = 1; round <= 60; round++) {
    const choice = policy.choose(stream(round));
    const value = losses[choice.arm]![told[choice.arm]!++];
    if (value !== undefined) policy.update(choice, value);
  }
  expect((policy.snapshot().state as { losses: number[][] }).losses).toEqual(losses);
  const exploiting = Array.from({ length: 200 }, () => policy.choose(stream(1)).arm);
  expect(exploiting.filter((arm) => arm === 0).length).toBeGreaterThan(150);
});

describe("options", () => {
  test("the estimator is truncated by default, the perturbation weibull, and both are in the completed spec", () => {
    expect(createPolicy({ policy: "robust-ucb", alpha: 1.5, sigma: 1 }, 2).spec).toEqual({
      policy: "robust-ucb",
      estimator: "truncated",
      alpha: 1.5,
      sigma: 1,
    });
    expect(createPolicy({ policy: "ape2", alpha: 1.5 }, 2).spec).toEqual({ policy: "ape2", alpha: 1.5, perturbation: "weibull", c: 1 });
    expect(() => createPolicy({ policy: "robust-ucb", estimator: "mean", alpha: 1.5, sigma: 1 }, 2)).toThrow(
      expect.objectContaining({ code: "ERR_PARAMETER", parameter: "estimator" }),
    );
  });

  test("a name may have a default, may be optional, or must be given", () => {
    const name = { type: "name", names: ["a", "b"], description: "a name" } as const;
    expect(completeOptions({ x: { ...name, default: "b" } }, {})).toEqual({ x: "b" });
    expect(completeOptions({ x: { ...name, default: "b" } }, { x: "a" })).toEqual({ x: "a" });
    expect(completeOptions({ x: { ...name, optional: true } }, {})).toEqual({});
    expect(() => completeOptions({ x: name }, {})).toThrow(expect.objectContaining({ code: "ERR_MISSING", parameter: "x" }));
  });

  test("Catoni's estimator asks for alpha = 2", () => {
    for (const alpha of [1.5, 1.999]) {
      expect(() => createPolicy({ policy: "robust-ucb", estimator: "catoni", alpha, sigma: 1 }, 2)).toThrow(
        expect.objectContaining({ code: "ERR_PARAMETER", parameter: "alpha", value: alpha }),
      );
    }
  });

  test("sigma is the centred one for the median of means and Catoni, the raw one for the truncated mean", () => {
    const centred = POLICIES["robust-ucb"]!.centred!;
    expect([{}, { estimator: "truncated" }, { estimator: "median-of-means" }, { estimator: "catoni" }].map((options) => centred(options))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test("a snapshot with more losses than samples, or with something else, is refused", () => {
    const policy = new RobustUCB({ arms: 2, alpha: 2, sigma: 1 });
    play(policy, 20, () => 0.5);
    const good = clone(policy.snapshot());
    const { losses } = good.state as { losses: number[][] };
    for (const broken of [
      [losses[0]!.concat(1), losses[1]],
      [["1"], losses[1]],
      [[null], losses[1]],
      [[1e301], losses[1]],
      ["1", losses[1]],
    ]) {
      expect(() => restorePolicy({ ...good, state: { ...good.state, losses: broken } })).toThrow(
        expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.losses[0]" }),
      );
    }
    for (const broken of [null, losses.slice(1), "[]"]) {
      expect(() => restorePolicy({ ...good, state: { ...good.state, losses: broken } })).toThrow(
        expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.losses" }),
      );
    }
  });
});

describe("the perturbations", () => {
  test("reference: Pareto's and Frechet's shape is p^2/(p-1) at scale 1 while that exceeds ln K, else both are ln K", () => {
    const rng: Rng = { uniform: () => 0.3, open: () => 0.3 };
    for (const [alpha, arms, shape, scale] of [
      [2, 54, 4, 1],
      [2, 55, Math.log(55), Math.log(55)],
      [1.5, 2, 4.5, 1],
      [2, 1, 4, 1],
    ] as const) {
      expect(PERTURBATIONS.pareto(alpha, arms)(rng)).toBeCloseTo(scale * 0.3 ** (-1 / shape), 12);
      expect(PERTURBATIONS.frechet(alpha, arms)(rng)).toBeCloseTo(scale * (-Math.log(0.3)) ** (-1 / shape), 12);
    }
  });
});
