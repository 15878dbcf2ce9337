import { createPolicy, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { Learner } from "../src/bandit/learner.js";
import type { Document } from "../src/schemas.js";

const document: Document = {
  arms: ["a", "b", "c"],
  policy: { policy: "matched-tinf" },
  seed: 7,
  windowSeconds: 60,
  expired: "ignore",
  holdout: 0,
  segments: [],
  cap: null,
  unit: "",
  direction: "loss",
};

describe("a learner", () => {
  it("is the library's policy on the segment's stream, bit for bit", () => {
    const learner = Learner.fresh(document, [0, 1, 2], "eu");
    const policy = createPolicy(document.policy, 3);
    const rng = stream(7, "segment", "eu");
    for (let i = 0; i < 500; i++) {
      const drawn = learner.decide(0, 0);
      const { arm, round, probability, threshold, ...choice } = policy.choose(rng);
      expect(drawn).toEqual({ number: arm, round, probability, threshold, holdout: false });
      learner.learn(drawn, arm + (i % 5));
      policy.update({ arm, round, probability, threshold, ...choice }, arm + (i % 5));
    }
  });

  it("draws the holdout uniformly, in its share, and without a round: 20,000 draws within 5 standard errors, a false alarm in 1e6", () => {
    const learner = Learner.fresh(document, [4, 5, 9], "");
    const draws = Array.from({ length: 20_000 }, () => learner.decide(0.3, 0));
    const held = draws.filter(({ holdout }) => holdout);
    expect(Math.abs(held.length - 6_000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.3 * 0.7));
    for (const number of [4, 5, 9]) {
      const count = held.filter((drawn) => drawn.number === number).length;
      expect(Math.abs(count - held.length / 3)).toBeLessThan(5 * Math.sqrt((held.length * 2) / 9));
    }
    expect(new Set(held.map(({ round, probability, threshold }) => JSON.stringify([round, probability, threshold])))).toEqual(
      new Set(["[null,0.3333333333333333,null]"]),
    );
    expect(learner.round).toBe(20_000 - held.length);
  });

  it("logs its probabilities at most every ten seconds, and only if they are few", () => {
    const learner = Learner.fresh(document, [0, 1, 2], "");
    const logged = [10_000, 10_001, 19_999, 20_000, 20_001].map((at) => learner.decide(0, at).probabilities?.length);
    expect(logged).toEqual([3, undefined, undefined, 3, undefined]);
    const many = Learner.fresh(
      document,
      Array.from({ length: 21 }, (_, number) => number),
      "",
    );
    expect(many.decide(0, 10_000).probabilities).toBeUndefined();
  });

  it("has not moved if its policy refuses", () => {
    const policy = { policy: "adatinf", horizon: 2 };
    const learner = Learner.fresh({ ...document, policy }, [0, 1], "");
    learner.decide(0.5, 0);
    while (learner.round < 2) learner.decide(0.5, 0);
    for (let i = 0; i < 20; i++) {
      const before = learner.snapshot();
      try {
        learner.decide(0.5, 0);
      } catch (error) {
        expect(error).toMatchObject({ code: "ERR_HORIZON" });
        expect(learner.snapshot()).toEqual(before);
        return;
      }
    }
    throw new Error("it was never refused");
  });

  it.each([
    [3, 0],
    [3, 1],
    [3, 40],
    [3, 600],
    [200, 600],
  ])("of %i arms goes back to the last mark, after %i steps since a snapshot, with the same future", (arms, steps) => {
    const numbers = Array.from({ length: arms }, (_, number) => number);
    const learner = Learner.fresh(document, numbers, "");
    const play = (count: number) => {
      for (let i = 0; i < count; i++) {
        const drawn = learner.decide(0.2, i * 5_000);
        if (!drawn.holdout) learner.learn(drawn, drawn.number);
      }
    };
    learner.mark(1);
    play(steps / 2);
    learner.rearrange(numbers.filter((number) => number !== 1));
    learner.reseed(3, "", 9);
    learner.mark(2);
    const before = JSON.stringify(learner.snapshot());
    play(30);
    expect(JSON.stringify(learner.snapshot())).not.toBe(before);
    learner.reset();
    expect(JSON.stringify(learner.snapshot())).toBe(before);
    play(300);
    learner.reset();
    expect(JSON.stringify(learner.snapshot())).toBe(before);
  });

  it("goes back to a mark after a decision that was taken as recorded: another version made it", () => {
    const learner = Learner.fresh(document, [0, 1, 2], "");
    learner.mark(3);
    learner.force({ number: 2, round: 1, probability: null, threshold: null, holdout: false });
    learner.mark(4);
    const before = JSON.stringify(learner.snapshot());
    learner.decide(0, 0);
    learner.reset();
    expect(JSON.stringify(learner.snapshot())).toBe(before);
  });

  it("restores a snapshot, with the same future", () => {
    const learner = Learner.fresh(document, [0, 1, 2], "");
    const play = (one: Learner) =>
      Array.from({ length: 50 }, (_, i) => {
        const drawn = one.decide(0.2, i * 5_000);
        if (!drawn.holdout) one.learn(drawn, drawn.number);
        return drawn;
      });
    play(learner);
    const snapshot = JSON.parse(JSON.stringify(learner.snapshot()));
    const copy = Learner.restore(snapshot);
    const future = play(learner);
    expect(play(copy)).toEqual(future);
  });

  it("keeps what it knows of arms by their numbers", () => {
    const learner = Learner.fresh(document, [0, 1, 2], "");
    for (let i = 0; i < 400; i++) {
      const drawn = learner.decide(0, 0);
      learner.learn(drawn, drawn.number === 1 ? 0 : 1);
    }
    const before = learner.probabilities()!;
    learner.rearrange([7, 1]);
    const probabilities = learner.probabilities()!;
    expect(probabilities[0]).toBeCloseTo(0.5, 12);
    expect(before[1]).toBeGreaterThan(0.5);
    expect(learner.snapshot().arms).toEqual([7, 1]);
  });

  it("looking at the probabilities changes nothing", () => {
    const [seen, unseen] = [0, 1].map(() => Learner.fresh(document, [0, 1, 2], "")) as [Learner, Learner];
    for (let i = 0; i < 200; i++) {
      seen.probabilities();
      const [a, b] = [seen.decide(0, 0), unseen.decide(0, 0)];
      expect(a).toEqual(b);
      seen.learn(a, a.number);
      unseen.learn(b, b.number);
    }
  });
});
