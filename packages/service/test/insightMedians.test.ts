import { type Rng, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { medianDifference, medians } from "../src/insight/medians.js";
import { OutcomeRing } from "../src/insight/outcomeRing.js";

/** Outcomes whose holdout begins, ends and is spread evenly in between. */
function world(holdout: readonly number[], policy: readonly number[]): OutcomeRing {
  const ring = new OutcomeRing();
  let next = 0;
  holdout.forEach((loss, i) => {
    ring.answered(0, 0, 0, 0, true, loss, false);
    const until = Math.round(((i + 1) * policy.length) / (holdout.length - 1));
    while (i < holdout.length - 1 && next < until && next < policy.length) ring.answered(0, 0, 1, 0, false, policy[next++]!, false);
  });
  return ring;
}

type Sampler = (rng: Rng) => number;

/** A Pareto distribution of index 1.5. */
const paretoOf =
  (scale: number): Sampler =>
  (rng) =>
    scale * rng.open() ** (-2 / 3);

function draws(sampler: Sampler, count: number, rng: Rng): number[] {
  return Array.from({ length: count }, () => sampler(rng));
}

describe("the difference of medians", () => {
  it("has distances that are hypotenuses, each end with those that move it", () => {
    const [a, b] = [
      { estimate: 10, low: 7, high: 15 },
      { estimate: 2, low: -10, high: 6 },
    ];
    // 3 and 4 down, 5 and 12 up.
    expect(medianDifference(a, b)).toEqual({ estimate: 8, low: 3, high: 21 });
  });
});

// 1,000 worlds each. If an interval covers with 94 %, fewer than 917 of 1,000 have a probability of 0.2 %; the distributions without a difference in the middle
// cover with at least 95 %.
const WORLDS = 1_000;
const FEWEST = 917;

describe("coverage", () => {
  const DISTRIBUTIONS: Record<string, Sampler> = {
    "Pareto, index 1.5": paretoOf(1),
    // By Box and Muller.
    lognormal: (rng) => Math.exp(Math.sqrt(-2 * Math.log(rng.open())) * Math.cos(2 * Math.PI * rng.uniform())),
    "two points": (rng) => (rng.uniform() < 0.7 ? 0 : 10),
  };

  it.each(Object.entries(DISTRIBUTIONS))("is about 95 percent where nothing is saved: %s", (name, sampler) => {
    const rng = stream(11, "nothing saved", name);
    let covered = 0;
    for (let i = 0; i < WORLDS; i++) {
      const { difference } = medians(world(draws(sampler, 100, rng), draws(sampler, 900, rng)), null, "ignore");
      if (difference!.low <= 0 && difference!.high >= 0) covered++;
    }
    expect(covered).toBeGreaterThanOrEqual(FEWEST);
  });

  it("is about 95 % where something is saved", () => {
    const rng = stream(12, "something saved");
    const [ours, theirs] = [paretoOf(1), paretoOf(1.5)];
    const middle = 0.5 * 2 ** (2 / 3);
    let covered = 0;
    for (let i = 0; i < WORLDS; i++) {
      const { difference } = medians(world(draws(theirs, 150, rng), draws(ours, 850, rng)), null, "ignore");
      if (difference!.low <= middle && difference!.high >= middle) covered++;
    }
    expect(covered).toBeGreaterThanOrEqual(FEWEST);
  });
});

describe("medians", () => {
  const few = Array.from({ length: 99 }, (_, i) => i);
  const many = Array.from({ length: 1_000 }, (_, i) => i / 1_000);

  it("need 100 decisions on each side", () => {
    const none = { policy: null, holdout: null, difference: null };
    expect(medians(world(few, many), null, "ignore")).toEqual(none);
    expect(medians(world(many, few), null, "ignore")).toEqual(none);
    expect(medians(new OutcomeRing(), null, "ignore")).toEqual(none);
  });

  it("have the figures of the naive definition", () => {
    const rng = stream(3, "figures");
    const [holdout, policy] = [draws(paretoOf(1), 200, rng), draws(paretoOf(1), 800, rng).map((loss) => -loss)];
    const found = medians(world(holdout, policy), null, "ignore");
    const middle = (losses: readonly number[]): number => {
      const sorted = [...losses].sort((a, b) => a - b);
      return (sorted[losses.length / 2 - 1]! + sorted[losses.length / 2]!) / 2;
    };
    expect(found.difference!.estimate).toBeCloseTo(middle(holdout) - middle(policy), 9);
    expect([found.holdout!.answered, found.policy!.answered]).toEqual([200, 800]);
  });

  it("count decisions without feedback as the owner says, on both sides alike", () => {
    const ring = world(many, many);
    for (let i = 0; i < 30; i++) ring.expired(0, 0, 0, 0, i % 3 === 2);
    const ignored = medians(ring, null, "ignore");
    expect([ignored.policy!.answered, ignored.holdout!.answered]).toEqual([1_000, 1_000]);
    const counted = medians(ring, null, 5);
    expect([counted.policy!.answered, counted.holdout!.answered]).toEqual([1_020, 1_010]);
  });

  it("leave out what the policy did before there was a holdout, and after it", () => {
    const ring = new OutcomeRing();
    for (let i = 0; i < 500; i++) ring.answered(0, 0, 0, 0, false, 1e6, false);
    for (let i = 0; i < 400; i++) ring.answered(0, 0, 0, 0, i % 2 === 0 || i === 399, 1, false);
    for (let i = 0; i < 500; i++) ring.answered(0, 0, 0, 0, false, 1e6, false);
    const { policy, difference } = medians(ring, null, "ignore");
    expect([policy!.answered, difference!.estimate]).toEqual([199, 0]);
  });

  it("are about one segment if one is asked for", () => {
    const ring = world(many, many);
    for (const loss of many) ring.answered(0, 0, 0, 7, true, loss + 9, false);
    for (const loss of many) ring.answered(0, 0, 0, 7, false, loss, false);
    ring.answered(0, 0, 0, 7, true, 9, false);
    expect(medians(ring, 7, "ignore").difference!.low).toBeGreaterThan(8);
    expect(medians(ring, 0, "ignore").difference!.low).toBeLessThan(0);
  });
});
