import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  DecisionOrder,
  differenceInterval,
  Evaluation,
  type EvaluationOptions,
  MeanEvidence,
  meanInterval,
  mixInterval,
  type Outcome,
} from "../src/evidence/index.js";
import { bernoulli, type Distribution, logNormal, pareto, stream, type TsallisError } from "../src/index.js";

interface Case {
  readonly name: string;
  readonly floor: number;
  readonly cap: number;
  readonly share: number;
  readonly events: readonly (number | null | "skip")[];
  /** A mean, the evidence below and above it. */
  readonly means: readonly [number, number, number][];
  readonly interval: readonly [number, number];
}

const CASES = JSON.parse(readFileSync(new URL("fixtures/evidence.json", import.meta.url), "utf8")) as Case[];

function played({ floor, cap, share, events }: Omit<Case, "means" | "interval" | "name">): MeanEvidence {
  const evidence = new MeanEvidence({ floor, cap, share });
  for (const event of events) {
    if (event === "skip") evidence.skip();
    else if (event === null) evidence.addMissing();
    else evidence.add(event);
  }
  return evidence;
}

function evidenceOf(losses: readonly number[], options = { cap: 20 }): MeanEvidence {
  return played({ floor: 0, share: 1, ...options, events: losses });
}

function draws(distribution: Distribution, count: number, ...labels: (string | number)[]): number[] {
  const rng = stream(1, "evidence", ...labels);
  return Array.from({ length: count }, () => distribution.sample(rng));
}

/** What is thrown. */
function thrown(call: () => unknown): Pick<TsallisError, "code" | "parameter" | "message"> {
  try {
    call();
  } catch (error) {
    const { code, parameter, message } = error as TsallisError;
    return { code, parameter, message };
  }
  throw new Error("nothing was thrown");
}

const pareto16 = pareto({ shape: 1.6, scale: 0.375 });

describe("reference: the definition at 40 digits, all losses kept", () => {
  it.each(CASES.map((each) => [each.name, each] as const))("%s", (_, each) => {
    const evidence = played(each);
    for (const [mean, below, above] of each.means) {
      expect(Math.abs(evidence.evidenceBelow(mean) - below)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(below)));
      expect(Math.abs(evidence.evidenceAbove(mean) - above)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(above)));
    }
    const { low, high } = evidence.interval();
    expect(Math.abs(low - each.interval[0])).toBeLessThanOrEqual(1e-12 * (each.cap - each.floor));
    expect(Math.abs(high - each.interval[1])).toBeLessThanOrEqual(1e-12 * (each.cap - each.floor));
  });

  it("has each kind of stream", () => {
    expect(CASES.length).toBe(10);
  });
});

