// Conformance: the interface; then what the paper's own policies are, one by one. Snapshots, hostile losses and bad input have files of their own.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Ada2TINF, AdaTINF, type Choice, createPolicy, HTINF, isSkipped, OptTINF, restorePolicy, stream, UniformPolicy } from "../src/index.js";
import { IndexPolicy } from "../src/policies/base/indexPolicy.js";
import { CASES, clone, ensure, heavy, hostileLoss, isDrawn, lossesFor } from "./conformance.js";
import { play, sum } from "./policies.js";

describe.each(CASES)("conformance: %s", (_name, spec, kernel) => {
  const create = (arms: number) => createPolicy(spec, arms, { kernel });
  const losses = lossesFor(spec)[0]!;

  test("starts at round 0, uniform or with the lowest arm first, and has a complete spec", () => {
    for (const arms of [1, 2, 7, 100]) {
      const policy = create(arms);
      expect(policy.round).toBe(0);
      expect(policy.spec).toEqual(spec);
      const x = policy.probabilities();
      // An index policy begins with the arms in turn; where its index is drawn, nobody knows the probabilities.
      if (policy instanceof IndexPolicy) {
        for (let i = 1; i < arms && x !== null; i++) expect(x[i]! <= x[0]! && x[i] === x[1]).toBe(true);
      } else for (const p of x!) expect(Math.abs(p * arms - 1)).toBeLessThan(1e-13);
    }
  });

  test("a Choice is JSON-safe and says what was drawn", () => {
    const policy = create(5);
    const rng = stream(2, "choice");
    const loss = losses(2);
    for (let round = 1; round <= 60; round++) {
      const x = policy.probabilities();
      const choice = policy.choose(rng);
      expect(clone(choice)).toEqual(choice);
      expect(Object.keys(choice)).toEqual(["policy", "round", "arm", "probability", "threshold"]);
      expect(choice).toMatchObject({ policy: policy.policyId, round });
      expect(isDrawn(choice, x, kernel === "dense" ? 0 : 1e-12)).toBe(true);
      policy.update(choice, loss(round, choice.arm));
      expect(policy.round).toBe(round);
    }
  });

  test("fills the Choice that it is given", () => {
    const policy = create(3);
    const twin = create(3);
    const into: Choice = { policy: "", round: 0, arm: 0, probability: 0, threshold: null };
    expect(policy.choose(stream(3), into)).toBe(into);
    expect(twin.choose(stream(3))).toEqual(into);
    expect(policy.force(1, into)).toBe(into);
    expect(twin.force(1)).toEqual(into);
  });

  test("a forced arm learns as if it had been drawn", () => {
    const drawn = create(4);
    const forced = create(4);
    const rng = stream(4, "force");
    const loss = losses(4);
    const [choices, forcings]: Choice[][] = [[], []];
    for (let i = 0; i < 300; i++) {
      const choice = drawn.choose(rng);
      choices!.push(choice);
      forcings!.push(forced.force(choice.arm));
      const value = loss(choice.round, choice.arm);
      drawn.update(choice, value);
      forced.update(clone(choice), value);
    }
    expect(forcings).toEqual(choices);
    expect(forced.snapshot()).toEqual(drawn.snapshot());
  });

  test("looking changes nothing: probabilities, details and snapshot leave the same future", () => {
    const watched = create(6);
    const left = create(6);
    const [rngA, rngB, lossA, lossB] = [stream(5), stream(5), losses(5), losses(5)];
    const [seen, unseen]: Choice[][] = [[], []];
    for (let i = 0; i < 150; i++) {
      watched.probabilities();
      const a = watched.choose(rngA);
      const b = left.choose(rngB);
      seen!.push(a);
      unseen!.push(b);
      watched.probabilities();
      watched.details();
      const before = JSON.stringify(watched.snapshot());
      watched.probabilities();
      ensure(JSON.stringify(watched.snapshot()) === before, () => `another snapshot than ${before}`);
      watched.update(a, lossA(a.round, a.arm));
      left.update(b, lossB(b.round, b.arm));
    }
    expect(seen).toEqual(unseen);
  });

  test("two runs with the same seed are the same run", () => {
    expect(play(create(5), 500, losses(6), stream(6))).toEqual(play(create(5), 500, losses(6), stream(6)));
  });

  test("one arm is played with certainty, for ever", () => {
    const policy = create(1);
    expect(new Set(play(policy, 300, losses(7)))).toEqual(new Set([0]));
    expect(policy.probabilities()?.[0] ?? 1).toBe(1);
  });
});

