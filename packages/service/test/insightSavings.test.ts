import { type Rng, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { clippedMean, differenceOf, meanEstimate, medianDifference } from "../src/insight/differences.js";
import { OutcomeRing } from "../src/insight/outcomeRing.js";
import { savings } from "../src/insight/savings.js";

const SETTINGS = { holdout: 0.05, expired: "ignore" } as const;

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

/** A Pareto law of index 1.5. */
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

describe("clipped means", () => {
  it("are those of the naive definition", () => {
    const losses = Float64Array.of(-9, -1, 0.5, 2, 3, 50);
    const clipped = [-4, -1, 0.5, 2, 3, 4];
    const mean = clipped.reduce((sum, each) => sum + each) / 6;
    const variance = clipped.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 5 / 6;
    const found = clippedMean(losses, 4);
    expect(4 * found.mean).toBeCloseTo(mean, 12);
    expect(16 * found.variance).toBeCloseTo(variance, 12);
    const { estimate, low, high } = meanEstimate(differenceOf(found, { mean: 0, variance: 0, third: 0 }), 4);
    expect(estimate).toBeCloseTo(mean, 12);
    // The skewness of these is negative: the low end is moved outwards.
    expect(high - estimate).toBeCloseTo(1.959963984540054 * Math.sqrt(variance), 12);
    expect(estimate - low).toBeGreaterThan(high - estimate);
    // And of the reverse it is positive: so is everything.
    const reverse = meanEstimate(
      clippedMean(
        losses.map((loss) => -loss),
        4,
      ),
      4,
    );
    expect([-reverse.estimate, -reverse.high, -reverse.low]).toEqual([estimate, low, high].map((end) => expect.closeTo(end, 12)));
  });

  it("keep the largest losses within doubles", () => {
    const found = meanEstimate(clippedMean(Float64Array.of(1e300, -1e300, 1e300), 1e300), 1e300);
    expect(Object.values(found).every(Number.isFinite)).toBe(true);
  });
});

// 1,000 worlds each. If an interval covers with 94 %, fewer than 917 of 1,000 have a probability of 0.2 %; the laws without a difference in the middle
// cover with at least 95 %.
const WORLDS = 1_000;
const FEWEST = 917;

describe("coverage", () => {
  const LAWS: Record<string, Sampler> = {
    "Pareto, index 1.5": paretoOf(1),
    // By Box and Muller.
    lognormal: (rng) => Math.exp(Math.sqrt(-2 * Math.log(rng.open())) * Math.cos(2 * Math.PI * rng.uniform())),
    "two points": (rng) => (rng.uniform() < 0.7 ? 0 : 10),
  };

  it.each(Object.entries(LAWS))("is about 95 percent where nothing is saved: %s", (name, law) => {
    const rng = stream(11, "nothing saved", name);
    const covered = { mean: 0, median: 0, saves: 0 };
    for (let i = 0; i < WORLDS; i++) {
      const { truncatedMean, median, sentence } = savings(world(draws(law, 100, rng), draws(law, 900, rng)), null, SETTINGS);
      if (truncatedMean!.low <= 0 && truncatedMean!.high >= 0) covered.mean++;
      if (median!.low <= 0 && median!.high >= 0) covered.median++;
      if (sentence.startsWith("Each decision saves")) covered.saves++;
    }
    expect(covered.mean).toBeGreaterThanOrEqual(FEWEST);
    expect(covered.median).toBeGreaterThanOrEqual(FEWEST);
    // With a rate of 2.5 %, more than 42 of 1,000 have a probability of 0.05 %.
    expect(covered.saves).toBeLessThanOrEqual(42);
  });

  it("is about 95 % where something is saved, by truncated means and by medians", () => {
    const rng = stream(12, "something saved");
    const [ours, theirs] = [paretoOf(1), paretoOf(1.5)];
    // E min(X, T) = s + 2 s^1.5 (s^-0.5 - T^-0.5) for a Pareto law of index 1.5 and scale s.
    const clipped = (scale: number, limit: number): number => scale + 2 * scale ** 1.5 * (scale ** -0.5 - limit ** -0.5);
    const covered = { mean: 0, median: 0 };
    for (let i = 0; i < WORLDS; i++) {
      const { truncatedMean, median, truncatedAt } = savings(world(draws(theirs, 150, rng), draws(ours, 850, rng)), null, SETTINGS);
      const saved = clipped(1.5, truncatedAt!) - clipped(1, truncatedAt!);
      if (truncatedMean!.low <= saved && truncatedMean!.high >= saved) covered.mean++;
      const middle = 0.5 * 2 ** (2 / 3);
      if (median!.low <= middle && median!.high >= middle) covered.median++;
    }
    expect(covered.mean).toBeGreaterThanOrEqual(FEWEST);
    expect(covered.median).toBeGreaterThanOrEqual(FEWEST);
  });
});

describe("savings", () => {
  const few = Array.from({ length: 99 }, (_, i) => i);
  const many = Array.from({ length: 1_000 }, (_, i) => i / 1_000);

  it("says how to get a holdout", () => {
    const ring = new OutcomeRing();
    for (const loss of many) ring.answered(0, 0, 0, 0, false, loss, false);
    expect(savings(ring, null, { ...SETTINGS, holdout: 0 })).toEqual({
      policy: null,
      holdout: null,
      truncatedMean: null,
      median: null,
      truncatedAt: null,
      sentence:
        'There is no holdout to compare with. PATCH the bandit with { "holdout": 0.05 }, and 5 % of its decisions are drawn uniformly, which shows what the policy saves.',
    });
    expect(savings(ring, null, SETTINGS).sentence).toBe("Not enough yet: no decision of the holdout has an outcome, and 100 are needed.");
  });

  it("says how many are needed", () => {
    expect(savings(world(few, many), null, SETTINGS).sentence).toBe(
      "Not enough yet: 99 decisions of the holdout can be compared, and 100 are needed.",
    );
    expect(savings(world(few, many), null, { ...SETTINGS, holdout: 0 }).sentence).toContain("No more will come, since the holdout is 0 now");
    expect(savings(world(many, few), null, SETTINGS).sentence).toContain("99 decisions of the policy can be compared");
  });

  it("says what is saved, what it costs, and that nothing is to be seen", () => {
    const dearer = many.map((loss) => loss + 1);
    expect(savings(world(dearer, many), null, SETTINGS).sentence).toMatch(
      /^Each decision saves 1 \(0\.9\d+ to 1\.0\d+\) against the holdout, by truncated means; the median saves 1 \(0\.9\d+ to 1\.0\d+\)\.$/,
    );
    expect(savings(world(many, dearer), null, SETTINGS).sentence).toMatch(
      /^It costs more than the holdout: each decision costs 1 \(0\.9\d+ to 1\.0\d+\) more, by truncated means; the median costs 1 \(0\.9\d+ to 1\.0\d+\) more\.$/,
    );
    expect(savings(world(many, many), null, SETTINGS).sentence).toMatch(
      /^No difference is visible yet: each decision saves 0 \(-0\.0\d+ to 0\.0\d+\)/,
    );
  });

  it("has the figures of the naive definition", () => {
    const rng = stream(3, "figures");
    const [holdout, policy] = [draws(paretoOf(1), 200, rng), draws(paretoOf(1), 800, rng).map((loss) => -loss)];
    const found = savings(world(holdout, policy), null, SETTINGS);
    const sizes = [...holdout, ...policy].map(Math.abs).sort((a, b) => a - b);
    const limit = sizes[989]! + 0.01 * (sizes[990]! - sizes[989]!);
    expect(found.truncatedAt).toBeCloseTo(limit, 9);
    const mean = (losses: readonly number[]): number =>
      losses.reduce((sum, loss) => sum + Math.max(-limit, Math.min(limit, loss)), 0) / losses.length;
    expect(found.truncatedMean!.estimate).toBeCloseTo(mean(holdout) - mean(policy), 9);
    expect(found.holdout!.truncatedMean.estimate).toBeCloseTo(mean(holdout), 9);
    const middle = (losses: readonly number[]): number => {
      const sorted = [...losses].sort((a, b) => a - b);
      return (sorted[losses.length / 2 - 1]! + sorted[losses.length / 2]!) / 2;
    };
    expect(found.median!.estimate).toBeCloseTo(middle(holdout) - middle(policy), 9);
    expect([found.holdout!.answered, found.policy!.answered]).toEqual([200, 800]);
  });

  it("counts decisions without feedback as the owner says, on both sides alike", () => {
    const ring = world(many, many);
    for (let i = 0; i < 30; i++) ring.expired(0, 0, 0, 0, i % 3 === 2);
    const ignored = savings(ring, null, SETTINGS);
    expect([ignored.policy!.answered, ignored.holdout!.answered]).toEqual([1_000, 1_000]);
    expect(ignored.sentence).toContain("Decisions without feedback are not counted: 20 of the policy's and 10 of the holdout's.");
    const counted = savings(ring, null, { ...SETTINGS, expired: 5 });
    expect([counted.policy!.answered, counted.holdout!.answered]).toEqual([1_020, 1_010]);
    expect(counted.sentence).toContain("Decisions without feedback count with the loss 5: 20 of the policy's and 10 of the holdout's.");
  });

  it("leaves out what the policy did before there was a holdout, and after it", () => {
    const ring = new OutcomeRing();
    for (let i = 0; i < 500; i++) ring.answered(0, 0, 0, 0, false, 1e6, false);
    for (let i = 0; i < 400; i++) ring.answered(0, 0, 0, 0, i % 2 === 0 || i === 399, 1, false);
    for (let i = 0; i < 500; i++) ring.answered(0, 0, 0, 0, false, 1e6, false);
    const { policy, sentence } = savings(ring, null, SETTINGS);
    expect(policy!.answered).toBe(199);
    expect(sentence).toMatch(/^No difference/);
  });

  it("sees rare losses, though more than 99 % are 0", () => {
    const rare = Array.from({ length: 2_000 }, (_, i) => (i % 250 === 0 ? 3 : 0));
    const { truncatedAt, truncatedMean } = savings(
      world(
        rare,
        rare.map(() => 0),
      ),
      null,
      SETTINGS,
    );
    expect(truncatedAt).toBe(3);
    expect(truncatedMean!.estimate).toBeCloseTo(0.012, 12);
  });

  it("is about one segment if one is asked for", () => {
    const ring = world(many, many);
    for (const loss of many) ring.answered(0, 0, 0, 7, true, loss + 9, false);
    for (const loss of many) ring.answered(0, 0, 0, 7, false, loss, false);
    ring.answered(0, 0, 0, 7, true, 9, false);
    expect(savings(ring, 7, SETTINGS).truncatedMean!.low).toBeGreaterThan(8);
    expect(savings(ring, 0, SETTINGS).truncatedMean!.low).toBeLessThan(0);
  });
});