describe("reference: products, by search over a grid", () => {
  const [a, b] = [evidenceOf(draws(pareto16, 300, "a")), evidenceOf(draws(logNormal({ location: 0, scale: 1 }), 200, "b"))] as const;
  const staked = (evidence: number) => Math.log(0.3 + 0.7 * Math.exp(evidence));
  /** The largest mean at which a stream's part of the evidence is at most `budget`. */
  const end = (part: (mean: number) => number, budget: number, [inside, outside]: readonly [number, number]) => {
    let [good, bad] = [inside, outside];
    if (part(bad) <= budget) return bad;
    for (let i = 0; i < 60; i++) {
      const middle = (good + bad) / 2;
      if (part(middle) <= budget) good = middle;
      else bad = middle;
    }
    return good;
  };

  it.each([
    ["difference", [1, -1], () => differenceInterval(a, b)],
    ["mix", [0.3, 0.7], () => mixInterval([a, b], [0.3, 0.7])],
  ] as const)("%s", (_, [first, second], interval) => {
    const upper = (w: number, v: number) => {
      const part = (s: MeanEvidence, weight: number) => (mean: number) => staked(weight > 0 ? s.evidenceBelow(mean) : s.evidenceAbove(mean));
      const range = (weight: number) => (weight > 0 ? ([0, 20] as const) : ([20, 0] as const));
      let largest = -Infinity;
      for (let i = 0; i <= 2_000; i++) {
        const budget = Math.log(0.3) + (i / 2_000) * (Math.log(40) - 2 * Math.log(0.3));
        largest = Math.max(largest, w * end(part(a, w), budget, range(w)) + v * end(part(b, v), Math.log(40) - budget, range(v)));
      }
      return largest;
    };
    const { low, high } = interval();
    expect(high).toBeCloseTo(upper(first, second), 5);
    expect(low).toBeCloseTo(-upper(-first, -second), 5);
  });

  it("the verdict is the least over all means, with joint bets summed loss by loss", () => {
    const evaluation = new Evaluation({ arms: 2, cap: 20 });
    const losses = [draws(pareto16, 400, "x"), draws(pareto({ shape: 1.6, scale: 0.8 }), 400, "y")] as const;
    for (let i = 0; i < 800; i++) evaluation.add({ arm: i % 2, loss: losses[i % 2]![i >> 1]! });
    /** Of one arm and rate: the sum of the logarithms, and that of the centres. */
    const bets = (given: readonly number[], rate: number, sign: 1 | -1) => {
      let [seen, logarithms, centres] = [0, 0, 0];
      for (const [n, loss] of given.entries()) {
        const mean = n === 0 ? 0 : seen / n;
        const centre = sign === 1 ? Math.max(mean, 20 - 0.95 / rate) : Math.min(mean, 0.95 / rate);
        const x = Math.min(20, loss);
        logarithms += Math.log(1 - sign * rate * (x - centre));
        centres += centre;
        seen += x;
      }
      return { logarithms, centres };
    };
    const ks = Array.from({ length: 24 }, (_, i) => i - 14);
    const parts = ks.map((k) => (k <= 0 ? (2 - k) ** -1.5 : 0.3 * (2 + k) ** -1.5));
    const whole = parts.reduce((sum, part) => sum + part);
    const both = ks.map((k, i) => {
      const rate = (0.9 * 2 ** k) / 20;
      return { rate, part: parts[i]! / whole, a: bets(losses[0], rate, 1), b: bets(losses[1], rate, -1) };
    });
    for (const tolerance of [0, 0.25]) {
      let least = Infinity;
      for (let m = 0; m <= 21; m += 0.001) {
        const below = 0.3 + 0.7 * Math.exp(evaluation.arm(0).evidenceBelow(m));
        const above = 0.2 + 0.8 * Math.exp(evaluation.arm(1).evidenceAbove(m - tolerance));
        const joint = both.reduce((sum, { rate, part, a, b }) => {
          const [one, other] = [rate * (400 * m - a.centres), rate * (400 * (m - tolerance) - b.centres)];
          return sum + part * Math.exp(a.logarithms + one + b.logarithms - other);
        }, 0);
        least = Math.min(least, Math.log(0.6 * below * above + 0.4 * joint));
      }
      const { evidence, best, leader } = evaluation.verdict({ tolerance });
      expect([best, leader]).toEqual([0, 0]);
      expect(evidence[1]).toBeLessThanOrEqual(least + 1e-9);
      expect(evidence[1]).toBeCloseTo(least, 3);
    }
  });
});

