import { lomax, normal, pareto, stream, studentT, weibull } from "tsallis";
import { describe, expect, it } from "vitest";
import type { LossChange } from "../src/history/historyChange.js";
import { alarms, asksForTails, type Observed } from "../src/insight/alarms.js";
import { Cohort, type Ended } from "../src/insight/cohort.js";
import { costs } from "../src/insight/costs.js";
import { DecisionRing } from "../src/insight/decisionRing.js";
import { medians } from "../src/insight/medians.js";
import { OutcomeRing } from "../src/insight/outcomeRing.js";
import { settledLosses } from "../src/insight/settledLosses.js";
import { NO_TAILS, tails } from "../src/insight/tails.js";
import { unevenness } from "../src/insight/unevenness.js";
import type { Document } from "../src/schemas.js";

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
    const open = {
      id: "",
      origin: "salt",
      seq,
      at: decided,
      segment: "",
      arm: "",
      number,
      round: 1,
      probability: 1,
      threshold: null,
      holdout: false,
      expires,
    };
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
      origin: "salt",
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
    document: {
      arms: ["a", "b"],
      policy,
      seed: 1,
      windowSeconds: 60,
      expired: "ignore",
      holdout: 0,
      segments: [],
      cap: null,
      unit: "",
      direction: "loss",
    },
    state: {
      arms: new Map([
        [0, arm("a", 0)],
        [1, arm("b", 1)],
      ]),
      windowSeconds: 60,
      counted,
      segments: new Map(),
    },
    decisions,
    outcomes,
    cohort: new Cohort(-Infinity),
    rounds: 0,
    tails: NO_TAILS,
    changes: [],
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

  it("BECAME_WORSE: the last change of a present arm was for the worse", () => {
    const change = (number: number, before: number, after: number): LossChange => ({
      ...{ kind: "losses", at: Date.UTC(2026, 10, 16, 15, 9), noticed: 0, arm: number === 0 ? "a" : "b", number, before, after },
      ...{ share: 0.8, movedAfter: 38_000, shareLater: null, isOpen: false },
    });
    const seen = observed(MATCHED);
    expect(alarms({ ...seen, changes: [change(0, 0.2, 1.6)] })).toEqual([
      {
        code: "BECAME_WORSE",
        message: "Since 2026-11-16 15:09 UTC a: median 0.2 to 1.6; traffic left it within 38 s.",
        remedy: "Find out what happened to a then. If it stays like this, retire the arm.",
      },
    ]);
    expect(codes({ ...seen, changes: [change(0, 0.2, 1.6), change(1, 1, 2)] })).toEqual(["BECAME_WORSE"]);
    expect(codes({ ...seen, changes: [change(0, 0.2, 1.6), change(0, 1.6, 0.2), change(7, 1, 2)] })).toEqual([]);
  });

  it("HORIZON_NEAR: 90 % of the rounds, as the insight or as the state counts them", () => {
    const seen = observed({ policy: "moss", horizon: 1_000 });
    expect(codes({ ...seen, rounds: 899 })).toEqual([]);
    expect(alarms({ ...seen, rounds: 900 })).toMatchObject([
      { code: "HORIZON_NEAR", message: "900 of 1,000 rounds are played. After the last one moss refuses to decide (ERR_HORIZON)." },
    ]);
    seen.state.counted.decisions = 1_000;
    seen.state.counted.holdout = 100;
    expect(codes(seen)).toEqual(["HORIZON_NEAR"]);
    expect(codes({ ...seen, state: { ...seen.state, segments: new Map([["x", 1]]) } })).toEqual([]);
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

  it("looks at the tails only if an alarm needs them", () => {
    const asks = (policy: Record<string, unknown>): boolean => asksForTails(observed(policy as Document["policy"]).document);
    expect([
      asks(MATCHED),
      asks({ policy: "ucb1" }),
      asks({ policy: "opttinf" }),
      asks({ policy: "robust-ucb", alpha: 1.5 }),
      asks({ policy: "mine" }),
    ]).toEqual([false, false, true, true, false]);
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
    const index = seen.tails.pooled!.index!;
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

  it("non-regression (may be wrong, must not drift): figures, alarms and medians of fixed losses", async () => {
    const rng = stream(8, "fixed");
    const laws = [lomax({ shape: 1.1, scale: 2 }), weibull({ shape: 1, scale: 1 })];
    const heavy = observed({ policy: "htinf", alpha: 2, sigma: 1 });
    for (let i = 0; i < 6_000; i++) heavy.outcomes.answered(i, i, i % 2, 0, i % 5 === 0, laws[i % 2]!.quantile(rng.open()), false);
    const negative = observed({ policy: "opttinf" });
    const law = studentT({ dof: 1.5, scale: 1 });
    for (let i = 0; i < 2_000; i++) negative.outcomes.answered(i, i, i % 2, 0, false, law.quantile(rng.open()) - (i < 1_500 ? 2 : 8), false);
    const { cohort } = play([
      { share: () => 0.6, missing: 0.12 },
      { share: () => 0.4, missing: 0.06 },
    ]);
    const found = await Promise.all([heavy, negative].map(({ outcomes }) => tails(outcomes, null, ARMS)));
    const [first, second] = [heavy, negative].map((seen, i) =>
      alarms({ ...seen, tails: found[i]! }).map(({ code, message }) => `${code}: ${message}`),
    );
    const uneven = unevenness(cohort.count([0, 1]))!;
    const { policy, holdout, difference } = medians(heavy.outcomes, null, "ignore");
    const { byArm } = found[0]!;
    const figures = [
      ...found.flatMap((each) => [...each.byArm.values()]),
      ...[policy!.median, holdout!.median, difference!],
      ...costs(heavy, null, ARMS, byArm).map(({ median: middle, p90, p99 }) => ({ middle, p90, p99 })),
      { chiSquare: uneven.chiSquare, p: uneven.p.toPrecision(12) },
    ];
    expect([...figures.map((each) => Object.values(each).join(" ")), ...first!, ...second!]).toMatchInlineSnapshot(`
      [
        "1.3120593608971198 0.9883582385186063 1.680859019247235",
        "4.17897357823396 3.1479695871191438 5.353618623907081",
        "2.1866364250888792 1.4953995126514288 3.0068661464699353",
        "2.034034238481028 1.3910377482242915 2.797021316518479",
        "1.0213623594845804 0.9791739589501851 1.0666927582143215",
        "1.0126315899443012 0.8894467975692983 1.1563301954133522",
        "-0.008730769540279182 -0.1399913429104648 0.1410328787639757",
        "1.7289354071179601 13.730283571756681 125.8133051314156",
        "0.7032875734109456 2.3958818913885835 4.470718403207559",
        "18.798491320548894 0.0000145282001841",
        "TAIL_HEAVIER: The tail index of the losses of a is 1.37 (0.991 to 1.97), below the alpha 2 that the policy was told: that moment does not exist.",
        "DRIFT: The last 250 losses of a, the favourite, are smaller than the 750 before: one of them is the larger of a pair with probability 0.036 (Mann and Whitney, p below 1e-12).",
        "NEGATIVE_TAIL: Truncated non-negativity, which opttinf needs, is violated: for "a", E[X 1{|X| > M}] is −3.66 ± 0.257 at M = 0, clearly below 0.",
      ]
    `);
  });

  it("tails: none of few losses, none of equal ones, and never an error", async () => {
    const seen = observed(MATCHED);
    expect(await tails(seen.outcomes, null, ARMS)).toBe(NO_TAILS);
    for (let i = 0; i < 300; i++) seen.answer(0, i % 3 === 0 ? 1e300 : -1e300);
    expect((await tails(seen.outcomes, null, ARMS)).byArm.size).toBe(0);
    expect(await tails(seen.outcomes, null, [])).toBe(NO_TAILS);
  });
});