describe("HTINF", () => {
  test("property: losses and sigma times k leave the arms as they are", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(2, 1.7, 1.5, 1.1),
        fc.integer({ min: 2, max: 9 }),
        fc.double({ min: -200, max: 200, noNaN: true }),
        fc.nat(1000),
        (alpha, arms, exponent, seed) => {
          const k = 10 ** exponent;
          const [one, other] = [heavy(seed), heavy(seed)];
          const unscaled = play(new HTINF({ arms, alpha, sigma: 2 }), 300, one, stream(seed));
          const scaled = play(new HTINF({ arms, alpha, sigma: 2 * k }), 300, (round, arm) => k * other(round, arm), stream(seed));
          expect(scaled).toEqual(unscaled);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("a skip sets the estimate to zero and the round counts", () => {
    const policy = new HTINF({ arms: 3, alpha: 1.5, sigma: 1 });
    const choice = policy.force(0);
    policy.update(choice, choice.threshold! * 1.0001);
    expect(policy.snapshot().state).toEqual({ losses: [0, 0, 0] });
    expect(policy.round).toBe(1);
    policy.update(choice, choice.threshold!);
    expect((policy.snapshot().state as { losses: number[] }).losses[0]).toBe(choice.threshold! / choice.probability!);
  });

  test("skips at alpha = 2, where the printed Theta is NaN in JavaScript", () => {
    const choice = new HTINF({ arms: 2, alpha: 2, sigma: 1 }).force(0);
    expect(choice.threshold).toBeCloseTo((1 - 2 ** (-1 / 3)) * Math.SQRT1_2, 14);
    expect(isSkipped(choice, 0.15)).toBe(true);
    expect(isSkipped(choice, -0.15)).toBe(true);
    expect(isSkipped(choice, 0.14)).toBe(false);
  });

  test("refuses a forced arm whose probability is below 1e-300", () => {
    const policy = new HTINF({ arms: 2, alpha: 1.05, sigma: 1 });
    for (;;) {
      const before = JSON.stringify(policy.snapshot());
      try {
        const choice = policy.force(1);
        policy.update(choice, choice.threshold!);
      } catch (error) {
        expect(error).toMatchObject({ code: "ERR_PROBABILITY", parameter: "arm", value: 1 });
        expect(JSON.stringify(policy.snapshot())).toBe(before);
        expect(policy.probabilities()[1]).toBeLessThan(1e-300);
        return;
      }
    }
  });

  test.each([[1], [2.0000001], [0.5], [Number.NaN], ["1.5"], [null], [Number.POSITIVE_INFINITY], [-1.5]])("alpha %s is refused", (alpha) => {
    expect(() => new HTINF({ arms: 2, alpha: alpha as number, sigma: 1 })).toThrow(
      expect.objectContaining({ code: "ERR_PARAMETER", parameter: "alpha", message: expect.stringMatching(/^alpha must be in \(1, 2\], got /) }),
    );
  });
  test.each([[0], [-1], [Number.NaN], [Number.POSITIVE_INFINITY], ["1"], [null]])("sigma %s is refused", (sigma) => {
    expect(() => new HTINF({ arms: 2, alpha: 1.5, sigma: sigma as number })).toThrow(
      expect.objectContaining({ code: "ERR_PARAMETER", parameter: "sigma" }),
    );
  });
  test("a missing parameter is named", () => {
    expect(() => createPolicy({ policy: "htinf", alpha: 1.5 }, 2)).toThrow(expect.objectContaining({ code: "ERR_MISSING", parameter: "sigma" }));
    expect(() => createPolicy({ alpha: 1.5 }, 2)).toThrow(expect.objectContaining({ code: "ERR_MISSING", parameter: "policy" }));
    expect(() => createPolicy({ policy: "toString" }, 2)).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_NAME", parameter: "policy" }));
  });
  test("the path of a nested spec is in the message", () => {
    expect(() => createPolicy({ policy: "htinf", alpha: 3, sigma: 1 }, 2, { path: "policies.mine." })).toThrow(
      "policies.mine.alpha must be in (1, 2], got 3",
    );
  });
});

test("property: OptTINF is HTINF(2, 1), bit for bit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(hostileLoss, { minLength: 1, maxLength: 200 }), (arms, losses) => {
      const [a, b] = [new OptTINF({ arms }), new HTINF({ arms, alpha: 2, sigma: 1 })];
      const [rngA, rngB] = [stream(1), stream(1)];
      for (const loss of losses) {
        const [one, other] = [a.choose(rngA), b.choose(rngB)];
        expect({ ...one, policy: "" }).toEqual({ ...other, policy: "" });
        a.update(one, loss);
        b.update(other, loss);
      }
    }),
  );
});