describe("MeanEvidence", () => {
  const loss = fc.double({ min: 0, max: 100, noNaN: true });
  const losses = fc.array(loss, { maxLength: 80 });
  const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

  it("is restored in the middle bit for bit, and looking changes nothing", () => {
    fc.assert(
      fc.property(losses, losses, fc.boolean(), (before, after, missing) => {
        const evidence = evidenceOf(before);
        if (missing) evidence.addMissing();
        const twin = MeanEvidence.restore(json(evidence.snapshot()));
        for (const x of after) {
          evidence.interval();
          for (const each of [evidence, twin]) each.add(x);
        }
        expect(twin.snapshot()).toEqual(evidence.snapshot());
        expect(twin.interval()).toEqual(evidence.interval());
      }),
    );
  });

  it("has intervals within the limits that contain the mean and are nested as the error grows", () => {
    fc.assert(
      fc.property(losses, (given) => {
        const evidence = evidenceOf(given);
        const [wide, narrow] = [evidence.interval(0.01), evidence.interval(0.2)];
        expect(wide.low).toBeLessThanOrEqual(narrow.low);
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high);
        expect(wide.low).toBeGreaterThanOrEqual(0);
        expect(wide.high).toBeLessThanOrEqual(20);
        if (given.length === 0) return;
        expect(narrow.low).toBeLessThanOrEqual(evidence.mean + 1e-12);
        expect(narrow.high).toBeGreaterThanOrEqual(evidence.mean - 1e-12);
      }),
    );
  });

  it("is mirrored exactly if the signs change", () => {
    const given = draws(pareto16, 500, "mirror");
    const { low, high } = evidenceOf(given).interval();
    const mirrored = new MeanEvidence({ cap: 0, floor: -20 });
    for (const x of given) mirrored.add(-x);
    expect(mirrored.interval()).toEqual({ low: -high, high: -low });
  });

  it("closes in on losses that are all equal", () => {
    for (const value of [0, 0.1, 20, 500]) {
      const { low, high } = evidenceOf(new Array<number>(10_000).fill(value)).interval();
      const capped = Math.min(20, value);
      expect(low).toBeLessThanOrEqual(capped + 1e-12);
      expect(high).toBeGreaterThanOrEqual(capped - 1e-12);
      expect(high - low).toBeLessThan(0.011);
    }
  });

  it("counts what lies beyond the limits, and missing losses as a range", () => {
    const evidence = played({ floor: -5, cap: 10, share: 1, events: [1, 30, -7, null, 3] });
    expect([evidence.count, evidence.missing, evidence.rounds]).toEqual([4, 1, 5]);
    expect([evidence.beyondCap, evidence.beyondFloor, evidence.excess]).toEqual([1, 1, 22]);
    expect(evidence.mean).toBeCloseTo((1 + 10 - 5 + 3) / 4, 12);
    const known = (value: number) => played({ floor: -5, cap: 10, share: 1, events: [1, 30, -7, value, 3] }).interval();
    expect(evidence.interval().low).toBe(known(-5).low);
    expect(evidence.interval().high).toBe(known(10).high);
  });

  it("stays finite over many losses at every rate", () => {
    for (const value of [0, 20]) {
      const evidence = evidenceOf(new Array<number>(100_000).fill(value));
      for (const mean of [0, 1, 19, 20]) expect(Number.isFinite(evidence.evidenceBelow(mean) + evidence.evidenceAbove(mean))).toBe(true);
    }
  });

  it("before the first loss knows nothing", () => {
    const evidence = new MeanEvidence({ cap: 7 });
    expect(evidence.interval()).toEqual({ low: 0, high: 7 });
    expect(evidence.mean).toBeNaN();
    expect(evidence.evidenceBelow(3)).toBeCloseTo(0, 14);
  });

  it.each([
    ["no cap", () => new MeanEvidence({} as { cap: number }), "ERR_MISSING", "cap", /^cap is missing: .*no interval for a mean is valid without one/],
    ["a cap of 0", () => new MeanEvidence({ cap: 0 }), "ERR_PARAMETER", "cap", "cap must be above the floor 0, got 0"],
    ["an unknown key", () => new MeanEvidence({ cap: 1, top: 2 } as { cap: number }), "ERR_UNKNOWN_KEY", "top", /^unknown key top/],
    [
      "a loss below the floor",
      () => evidenceOf([-3]),
      "ERR_LOSS",
      "loss",
      "loss -3 is below the floor 0; with floor: -20 losses count from -20 to the cap",
    ],
    [
      "a loss in a stream of rewards",
      () => played({ cap: 0, floor: -9, share: 1, events: [3] }),
      "ERR_LOSS",
      "loss",
      "loss 3 is above the cap 0; with cap: 9 losses count from -9 to 9",
    ],
    ["a loss that is text", () => evidenceOf(["5" as unknown as number]), "ERR_LOSS", "loss", 'loss must be a number of size at most 1e300, got "5"'],
    ["NaN", () => evidenceOf([NaN]), "ERR_LOSS", "loss", "loss must be a number of size at most 1e300, got NaN"],
    ["an error of 1", () => evidenceOf([1]).interval(1), "ERR_PARAMETER", "error", "error must be above 0 and below 1, got 1"],
    ["a mean of NaN", () => evidenceOf([1]).evidenceAbove(NaN), "ERR_PARAMETER", "mean", "mean must be a finite number, got NaN"],
    ["a skip without a share", () => evidenceOf([1]).skip(), "ERR_PARAMETER", "share", "share must be below 1 to skip rounds, got 1"],
    [
      "a snapshot of another version",
      () => MeanEvidence.restore({ ...evidenceOf([1]).snapshot(), version: 2 }),
      "ERR_SNAPSHOT_VERSION",
      "version",
      /^version must be 1, got 2/,
    ],
    [
      "a snapshot with a broken field",
      () => MeanEvidence.restore({ ...evidenceOf([1]).snapshot(), cap: NaN }),
      "ERR_SNAPSHOT",
      "cap",
      /^in the snapshot, cap must be/,
    ],
    [
      "a snapshot with a broken count",
      () => MeanEvidence.restore({ ...evidenceOf([1]).snapshot(), count: -1 }),
      "ERR_SNAPSHOT",
      "count",
      /^count must be an integer/,
    ],
  ])("refuses %s", (_, call, code, parameter, message) => {
    expect(thrown(call)).toEqual({ code, parameter, message: typeof message === "string" ? message : expect.stringMatching(message) });
  });
});

