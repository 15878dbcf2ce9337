import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Latency, type LoadBin } from "../src/model/latency.js";

/** The bin of a load, in whole numbers: the largest k with 2^k <= (n + 1)^2. */
function binOf(inFlight: number): number {
  const square = BigInt(inFlight + 1) ** 2n;
  return square.toString(2).length - 1;
}

/** The place of the mean load of a bin, on the scale of the bins. There is no load in bin 1. */
function middleOf(bin: number): number {
  const loads = [...Array(Math.ceil(2 ** ((bin + 1) / 2)) + 1).keys()].filter((n) => binOf(n) === bin);
  return 2 * Math.log2((loads[0]! + loads.at(-1)!) / 2 + 1);
}

interface Knot {
  readonly place: number;
  readonly rise: number;
}

/** Straight lines between knots, and flat outside. */
function between(knots: readonly Knot[], place: number): number {
  const above = knots.findIndex((knot) => knot.place >= place);
  if (above < 0) return knots.at(-1)?.rise ?? 0;
  if (above === 0) return knots[0]!.rise;
  const [a, b] = [knots[above - 1]!, knots[above]!];
  return a.rise + ((b.rise - a.rise) * (place - a.place)) / (b.place - a.place);
}

interface Summary {
  readonly bin: number;
  readonly weight: number;
  readonly mean: number;
  readonly variance: number;
}

/**
 * The same estimate from all that was ever seen: a bin's samples count alike up to 256; after that, each new one counts 1/256 and takes that from the others. It is made again
 * with each of the first 16 samples of a bin, and otherwise with every sixteenth sample. */
class Reference {
  readonly #all = new Map<number, number[]>();
  #logs = new Map<number, number[]>();
  #since = 0;