describe("AdaTINF", () => {
  test("property: equals OptTINF while J = 0", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(1000), (arms, seed) => {
        const [ada, opt] = [new AdaTINF({ arms, horizon: 1000 }), new OptTINF({ arms })];
        const [rngA, rngB] = [stream(seed), stream(seed)];
        const loss = heavy(seed);
        for (let i = 0; i < 1000 && ada.details().epoch === 0; i++) {
          const [one, other] = [ada.choose(rngA), opt.choose(rngB)];
          expect({ ...one, policy: "" }).toEqual({ ...other, policy: "" });
          const value = loss(one.round, one.arm);
          ada.update(one, value);
          opt.update(other, value);
        }
      }),
      { numRuns: 100 },
    );
  });

  // Why the logarithm in the doubling always exists: the sum is within its budget before each round, so only a positive cost can push it over.
  test("property: J never falls, the sum stays within its budget, and J grows only on a positive cost", () => {
    let doublings = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.tuple(fc.oneof(hostileLoss, fc.double({ min: 0, max: 50, noNaN: true })), fc.boolean()), { minLength: 1, maxLength: 150 }),
        (arms, events) => {
          const horizon = events.length;
          const policy = new AdaTINF({ arms, horizon });
          const budget = Math.sqrt(arms * (horizon + 1));
          const rng = stream(horizon);
          const late: Choice[] = [];
          for (const [loss, wait] of events) {
            late.push(policy.choose(rng));
            if (wait) continue;
            const choice = late.shift()!;
            const before = policy.snapshot().state as { epoch: number; sum: number };
            expect(before.sum).toBeLessThanOrEqual(2 ** before.epoch * budget);
            policy.update(choice, loss);
            const after = policy.snapshot().state as { epoch: number; sum: number };
            expect(after.epoch).toBeGreaterThanOrEqual(before.epoch);
            if (after.epoch > before.epoch) {
              doublings++;
              const cost = isSkipped(choice, loss) ? loss : 2 * (1 - 2 ** (-1 / 3)) * (Math.abs(loss) / choice.threshold!) * Math.abs(loss);
              expect(cost).toBeGreaterThan(0);
              expect(after.sum).toBeCloseTo(cost, -Math.log10(cost) + 9);
              expect(after.sum).toBeLessThanOrEqual(2 ** (after.epoch - 1) * budget * (1 + 1e-15));
            }
          }
        },
      ),
      { numRuns: 1000 },
    );
    expect(doublings).toBeGreaterThan(20); // about 100; the property is empty without them
  });

  test("J jumps when one cost is far beyond the budget, and L is kept", () => {
    const policy = new AdaTINF({ arms: 4, horizon: 24 });
    policy.update(policy.force(0), 0.01);
    const { losses } = policy.snapshot().state as { losses: number[] };
    policy.update(policy.force(1), 1000); // Q = 10: ceil(log2(100)) + 1 = 8
    expect(policy.snapshot().state).toEqual({ losses, epoch: 8, sum: 1000 });
    policy.update(policy.force(1), -1e6);
    expect(policy.snapshot().state).toEqual({ losses, epoch: 8, sum: 1000 - 1e6 });
  });

  test("a round past the horizon is refused; late feedback is still taken", () => {
    const policy = new AdaTINF({ arms: 2, horizon: 3 });
    const choices = [0, 1, 0].map((arm) => policy.force(arm));
    const before = JSON.stringify(policy.snapshot());
    for (const act of [() => policy.choose(stream(1)), () => policy.force(0)]) {
      expect(act).toThrow(expect.objectContaining({ code: "ERR_HORIZON", parameter: "horizon", value: 3 }));
      expect(JSON.stringify(policy.snapshot())).toBe(before);
    }
    for (const choice of choices) policy.update(choice, 0.01);
    expect(JSON.stringify(policy.snapshot())).not.toBe(before);
  });

  // A sum over its budget used to make the next doubling take the logarithm of a cost that is not positive: it hung on 0 and wrote NaN on -5.
  test("a snapshot whose sum is over its budget is refused, and so is an epoch that would overflow", () => {
    for (const policy of [new AdaTINF({ arms: 2, horizon: 100 }), new Ada2TINF({ arms: 2 })]) {
      for (let i = 0; i < 20; i++) policy.update(policy.choose(stream(i)), 0.01);
      const good = clone(policy.snapshot());
      const spoil = (state: object) => () => restorePolicy({ ...good, state: { ...good.state, ...state } });
      for (const sum of [1e9, Number.NaN, -1e308])
        expect(spoil({ sum })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.sum" }));
      for (const epoch of [1020, 5000, -1, 0.5])
        expect(spoil({ epoch })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.epoch" }));
      expect(spoil({ epoch: 900, sum: 1e270 })).not.toThrow();
    }
  });

  test("the horizon is required, and a snapshot beyond it is refused", () => {
    expect(() => createPolicy({ policy: "adatinf" }, 2)).toThrow(expect.objectContaining({ code: "ERR_MISSING", parameter: "horizon" }));
    for (const horizon of [0, 1.5, -3, Number.NaN, "10", null])
      expect(() => createPolicy({ policy: "adatinf", horizon }, 2)).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "horizon" }));
    const snapshot = new AdaTINF({ arms: 2, horizon: 3 }).snapshot();
    expect(() => restorePolicy({ ...snapshot, round: 4 })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "round" }));
  });
});