describe("intervals of several streams", () => {
  const arms = [evidenceOf(draws(pareto16, 300, 0)), evidenceOf([]), evidenceOf(draws(bernoulli({ p: 0.4 }), 90, 2)), evidenceOf([3])];

  it.each([0, 1, 2, 3])("a mix with all weight on arm %i is its interval", (arm) => {
    const mix = arms.map((_, i) => (i === arm ? 1 : 0));
    expect(mixInterval(arms, mix)).toEqual(arms[arm]!.interval());
  });

  it("hold for 200 arms, some never played, and are narrower than intervals of each arm that hold together", () => {
    const many = Array.from({ length: 200 }, (_, i) => evidenceOf(draws(pareto16, 5 * i, "many", i)));
    const { low, high } = mixInterval(many, new Array<number>(200).fill(1 / 200));
    const each = many.map((arm) => arm.interval(0.05 / 200));
    const mean = (of: "low" | "high") => each.reduce((sum, interval) => sum + interval[of], 0) / 200;
    expect(high - low).toBeLessThan(0.5 * (mean("high") - mean("low")));
    expect(low).toBeLessThan(0.96);
    expect(high).toBeGreaterThan(0.96);
  });

  it("a difference changes its sign with its order", () => {
    const [there, back] = [differenceInterval(arms[0]!, arms[2]!), differenceInterval(arms[2]!, arms[0]!)];
    expect(there.low).toBeCloseTo(-back.high, 9);
    expect(there.high).toBeCloseTo(-back.low, 9);
  });

  it("of the uncapped mean: the lower end stays for losses of one sign, the upper end grows as the tail grows heavier", () => {
    const stream = arms[0]!;
    const { low, high } = stream.interval();
    const moment = meanInterval(stream, { alpha: 1.5, sigma: 2 });
    // sigma^1.5 20^-0.5 0.5^0.5 / 1.5^1.5
    expect(moment).toEqual({ low, high: expect.closeTo(high + (2 ** 1.5 * 20 ** -0.5 * 0.5 ** 0.5) / 1.5 ** 1.5, 12) });
    const heavy = meanInterval(stream, { index: 1.2 });
    const light = meanInterval(stream, { index: 3 });
    expect([heavy.low, light.low]).toEqual([low, low]);
    expect(heavy.high).toBeGreaterThan(light.high);
    expect(light.high).toBeGreaterThan(high);
    const signed = meanInterval(played({ floor: -20, cap: 20, share: 1, events: [1, -30, 30] }), { index: 2 });
    expect(signed.low).toBeLessThan(-20);
    expect(signed.high).toBeGreaterThan(20);
  });

  it.each([
    ["an index of 1", () => meanInterval(arms[0]!, { index: 1 }), "index", /got 1; the losses may have no mean; the capped figures stand$/],
    ["an alpha of 1", () => meanInterval(arms[0]!, { alpha: 1, sigma: 1 }), "alpha", "alpha must be a finite number above 1, got 1"],
    ["a sigma of 0", () => meanInterval(arms[0]!, { alpha: 2, sigma: 0 }), "sigma", "sigma must be a finite number above 0, got 0"],
    [
      "a mix that does not sum to 1",
      () => mixInterval(arms.slice(2), [0.5, 0.6]),
      "mix",
      "mix must be 2 probabilities, one for each arm, that sum to 1, got [0.5,0.6]",
    ],
    ["a negative weight", () => mixInterval(arms.slice(2), [-0.5, 1.5]), "mix", /^mix must be 2 probabilities/],
    ["a mix of another length", () => mixInterval(arms, [1]), "mix", /^mix must be 4 probabilities/],
  ])("refuse %s", (_, call, parameter, message) => {
    expect(thrown(call)).toEqual({
      code: "ERR_PARAMETER",
      parameter,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });
});

describe("Evaluation", () => {
  const outcomes = fc.array(
    fc.record({ arm: fc.nat(2), loss: fc.option(fc.double({ min: 0, max: 50, noNaN: true }), { freq: 8 }), holdout: fc.boolean() }),
    { maxLength: 60 },
  );
  const answersOf = (evaluation: Evaluation) => [evaluation.savings(), evaluation.uniform(), evaluation.verdict(), evaluation.snapshot()];
  const folded = (given: readonly Outcome[], options: Partial<EvaluationOptions> = {}) => {
    const evaluation = new Evaluation({ arms: 3, cap: 20, holdout: 0.5, ...options });
    for (const outcome of given) evaluation.add(outcome);
    return evaluation;
  };

  it.each([false, true])("is restored in the middle bit for bit, and looking changes no answer; moving: %s", (moving) => {
    fc.assert(
      fc.property(outcomes, outcomes, (before, after) => {
        const evaluation = folded(before, { moving });
        const twin = Evaluation.restore(JSON.parse(JSON.stringify(evaluation.snapshot())));
        for (const outcome of after) {
          evaluation.savings();
          for (const each of [evaluation, twin]) each.add(outcome);
        }
        expect(answersOf(twin)).toEqual(answersOf(evaluation));
      }),
      { numRuns: 40 },
    );
  });

  it("does not depend on the order of arrival, through a DecisionOrder", () => {
    fc.assert(
      fc.property(outcomes, fc.infiniteStream(fc.nat(1000)), (given, ranks) => {
        const order = new DecisionOrder<number>();
        const evaluation = new Evaluation({ arms: 3, cap: 20, holdout: 0.5 });
        for (const i of given.keys()) expect(order.decided(`d${i}`, i)).toBe(true);
        const arrivals = given.map((_, i) => [ranks.next().value as number, i] as const).sort(([a], [b]) => a - b);
        for (const [, i] of arrivals) {
          expect(order.ended(`d${i}`, given[i]!.loss)).toBe(true);
          for (const { item, loss } of order.settled()) evaluation.add({ ...given[item]!, loss });
        }
        expect(order.waiting).toBe(0);
        expect(answersOf(evaluation)).toEqual(answersOf(folded(given)));
      }),
      { numRuns: 40 },
    );
  });

  /** Arm 0 is the best; arm losses are those of Pareto 1.6, scaled. */
  const world = (rounds: number, arms: number, ...labels: string[]): Outcome[] => {
    const losses = draws(pareto16, rounds, ...labels);
    return losses.map((loss, i) => ({ arm: i % arms, loss: loss * (i % arms === 0 ? 1 : 2), holdout: i % 7 === 0 }));
  };

  it.each([2, 5, 200])("names the best of %i arms, and leaves one that was never played in the race", (arms) => {
    const given = world(600 * arms, arms, "best", String(arms));
    const all = folded(given, { arms }).verdict();
    expect(all).toMatchObject({ leader: 0, best: 0, bestIfMissingAlike: 0, inRace: [0], source: "all plays" });
    expect(all.needed).toBeCloseTo(Math.log(20), 12);
    expect(Math.min(...all.evidence)).toBe(all.evidence[0]);
    const silent = folded(
      given.filter(({ arm }) => arm !== 1),
      { arms },
    ).verdict();
    expect(silent).toMatchObject({ leader: 0, best: null });
    expect(silent.inRace).toEqual([0, 1]);
  });

  it("has no verdict before the first decision, and one at once for one arm", () => {
    expect(folded([]).verdict()).toMatchObject({ leader: null, best: null, inRace: [0, 1, 2], evidence: [0, 0, 0] });
    expect(folded([{ arm: 0, loss: 1 }], { arms: 1 }).verdict()).toMatchObject({ best: 0, inRace: [0] });
  });

  it("names no arm that is best only if the missing are like the rest", () => {
    // Of the losses of arm 0, those above 0.7 are missing, which makes it look like the better one.
    const given = draws(pareto16, 4000, "missing").map((loss, i): Outcome => ({ arm: i % 2, loss: i % 2 === 0 && loss > 0.7 ? null : loss }));
    expect(folded(given, { arms: 2, holdout: 0 }).verdict()).toMatchObject({ best: null, bestIfMissingAlike: 0 });
    const evaluation = folded(given, { arms: 2, holdout: 0 });
    expect(evaluation.arm(0, "range").interval().high).toBeGreaterThan(0.96);
    expect(evaluation.arm(0, "out").interval().high).toBeLessThan(0.96);
    expect(evaluation.arm(0, "out").missing).toBe(0);
  });

  it("in a moving world compares the arms by the holdout, and pooled plays are misled", () => {
    // Arm 0 is better by a third at every moment; all losses double when half of the rounds are over, and the policy plays arm 1 before and arm 0 after.
    const rng = stream(1, "evidence", "moving");
    const given = Array.from({ length: 20_000 }, (_, i): Outcome => {
      const holdout = rng.uniform() < 0.2;
      const arm = holdout ? Math.floor(2 * rng.uniform()) : i < 10_000 ? 1 : 0;
      return { arm, holdout, loss: (i < 10_000 ? 1 : 2) * (arm === 0 ? 1 : 1.5) * (0.5 + rng.uniform()) };
    });
    expect(folded(given, { arms: 2, holdout: 0.2 }).verdict()).toMatchObject({ best: 1, source: "all plays" });
    const moving = folded(given, { arms: 2, holdout: 0.2, moving: true });
    expect(moving.verdict()).toMatchObject({ best: 0, source: "holdout" });
    for (const [arm, mean] of [1.5, 2.25].entries()) {
      const { low, high } = moving.arm(arm).interval();
      expect([low < mean, high > mean]).toEqual([true, true]);
    }
    // Uniform play costs 1.875 on average over all rounds, the policy 1.75.
    const { low, high } = moving.savings();
    expect([low < 0.125, high > 0.125, high - low < 0.4]).toEqual([true, true, true]);
  });

  it("sees savings with and without a holdout", () => {
    const rng = stream(1, "evidence", "savings");
    const given = draws(pareto16, 20_000, "saved").map((loss): Outcome => {
      const holdout = rng.uniform() < 0.1;
      const arm = holdout ? Math.floor(3 * rng.uniform()) : 0;
      return { arm, holdout, loss: loss * (arm === 0 ? 1 : 2) };
    });
    const withHoldout = folded(given, { holdout: 0.1 }).savings();
    const without = folded(
      given.map(({ arm, loss }) => ({ arm, loss })),
      { holdout: 0 },
    ).savings();
    expect(withHoldout.low).toBeGreaterThan(0);
    expect(withHoldout.high).toBeLessThan(1.2);
    expect(without.low).toBeGreaterThan(0);
  });

  it.each([
    ["an arm that does not exist", () => folded([{ arm: 3, loss: 1 }]), "ERR_ARM", "arm", "arm must be an integer in [0, 2], got 3"],
    ["a loss that is absent", () => folded([{ arm: 0 } as unknown as Outcome]), "ERR_LOSS", "loss", /got undefined$/],
    [
      "a decision of a holdout that is not there",
      () => folded([{ arm: 0, loss: 1, holdout: true }], { holdout: 0 }),
      "ERR_PARAMETER",
      "holdout",
      /give its share as/,
    ],
    [
      "moving without a holdout",
      () => folded([], { holdout: 0, moving: true }),
      "ERR_PARAMETER",
      "holdout",
      /arms that change are compared by a holdout only$/,
    ],
    [
      "moving without the missing",
      () => folded([], { moving: true }).arm(0, "out"),
      "ERR_PARAMETER",
      "missing",
      'missing must be range with moving, got "out"',
    ],
    [
      "a negative tolerance",
      () => folded([]).verdict({ tolerance: -1 }),
      "ERR_PARAMETER",
      "tolerance",
      "tolerance must be a finite number of at least 0, got -1",
    ],
    ["an unknown key", () => folded([]).verdict({ errors: 1 } as object), "ERR_UNKNOWN_KEY", "errors", /^unknown key errors/],
    [
      "a snapshot with a stream of another cap",
      () => Evaluation.restore({ ...folded([]).snapshot(), cap: 3 }),
      "ERR_SNAPSHOT",
      "streams[0].range",
      /must have the cap/,
    ],
    [
      "a snapshot with too few streams",
      () => Evaluation.restore({ ...folded([]).snapshot(), streams: [] }),
      "ERR_SNAPSHOT",
      "streams",
      "streams must be a list of 5, got []",
    ],
  ])("refuses %s", (_, call, code, parameter, message) => {
    expect(thrown(call)).toEqual({ code, parameter, message: typeof message === "string" ? message : expect.stringMatching(message) });
  });
});

describe("DecisionOrder", () => {
  it("knows ids that wait, and lets the oldest open decision expire if too many wait", () => {
    const order = new DecisionOrder<number>({ maxWaiting: 3 });
    for (const i of [0, 1, 2]) order.decided(`${i}`, i);
    expect(order.decided("1", 9)).toBe(false);
    expect(order.ended("1", 5)).toBe(true);
    expect([order.ended("1", 6), order.ended("x", 6)]).toEqual([false, false]);
    expect([...order.settled()]).toEqual([]);
    order.decided("3", 3);
    expect(order.expired).toBe(1);
    expect(order.ended("0", 1)).toBe(false);
    expect([...order.settled()]).toEqual([
      { item: 0, loss: null },
      { item: 1, loss: 5 },
    ]);
    const twin = DecisionOrder.restore<number>(JSON.parse(JSON.stringify(order.snapshot())));
    expect(twin.snapshot()).toEqual(order.snapshot());
    for (const each of [order, twin]) {
      each.ended("3", 3);
      each.ended("2", null);
      expect([...each.settled()].map(({ item }) => item)).toEqual([2, 3]);
    }
  });

  it("keeps no more than what waits", () => {
    const order = new DecisionOrder<number>();
    let next = 0;
    for (let i = 0; i < 10_000; i++) {
      order.decided(`${i}`, i);
      if (i >= 10) order.ended(`${i - 10}`, 1);
      for (const { item } of order.settled()) expect(item).toBe(next++);
      expect(order.waiting).toBeLessThanOrEqual(11);
    }
    expect(next).toBe(9_990);
  });

  it.each([
    ["a limit of 0", () => new DecisionOrder({ maxWaiting: 0 }), "ERR_PARAMETER", "maxWaiting"],
    [
      "a snapshot with a broken limit",
      () => DecisionOrder.restore({ ...new DecisionOrder().snapshot(), maxWaiting: 0 }),
      "ERR_SNAPSHOT",
      "maxWaiting",
    ],
    ["a broken snapshot", () => DecisionOrder.restore({ ...new DecisionOrder().snapshot(), waiting: [1] as never }), "ERR_SNAPSHOT", "waiting"],
    [
      "a snapshot of another version",
      () => DecisionOrder.restore({ ...new DecisionOrder().snapshot(), version: 3 }),
      "ERR_SNAPSHOT_VERSION",
      "version",
    ],
  ])("refuses %s", (_, call, code, parameter) => {
    expect(thrown(call)).toMatchObject({ code, parameter });
  });
});
