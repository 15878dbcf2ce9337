import { FEWEST_LOSSES } from "@tsallis/lab/advice";
import { normal, pareto, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { alarms, asksForTails, type Observed } from "../src/insight/alarms.js";
import { chiSquareTail } from "../src/insight/chiSquareTail.js";
import { Cohort, type Ended } from "../src/insight/cohort.js";
import { DecisionRing } from "../src/insight/decisionRing.js";
import { normalTail } from "../src/insight/normalTail.js";
import { OutcomeRing } from "../src/insight/outcomeRing.js";
import { rankTest } from "../src/insight/rankTest.js";
import { settledLosses } from "../src/insight/settledLosses.js";
import { FEWEST, NO_TAILS, tails } from "../src/insight/tails.js";
import { unevenness } from "../src/insight/unevenness.js";
import type { Document } from "../src/schemas.js";

describe("the tails of laws (references: mpmath, 40 digits)", () => {
  it.each([
    [0.5, 1, 0.4795001221869535],
    [15.136705226623606, 1, 9.999999999998892e-5],
    [3, 2, 0.22313016014842982],
    [18.420680743952367, 2, 9.999999999999991e-5],
    [30, 3, 1.3800570312932547e-6],
    [60, 20, 7.121750862815577e-6],
    [5, 7, 0.6599632296942827],
    [1700, 1500, 0.0002217079970428595],
    [2100, 2000, 0.05867111137731808],
  ])("chi-square, P(X > %d) with %i degrees of freedom", (x, degrees, expected) => {
    expect(Math.abs(chiSquareTail(x, degrees) / expected - 1)).toBeLessThan(1e-11);
    expect(chiSquareTail(0, degrees)).toBe(1);
  });

  it.each([
    [0, 0.5],
    [1, 0.15865525393145705],
    [3.8905918864131, 4.999999999999877e-5],
    [10, 7.619853024160525e-24],
  ])("normal, P(Z > %d)", (x, expected) => {
    expect(Math.abs(normalTail(x) / expected - 1)).toBeLessThan(1e-13);
  });
});

describe("the rank test", () => {
  const rng = stream(1, "ranks");
  const sample = (count: number): Float64Array => Float64Array.from({ length: count }, () => Math.floor(12 * rng.uniform()) - 4);

  it("has the figures of the naive definition, with ties", () => {
    for (let i = 0; i < 50; i++) {
      const [first, second] = [sample(1 + Math.floor(30 * rng.uniform())), sample(2 + Math.floor(30 * rng.uniform()))];
      let wins = 0;
      for (const a of first) for (const b of second) wins += b > a ? 1 : b === a ? 0.5 : 0;
      const all = [...first, ...second];
      const [m, n, total] = [first.length, second.length, all.length];
      // The variance of the sum of n of the midranks, drawn without replacement.
      const ranks = all.map((x) => all.filter((y) => y < x).length + (all.filter((y) => y === x).length + 1) / 2);
      const middle = (total + 1) / 2;
      const spread = ranks.reduce((sum, rank) => sum + (rank - middle) ** 2, 0) / (total - 1);
      const variance = (spread * m * n) / total;
      const distance = Math.max(0, Math.abs(wins - (m * n) / 2) - 0.5);
      const found = rankTest(first, second);
      expect(found.larger).toBeCloseTo(wins / (m * n), 12);
      expect(found.p).toBeCloseTo(variance > 0 ? 2 * normalTail(distance / Math.sqrt(variance)) : 1, 10);
    }
  });

  it("says nothing of equal numbers, and survives the largest", () => {
    expect(rankTest(new Float64Array(50), new Float64Array(50))).toEqual({ larger: 0.5, p: 1 });
    expect(rankTest(new Float64Array(50).fill(-1e300), new Float64Array(50).fill(1e300)).p).toBeLessThan(1e-15);
  });

  it("is wrong as often as it says", () => {
    // 4,000 tests of 150 against 50 Pareto losses. At 1 % there are 40 alarms on average; more than 62 have a probability of 0.04 %.
    const law = pareto({ shape: 1.5, scale: 1 });
    let alarmed = 0;
    for (let i = 0; i < 4_000; i++) {
      const draw = (count: number): Float64Array => Float64Array.from({ length: count }, () => law.quantile(rng.open()));
      if (rankTest(draw(150), draw(50)).p < 0.01) alarmed++;
    }
    expect(alarmed).toBeGreaterThan(20);
    expect(alarmed).toBeLessThanOrEqual(62);
  });
});

describe("unevenness", () => {
  it("has the figures of the naive definition: observed and expected in all cells", () => {
    const arms = [
      { ended: 400, expired: 40 },
      { ended: 300, expired: 60 },
      { ended: 300, expired: 30 },
    ];
    const found = unevenness(arms)!;
    let chiSquare = 0;
    for (const { ended, expired } of arms)
      chiSquare += (expired - 0.13 * ended) ** 2 / (0.13 * ended) + (0.13 * ended - expired) ** 2 / (0.87 * ended);
    expect(found.chiSquare).toBeCloseTo(chiSquare, 10);
    expect(found).toMatchObject({ degrees: 2, worst: { place: 1, share: 0.2, ended: 300 }, best: { share: 0.1 }, rest: 0 });
  });

  it("takes rare arms together, and leaves them out if they are rare together", () => {
    const common = { ended: 500, expired: 100 };
    const rare = { ended: 30, expired: 0 };
    expect(unevenness([common, rare, rare, common])).toMatchObject({ degrees: 2, best: { place: -1, ended: 60 }, rest: 2 });
    expect(unevenness([common, { ended: 3, expired: 0 }, common])).toMatchObject({ degrees: 1, p: 1, rest: 1 });
    expect(unevenness([common, rare])).toBeNull();
    expect(unevenness([])).toBeNull();
    expect(
      unevenness([
        { ended: 500, expired: 0 },
        { ended: 500, expired: 0 },
      ]),
    ).toBeNull();
  });

  it("is wrong about as often as it says, also where counts are just large enough", () => {
    // 5,000 worlds of eight arms with 100 to 198 decisions, of which 12 % expire. At p < 1e-3 there are 5 alarms on average; more than 15 have a
    // probability of 0.007 %.
    const rng = stream(2, "even");
    let alarmed = 0;
    for (let world = 0; world < 5_000; world++) {
      const arms: Ended[] = Array.from({ length: 8 }, (_, arm) => ({ ended: 100 + 14 * arm, expired: 0 }));
      for (const arm of arms) for (let i = 0; i < arm.ended; i++) if (rng.uniform() < 0.12) arm.expired++;
      if (unevenness(arms)!.p < 1e-3) alarmed++;
    }
    expect(alarmed).toBeLessThanOrEqual(15);
  });
});

/** An arm's decisions over time. */
interface Traffic {
  /** The share of the arm at a time from 0 to 1. */
  share(time: number): number;
  readonly missing: number;
}

/** 20,000 decisions of two arms over five windows of 100 s: feedback comes at once, expiry after the window. */
function play(
  arms: readonly [Traffic, Traffic],
  count = 20_000,
): { cohort: Cohort; outcomes: OutcomeRing; made: { number: number; missing: boolean; at: number }[] } {
  const [cohort, outcomes] = [new Cohort(-Infinity), new OutcomeRing()];
  const rng = stream(4, "traffic");
  const window = 100_000;
  const ends: { at: number; number: number; decided: number; missing: boolean; seq: number }[] = [];
  for (let i = 0; i < count; i++) {
    const decided = (5 * window * i) / count;
    const number = rng.uniform() < arms[0].share(i / count) ? 0 : 1;
    const missing = rng.uniform() < arms[number]!.missing;
    ends.push({ at: decided + (missing ? window : 50), number, decided, missing, seq: 2 * i + 1 });
  }
  ends.sort((a, b) => a.at - b.at);
  const known = ends.filter(({ at }) => at <= 5 * window);
  for (const { at, number, decided, missing, seq } of known) {
    const expires = decided + window;
    const open = { id: "", seq, at: decided, segment: "", arm: "", number, round: 1, probability: 1, threshold: null, holdout: false, expires };
    cohort.add(open, at, missing);
    if (missing) outcomes.expired(at, decided, number, 0, false);
    else outcomes.answered(at, decided, number, 0, false, 1, false);
  }
  return { cohort, outcomes, made: known.map(({ number, missing, decided }) => ({ number, missing, at: decided })) };
}

describe("the cohort", () => {
  const even: Traffic = { share: (time) => 0.1 + 0.8 * time, missing: 0.15 };

  it("counts exactly the decisions whose window is over (naive definition)", () => {
    const { cohort, made } = play([even, even], 2_000);
    const due = Math.max(...made.filter(({ missing }) => missing).map(({ at }) => at));
    const over = made.filter(({ at }) => at <= due);
    expect(cohort.count([0, 1])).toEqual(
      [0, 1].map((arm) => ({
        ended: over.filter(({ number }) => number === arm).length,
        expired: over.filter(({ number, missing }) => number === arm && missing).length,
      })),
    );
    expect(cohort.count([1, 7])[1]).toEqual({ ended: 0, expired: 0 });
  });

  it("is not deceived by traffic that moves, as the last outcomes would be", () => {
    const { cohort, outcomes } = play([even, even]);
    const last: Ended[] = [0, 1].map(() => ({ ended: 0, expired: 0 }));
    for (let slot = 0; slot < outcomes.size; slot++) {
      const arm = last[outcomes.arm[slot]!]!;
      arm.ended++;
      if (outcomes.isExpired(slot)) arm.expired++;
    }
    expect(unevenness(last)!.p).toBeLessThan(1e-4);
    expect(unevenness(cohort.count([0, 1]))!.p).toBeGreaterThan(0.01);
  });

  it("stays small, covers more than a window, and sees arms that differ", () => {
    const { cohort } = play([even, { ...even, missing: 0.05 }], 200_000);
    expect(cohort.size).toBeLessThanOrEqual(4_096);
    const [first, second] = cohort.count([0, 1]);
    expect(first!.ended + second!.ended).toBeGreaterThan(1_000);
    // Three standard errors of a share of 15 % of 500.
    expect(Math.abs(first!.expired / first!.ended - 0.15)).toBeLessThan(0.048);
    expect(unevenness([first!, second!])!.p).toBeLessThan(1e-4);
  });
});

describe("the cohort, when it drops old ones", () => {
  it("leaves out decisions whose other outcomes it may have dropped", () => {
    const cohort = new Cohort(-Infinity);
    const decide = (seq: number, at: number) => ({
      id: "",
      seq,
      at,
      segment: "",
      arm: "",
      number: 0,
      round: 1,
      probability: 1,
      threshold: null,
      holdout: false,
      expires: at + 1_000,
    });
    // One decision per second with a window of one second: 4,096 are much longer than two windows, so that none is thinned out.
    for (let i = 0; i < 5_000; i++) cohort.add(decide(2 * i + 1, 1_000 * i), 1_000 * i + (i % 2 === 0 ? 10 : 1_000), i % 2 === 1);
    const [count] = cohort.count([0]);
    // The last that was dropped ended at 904,000, when the oldest that is left was made; the last of all has expired.
    expect(cohort.size).toBe(4_096);
    expect([count!.ended, count!.expired]).toEqual([4_096, 2_048]);
  });
});

describe("rings", () => {
  it("begin empty, double, and hold the last ones in order", () => {
    const ring = new DecisionRing();
    expect(ring.at.length).toBe(0);
    for (let i = 0; i < 17; i++) ring.add(i, i, 0, false);
    expect([ring.at.length, ring.size, ring.dropped]).toEqual([32, 17, false]);
    for (let i = 17; i < 45_678; i++) ring.add(i, i, 0, false);
    expect([ring.at.length, ring.size, ring.dropped]).toEqual([20_000, 20_000, true]);
    expect(Array.from({ length: 20_000 }, (_, i) => ring.at[ring.slot(i)])).toEqual(Array.from({ length: 20_000 }, (_, i) => 25_678 + i));
  });
});

/** A bandit with two arms, a and b; a is the favourite. */
function observed(policy: Document["policy"] & Record<string, unknown>): Observed & { answer(arm: number, loss: number, skipped?: boolean): void } {
  const [decisions, outcomes] = [new DecisionRing(), new OutcomeRing()];
  const arm = (name: string, number: number) => ({ name, number, decisions: 0, answered: 0, expired: 0, skipped: 0 });
  const counted = { decisions: 0, holdout: 0, answered: 0, expired: 0, late: 0, retired: 0, skipped: 0, rewards: 0 };
  for (let i = 0; i < 10; i++) decisions.add(0, i < 7 ? 0 : 1, 0, false);
  return {
    document: { arms: ["a", "b"], policy, seed: 1, window: 60, expired: "ignore", holdout: 0 },
    ledger: {
      arms: new Map([
        [0, arm("a", 0)],
        [1, arm("b", 1)],
      ]),
      window: 60,
      counted,
      segments: new Map(),
    },
    decisions,
    outcomes,
    cohort: new Cohort(-Infinity),
    rounds: 0,
    tails: NO_TAILS,
    answer: (number, loss, skipped = false) => outcomes.answered(0, 0, number, 0, false, loss, skipped),
  };
}

const codes = (seen: Observed): string[] => alarms(seen).map(({ code }) => code);
const MATCHED = { policy: "matched-tinf" };

describe("alarms", () => {
  it("are none at first", () => expect(alarms(observed(MATCHED))).toEqual([]));

  it("FEEDBACK_MISSING: more than 20 % of at least 50", () => {
    const seen = observed(MATCHED);
    for (let i = 0; i < 38; i++) seen.answer(0, 1);
    for (let i = 0; i < 11; i++) seen.outcomes.expired(0, 0, 0, 0, false);
    expect(codes(seen)).toEqual([]);
    seen.answer(0, 1);
    expect(alarms(seen)).toEqual([
      {
        code: "FEEDBACK_MISSING",
        message: "22 % of the last 50 decisions that ended got no feedback in time.",
        remedy:
          'Check that feedback is sent for every decision, and that the window of 60 s is long enough. If silence means failure, set "expired" to the loss of a failure.',
      },
    ]);
    for (let i = 0; i < 5; i++) seen.answer(0, 1);
    expect(codes(seen)).toEqual([]);
  });

  it("FEEDBACK_UNEVEN names the arms", () => {
    const { cohort } = play([
      { share: () => 0.5, missing: 0.18 },
      { share: () => 0.5, missing: 0.02 },
    ]);
    const [alarm, ...others] = alarms({ ...observed(MATCHED), cohort });
    expect(others).toEqual([]);
    expect(alarm!.code).toBe("FEEDBACK_UNEVEN");
    expect(alarm!.message).toMatch(
      /^The arms differ in how much feedback is missing: 1\d(\.\d)? % of [\d,]+ decisions for a, [12](\.\d+)? % of [\d,]+ for b \(chi-squared/,
    );
  });

  it("HORIZON_NEAR: 90 % of the rounds, as decisions told or as the ledger counts", () => {
    const seen = observed({ policy: "moss", horizon: 1_000 });
    expect(codes({ ...seen, rounds: 899 })).toEqual([]);
    expect(alarms({ ...seen, rounds: 900 })).toMatchObject([
      { code: "HORIZON_NEAR", message: "900 of 1,000 rounds are played. After the last one moss refuses to decide (ERR_HORIZON)." },
    ]);
    seen.ledger.counted.decisions = 1_000;
    seen.ledger.counted.holdout = 100;
    expect(codes(seen)).toEqual(["HORIZON_NEAR"]);
    expect(codes({ ...seen, ledger: { ...seen.ledger, segments: new Map([["x", 1]]) } })).toEqual([]);
    expect(codes({ ...observed(MATCHED), rounds: 1e9 })).toEqual([]);
  });

  it("SKIPS_MOST: more than half of at least 50 of the favourite's", () => {
    const seen = observed(MATCHED);
    for (let i = 0; i < 60; i++) seen.answer(1, 1, true);
    for (let i = 0; i < 50; i++) seen.answer(0, 1, i % 2 === 0);
    expect(codes(seen)).toEqual([]);
    seen.answer(0, 1, true);
    expect(alarms(seen)).toMatchObject([
      { code: "SKIPS_MOST", message: expect.stringContaining("skipped 26 of the last 51 losses of a, its favourite") },
    ]);
  });

  it("DRIFT: the last quarter of the favourite's losses has other ranks, and the policy does not forget", () => {
    const seen = observed(MATCHED);
    const still = observed(MATCHED);
    const forgets = observed({ ...MATCHED, halfLife: 100 });
    const rng = stream(5, "drift");
    const law = pareto({ shape: 1.3, scale: 1 });
    for (let i = 0; i < 400; i++) {
      const loss = law.quantile(rng.open());
      for (const each of [seen, forgets]) each.answer(0, i < 300 ? loss : 2 * loss);
      still.answer(0, loss);
    }
    expect(alarms(seen)).toMatchObject([
      {
        code: "DRIFT",
        message: expect.stringContaining("The last 100 losses of a, the favourite, are larger than the 300 before"),
        remedy: expect.stringContaining('matched-tinf and "halfLife" of about 100 rounds'),
      },
    ]);
    expect(codes(still)).toEqual([]);
    expect(codes(forgets)).toEqual([]);
  });

  /** Losses that are the seconds after which they are known, as latencies are: ten decisions per second, for as long as is said. */
  function latencies(seconds: number, meanAt: (second: number) => number): Observed {
    const seen = observed(MATCHED);
    const rng = stream(8, "latencies");
    const all = Array.from({ length: 10 * seconds }, (_, i) => {
      const loss = -meanAt(i / 10) * Math.log(rng.open());
      return { decided: 100 * i, at: 100 * i + 1_000 * loss, loss };
    });
    const known = all.filter(({ at }) => at <= 1_000 * seconds).sort((a, b) => a.at - b.at);
    for (const { at, decided, loss } of known) seen.outcomes.answered(at, decided, 0, 0, false, loss, false);
    return seen;
  }

  it.each([100, 300, 1_000, 3_000])("DRIFT is not seen where large losses only take longer to be known, after %i s", (seconds) => {
    expect(codes(latencies(seconds, () => 30))).toEqual([]);
  });

  it("DRIFT is seen where losses that take longer to be known have grown", () => {
    expect(codes(latencies(1_000, (second) => (second < 700 ? 30 : 60)))).toEqual(["DRIFT"]);
  });

  it.each([
    ["all outcomes are known", 9_999, 1],
    ["older outcomes were dropped", 10_000, 0],
  ])("losses of decisions from before the oldest outcome count only where %s", (_, others, counted) => {
    const { outcomes } = observed(MATCHED);
    for (let i = 9_999; i < others; i++) outcomes.answered(5, 5, 0, 0, false, 1, false);
    outcomes.answered(10, 1, 0, 0, false, 7, false);
    for (let i = 0; i < 9_999; i++) outcomes.answered(10 + i, 10 + i, 0, 0, false, 1, false);
    expect(settledLosses(outcomes, 0).filter((loss) => loss === 7).length).toBe(counted);
  });

  it("asks the lab only if an alarm needs it, and as many losses as the lab does", () => {
    const asks = (policy: Record<string, unknown>): boolean => asksForTails(observed(policy as Document["policy"]).document);
    expect([
      asks(MATCHED),
      asks({ policy: "ucb1" }),
      asks({ policy: "opttinf" }),
      asks({ policy: "robust-ucb", alpha: 1.5 }),
      asks({ policy: "mine" }),
    ]).toEqual([false, false, true, true, false]);
    expect(FEWEST).toBe(FEWEST_LOSSES);
  });

  const ARMS = [
    { name: "a", number: 0 },
    { name: "b", number: 1 },
  ];

  it("TAIL_HEAVIER: the index is below the alpha that the policy was told", async () => {
    const told = observed({ policy: "robust-ucb", alpha: 1.9, sigma: 1 });
    const rng = stream(6, "tail");
    const law = pareto({ shape: 1.2, scale: 1 });
    for (let i = 0; i < 8_000; i++) told.answer(i % 2, law.quantile(rng.open()));
    const seen = { ...told, tails: await tails(told.outcomes, null, ARMS) };
    expect(seen.tails.byArm.get(1)!.low).toBeLessThan(1.2);
    expect(seen.tails.byArm.get(1)!.high).toBeGreaterThan(1.2);
    expect(alarms(seen)).toMatchObject([{ code: "TAIL_HEAVIER", message: expect.stringContaining("below the alpha 1.9 that the policy was told") }]);
    const index = seen.tails.advice!.pooled.index!;
    for (const alpha of [1.1, (index.estimate + index.high) / 2]) {
      const right = { ...seen, document: { ...seen.document, policy: { policy: "robust-ucb", alpha, sigma: 1 } } };
      expect(codes(right)).toEqual([]);
    }
  });

  it("NEGATIVE_TAIL: only for policies that need truncated non-negativity", async () => {
    const told = observed({ policy: "opttinf" });
    const rng = stream(7, "negative");
    const law = normal({ mean: -1, deviation: 1 });
    for (let i = 0; i < 400; i++) told.answer(i % 2, law.quantile(rng.open()));
    const seen = { ...told, tails: await tails(told.outcomes, null, ARMS) };
    expect(alarms(seen)).toMatchObject([
      { code: "NEGATIVE_TAIL", message: expect.stringMatching(/^Truncated non-negativity, which opttinf needs, is violated: for "/) },
    ]);
    expect(codes({ ...seen, document: { ...seen.document, policy: { policy: "forcemom" } } })).toEqual([]);
  });

  it("tails: none of few losses, none of equal ones, and never an error", async () => {
    const seen = observed(MATCHED);
    expect(await tails(seen.outcomes, null, ARMS)).toBe(NO_TAILS);
    for (let i = 0; i < 300; i++) seen.answer(0, i % 3 === 0 ? 1e300 : -1e300);
    expect((await tails(seen.outcomes, null, ARMS)).byArm.size).toBe(0);
    expect(await tails(seen.outcomes, null, [])).toBe(NO_TAILS);
  });
});