describe("Ada2TINF", () => {
  test("restarts at rounds 1, 2, 5, 12, 27, 58, 121", () => {
    const policy = new Ada2TINF({ arms: 3 });
    const restarts: number[] = [];
    let last = 0;
    for (let round = 1; round <= 130; round++) {
      const choice = policy.choose(stream(round));
      const { superEpoch } = policy.details();
      if (superEpoch !== last) restarts.push(round);
      last = superEpoch!;
      policy.update(choice, 0.5);
    }
    expect(restarts).toEqual([1, 2, 5, 12, 27, 58, 121]);
  });

  test("property: each super-epoch is a fresh AdaTINF of its own length", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.nat(1000), (arms, seed) => {
        const policy = new Ada2TINF({ arms });
        const loss = heavy(seed);
        for (let m = 1; m <= 7; m++) {
          const inner = new AdaTINF({ arms, horizon: 2 ** m - 1 });
          const [rngA, rngB] = [stream(seed, m), stream(seed, m)];
          for (let t = 1; t < 2 ** m; t++) {
            const x = inner.probabilities();
            expect(policy.probabilities()).toEqual(x);
            const [one, other] = [policy.choose(rngA), inner.choose(rngB)];
            expect({ ...one, policy: "", round: t }).toEqual({ ...other, policy: "" });
            expect(policy.details()).toEqual({ superEpoch: m, ...inner.details() });
            const value = loss(t, one.arm);
            policy.update(one, value);
            inner.update(other, value);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  test("feedback of a finished super-epoch is accepted and changes nothing", () => {
    const policy = new Ada2TINF({ arms: 2 });
    const choices = Array.from({ length: 5 }, () => policy.choose(stream(1)));
    const before = JSON.stringify(policy.snapshot());
    for (const choice of choices.slice(0, 4)) policy.update(choice, 0.01);
    expect(JSON.stringify(policy.snapshot())).toBe(before);
    policy.update(choices[4]!, 0.01);
    expect(JSON.stringify(policy.snapshot())).not.toBe(before);
  });
});

describe("the control", () => {
  // chi-squared on 10 arms, 1e5 rounds, false-alarm rate 1e-6: upper quantile of chi2(9) is 46.2
  test("uniform plays every arm equally often, whatever it is told", () => {
    const counts = new Array<number>(10).fill(0);
    for (const arm of play(new UniformPolicy({ arms: 10 }), 100_000, (_round, arm) => (arm === 0 ? 1e6 : 0))) counts[arm]!++;
    expect(sum(counts.map((count) => (count - 1e4) ** 2 / 1e4))).toBeLessThan(46.2);
  });
});