  observe(inFlight: number, seconds: number): void {
    const bin = binOf(inFlight);
    const logs = [...(this.#all.get(bin) ?? []), Math.log(Math.max(seconds, 1e-6))];
    this.#all.set(bin, logs);
    this.#since++;
    if (logs.length > 16 && this.#since < 16) return;
    this.#logs = new Map(this.#all);
    this.#since = 0;
  }

  factor(inFlight: number): number {
    const seen = [...this.#logs].filter(([, logs]) => logs.length >= 2).map(([bin]) => bin);
    const largest = Math.max(0, ...seen);
    const knots = this.#knots();
    const middles = [...Array(largest + 1).keys()]
      .filter((bin) => bin !== 1)
      .map((bin) => ({ place: middleOf(bin), rise: between(knots, middleOf(bin)) }));
    const place = 2 * Math.log2(inFlight + 1);
    return Math.exp(between(middles, place)) * 2 ** (Math.max(0, place - middleOf(largest)) / 4);
  }

  #summaries(): Summary[] {
    return [...this.#logs]
      .filter(([, logs]) => logs.length >= 4)
      .sort(([a], [b]) => a - b)
      .map(([bin, logs]) => {
        const weights = logs.map((_, i) =>
          i < 256 ? (1 / Math.min(logs.length, 256)) * (255 / 256) ** Math.max(0, logs.length - 256) : (255 / 256) ** (logs.length - 1 - i) / 256,
        );
        const mean = logs.reduce((sum, x, i) => sum + weights[i]! * x, 0);
        const variance = logs.reduce((sum, x, i) => sum + weights[i]! * (x - mean) ** 2, 0);
        return { bin, weight: Math.min(logs.length, 256), mean, variance };
      });
  }

  /** Isotonic regression by its min-max formula: a bin's level is the largest, over where a stretch may begin, of the smallest mean of a stretch that covers it. */
  #knots(): Knot[] {
    const bins = this.#summaries();
    const mean = (part: Summary[], of: "mean" | "variance") =>
      part.reduce((sum, each) => sum + each.weight * each[of], 0) / part.reduce((sum, { weight }) => sum + weight, 0);
    const levels = bins.map((_, k) =>
      Math.max(...bins.slice(0, k + 1).map((_, i) => Math.min(...bins.slice(k).map((_, j) => mean(bins.slice(i, k + j + 1), "mean"))))),
    );
    const blockOf = (k: number) => bins.filter((_, i) => Math.abs(levels[i]! - levels[k]!) < 1e-12);
    const error = (block: Summary[]) => mean(block, "variance") / block.reduce((sum, { weight }) => sum + weight, 0);
    const starts = [...bins.keys()].filter((k) => blockOf(k)[0] === bins[k]);
    let highest = 0;
    return starts.map((k) => {
      const block = blockOf(k);
      const weight = block.reduce((sum, each) => sum + each.weight, 0);
      const place = block.reduce((sum, each) => sum + each.weight * middleOf(each.bin), 0) / weight;
      if (k > 0) highest = Math.max(highest, levels[k]! - levels[0]! - 0.75 * Math.sqrt(error(block) + error(blockOf(0))));
      return { place, rise: highest };
    });
  }
}

const load = fc.oneof(fc.nat(3), fc.nat(20), fc.nat(300));
const sample = fc.tuple(load, fc.double({ min: 1e-7, max: 50, noNaN: true }));
const samples = fc.array(sample, { maxLength: 150, size: "max" });
const LOADS = [...Array(40).keys(), 63, 64, 100, 127, 128, 200, 255, 256, 300, 1000, 1e6];

/** Latency that really grows with load, so that there is something to find. */
const rising = samples.map((list) => list.map(([n, u]) => [n, (1 + n) * (1 + u / 50)] as const));

function taught(list: Iterable<readonly [number, number]>): Latency {
  const curve = new Latency();
  for (const [n, seconds] of list) curve.observeAtLeast(n, seconds);
  return curve;
}

describe("the load curve", () => {
  it("has the bins 0, 1, 2, 3-4, 5-6, 7-10, 11-14 and so on", () => {
    const bins = (n: number) => taught([[n, 1]]).snapshot().bins.length - 1;
    expect([0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 14, 15].map(bins)).toEqual([0, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8]);
    for (let n = 0; n < 5000; n++) expect(bins(n)).toBe(binOf(n));
  });

  it("is 1 at rest and grows with the root of the load while nothing is known", () => {
    const curve = new Latency();
    expect(curve.factor(0)).toBe(1);
    for (const n of [3, 15, 63, 255]) expect(curve.factor(n)).toBeCloseTo(Math.sqrt(n + 1), 12);
  });

  it.each([
    ["anything", samples],
    ["a latency that grows with load", rising],
  ])("property: is what a slow reference computes from all samples: %s", (_, lists) => {
    fc.assert(
      fc.property(lists, (list) => {
        const [curve, reference] = [taught(list), new Reference()];
        for (const [n, seconds] of list) reference.observe(n, seconds);
        for (const n of LOADS) expect(curve.factor(n) / reference.factor(n)).toBeCloseTo(1, 8);
      }),
      { numRuns: 100 },
    );
  });

  it("remembers 256 samples of a bin, and the older ones fade (reference)", () => {
    const [curve, reference] = [new Latency(), new Reference()];
    for (let i = 0; i < 1400; i++) {
      const [n, seconds] = [[0, 1, 5][i % 3]!, (1 + (i % 3)) * (1 + ((i * 7919) % 101) / 100) * (i < 700 ? 1 : 3)];
      curve.observeAtLeast(n, seconds);
      reference.observe(n, seconds);
    }
    for (const n of LOADS) expect(curve.factor(n) / reference.factor(n)).toBeCloseTo(1, 8);
    expect(curve.factor(5)).toBeGreaterThan(2);
  });

  it("property: is at least 1, finite, and never falls as the load grows", () => {
    const hostile = fc.array(fc.tuple(load, fc.oneof(fc.constantFrom(0, -1, 1e-300, 1e300), fc.double({ min: 0, max: 1e300, noNaN: true }))), {
      maxLength: 100,
      size: "max",
    });
    fc.assert(
      fc.property(fc.oneof(samples, hostile), (list) => {
        const curve = taught(list);
        let before = 1;
        for (const n of [...LOADS, 1e9, Number.MAX_SAFE_INTEGER]) {
          const factor = curve.factor(n);
          expect(Number.isFinite(factor) && factor >= before).toBe(true);
          before = factor;
        }
      }),
    );
  });

  it("property: shows points that say the same as its factors, as far as loads were seen", () => {
    fc.assert(
      fc.property(fc.oneof(samples, rising), (list) => {
        const curve = taught(list);
        const points = curve.points();
        expect(points[0]).toEqual({ inFlight: 0, factor: 1 });
        for (const [i, { inFlight, factor }] of points.entries()) {
          expect(factor).toBe(curve.factor(inFlight));
          if (i === 0) continue;
          expect(inFlight > points[i - 1]!.inFlight && factor > points[i - 1]!.factor).toBe(true);
        }
        const largest = Math.max(0, ...list.map(([n]) => n));
        expect(points.at(-1)!.inFlight).toBeLessThanOrEqual(largest);
      }),
    );
  });

  it("has no steps: within a bin each further request makes an upstream slower, where load does", () => {
    const curve = taught(Array.from({ length: 4000 }, (_, i) => [i % 40, 0.02 * (1 + (i % 40))] as const));
    for (let n = 2; n < 35; n++) expect(curve.factor(n + 1) / curve.factor(n)).toBeGreaterThan(1.01);
    for (let n = 2; n < 35; n++) expect(curve.factor(n + 1) / curve.factor(n)).toBeLessThan(1.5);
  });

  it("property: goes on from its snapshot, through JSON, as if nothing had happened", () => {
    fc.assert(
      fc.property(samples, samples, (before, after) => {
        const curve = taught(before);
        const copy = new Latency(JSON.parse(JSON.stringify(curve.snapshot())));
        for (const each of [curve, copy]) for (const [n, seconds] of after) each.observeAtLeast(n, seconds);
        expect(copy.snapshot()).toEqual(curve.snapshot());
        expect(LOADS.map((n) => copy.factor(n))).toEqual(LOADS.map((n) => curve.factor(n)));
        (copy.snapshot().bins as LoadBin[])[0] = { weight: 9, mean: 9, variance: 9 };
        expect(copy.snapshot()).toEqual(curve.snapshot());
      }),
    );
  });

  it("is cautious: noise that does not depend on load makes no rise, and a real rise is not overstated", () => {
    const noisy = taught(Array.from({ length: 400 }, (_, i) => [i % 8, 0.02 * (1 + ((i * 7919) % 101) / 50)] as const));
    expect(noisy.factor(7)).toBeLessThan(1.2);
    const loaded = taught(Array.from({ length: 400 }, (_, i) => [i % 8, (i % 8 === 7 ? 0.1 : 0.02) * (1 + ((i * 7919) % 101) / 500)] as const));
    // The middle of the bin 7-10.
    expect(loaded.factor(8.5) > 4 && loaded.factor(8.5) < 5).toBe(true);
  });

  it("property: leans on the peers' steeper curve as far as it lacks 64 latencies of its own at that load", () => {
    const many = fc.tuple(load, fc.integer({ min: 1, max: 100 })).map(([n, times]) => Array.from({ length: times }, () => [n, 1 + n / 9] as const));
    let [leaned, own] = [0, 0];
    fc.assert(
      fc.property(fc.oneof(samples, rising), fc.array(many, { maxLength: 4 }), fc.oneof(samples, rising), (some, more, others) => {
        const list = [...some, ...more.flat()];
        const [curve, peers] = [taught(list), taught(others)];
        for (const n of LOADS) {
          const weight = Math.min(1, list.filter(([each]) => binOf(each) === binOf(n)).length / 64);
          const [alone, theirs, both] = [curve.factor(n), peers.factor(n), curve.factor(n, peers)];
          expect(both / (theirs > alone ? alone ** weight * theirs ** (1 - weight) : alone)).toBeCloseTo(1, 9);
          expect(both).toBeGreaterThanOrEqual(alone);
          if (weight === 1) expect(both).toBe(alone);
          if (both > alone) leaned++;
          if (weight === 1 && theirs > alone) own++;
        }
      }),
    );
    expect([leaned > 100, own > 10]).toEqual([true, true]);
  });
});
