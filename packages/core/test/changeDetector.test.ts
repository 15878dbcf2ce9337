// The detector is exact: its ranks are independent and uniform, so its evidence is bounded by Ville's inequality. And it finds changes.
import { describe, expect, test } from "vitest";
import { type Rng, stream } from "../src/index.js";
import { ChangeDetector } from "../src/policies/matched/changeDetector.js";

type Draw = (rng: Rng) => number;

/** By Box and Muller. */
const normal: Draw = (rng) => Math.sqrt(-2 * Math.log(rng.open())) * Math.cos(2 * Math.PI * rng.uniform());
const bernoulli =
  (p: number): Draw =>
  (rng) =>
    rng.uniform() < p ? 1 : 0;
const pareto =
  (shape: number): Draw =>
  (rng) =>
    rng.open() ** (-1 / shape);

/** A detector whose only arm has heard 15 losses. */
function withCuts(cuts: readonly number[]): ChangeDetector {
  const detector = new ChangeDetector(1);
  for (const cut of cuts) detector.observe(0, cut, 0.5);
  return detector;
}

function orders<T>(values: readonly T[]): T[][] {
  return values.length === 0 ? [[]] : values.flatMap((value, i) => orders(values.filter((_, j) => j !== i)).map((rest) => [value, ...rest]));
}

describe("ranks", () => {
  const CUTS = Array.from({ length: 15 }, (_, i) => i);
  test.each([
    ["in four bins", CUTS, [0.5, 3.5, 7.5, 20]],
    ["two in one bin, one on a cut", CUTS, [3, 2.5, 7.5, -1]],
    ["three equal", CUTS, [5, 5, 5, 6.5]],
    ["all equal, cuts and all", CUTS.map(() => 1), [1, 1, 1, 1]],
    ["0 and 1, with cuts of 0 and 1", CUTS.map((i) => i % 2), [0, 1, 0, 1]],
    ["0 and 1, with cuts of 0", CUTS.map(() => 0), [0, 1, 0, 0]],
  ])("are exactly independent and uniform over all orders of four losses: %s", (_, cuts, losses) => {
    // p_n is in one of n cells. Of 12 equally likely u as many lie in each part that the cells make of a bin, since n <= 4 divides 12.
    const cells = new Map<string, number>();
    const detector = withCuts(cuts);
    const ready = detector.state();
    const us = Array.from({ length: 12 }, (_, i) => (i + 0.5) / 12);
    for (const order of orders(losses)) {
      for (const second of us) {
        for (const third of us) {
          for (const fourth of us) {
            detector.load(ready);
            const key = order.map((loss, i) => Math.floor((i + 1) * detector.observe(0, loss, [0.5, second, third, fourth][i]!)!)).join();
            cells.set(key, (cells.get(key) ?? 0) + 1);
          }
        }
      }
    }
    expect(cells.size).toBe(1 * 2 * 3 * 4);
    expect(new Set(cells.values())).toEqual(new Set([12 ** 3]));
  });

  const level = (rng: Rng) => 5 * normal(rng);
  test.each<[string, (rng: Rng) => Draw]>([
    ["normal", () => normal],
    ["Pareto 1.1", () => pareto(1.1)],
    ["Bernoulli .05", () => bernoulli(0.05)],
    ["three values", () => (rng) => Math.floor(3 * rng.uniform() ** 2)],
    ["constant", () => () => 7],
    [
      "exchangeable but not independent: a level of its own for each sequence",
      (rng) => {
        const own = level(rng);
        return (each) => own + normal(each);
      },
    ],
  ])("of whole sequences, cuts included, are uniform in pairs: %s", (name, law) => {
    // Ranks 3 and 4 of losses that became bins, after 15 cuts of the same law: 16 cells, 4,000 sequences. A chi-square with 15 degrees of freedom exceeds 60 with probability 2e-7.
    const rng = stream(11, "ranks", name);
    const cells = new Array<number>(16).fill(0);
    for (let sequence = 0; sequence < 4000; sequence++) {
      const [detector, draw] = [new ChangeDetector(1), law(rng)];
      let [before, last] = [0, 0];
      for (let i = 0; i < 19; i++) [before, last] = [last, detector.observe(0, draw(rng), rng.uniform()) ?? 0];
      cells[4 * Math.floor(4 * before) + Math.floor(4 * last)]!++;
    }
    const chiSquare = cells.reduce((sum, count) => sum + (count - 250) ** 2 / 250, 0);
    expect(chiSquare).toBeLessThan(60);
  });
});

describe("evidence", () => {
  test("is on average what was paid in: 1/2, then 1/12 twice, then 1/48 four times", () => {
    // With equal losses the rank is u itself; all bets pay above a multiple of 0.05.
    const us = Array.from({ length: 20 }, (_, i) => (i + 0.5) / 20);
    const mean = (earlier: readonly number[]): number => us.reduce((sum, u) => sum + after([...earlier, u]), 0) / us.length;
    const after = (us: readonly number[]) => {
      const detector = withCuts(new Array(15).fill(1));
      for (const u of us) detector.observe(0, 1, u);
      return detector.evidence(0);
    };
    expect(after([])).toBe(0);
    expect(mean([])).toBeCloseTo(1 / 2, 12);
    expect(mean([0.9])).toBeCloseTo(after([0.9]) + 1 / 12, 12);
    expect(mean([0.9, 0.2])).toBeCloseTo(after([0.9, 0.2]) + 1 / 12, 12);
    expect(mean([0.9, 0.2, 0.4])).toBeCloseTo(after([0.9, 0.2, 0.4]) + 1 / 48, 12);
  });

  test.each<[string, Draw]>([
    ["normal", normal],
    ["Pareto 1.1", pareto(1.1)],
    ["Bernoulli .02", bernoulli(0.02)],
    ["constant", () => 1],
  ])("reaches 20 in at most 1 of 20 sequences of 1,000 losses that do not change: %s", (name, draw) => {
    // If the probability were .05, more than 28 of 200 would have a probability below 1e-6.
    const rng = stream(12, "evidence", name);
    let alarms = 0;
    for (let sequence = 0; sequence < 200; sequence++) {
      const detector = new ChangeDetector(1);
      for (let i = 0; i < 1000; i++) {
        detector.observe(0, draw(rng), rng.uniform());
        if (detector.evidence(0) < 20) continue;
        alarms++;
        break;
      }
    }
    expect(alarms).toBeLessThanOrEqual(28);
  });

  test.each<[string, Draw, Draw, number]>([
    ["normal + 1 deviation", normal, (rng) => normal(rng) + 1, 60],
    ["normal + .3 deviations", normal, (rng) => normal(rng) + 0.3, 700],
    ["Bernoulli .3 to .5", bernoulli(0.3), bernoulli(0.5), 300],
    ["Pareto 1.6 times 1.5", pareto(1.6), (rng) => 1.5 * pareto(1.6)(rng), 75],
    ["constant, then a little more", () => 0.1, () => 0.100001, 20],
  ])("finds a rise after 2,000 losses: %s", (name, before, after, most) => {
    // The median of 21 sequences at the threshold of 4 arms and a probability of .05.
    const rng = stream(13, "rise", name);
    const delays = Array.from({ length: 21 }, () => {
      const detector = new ChangeDetector(1);
      for (let i = 0; i < 2000; i++) detector.observe(0, before(rng), rng.uniform());
      let delay = 0;
      for (; detector.evidence(0) < (4 * 2) / 0.05 && delay < 3000; delay++) detector.observe(0, after(rng), rng.uniform());
      return delay;
    });
    expect([...delays].sort((a, b) => a - b)[10]).toBeLessThanOrEqual(most);
  });

  test("does not mind a fall", () => {
    const rng = stream(14, "fall");
    const detector = new ChangeDetector(1);
    for (let i = 0; i < 4000; i++) {
      detector.observe(0, normal(rng) - (i < 2000 ? 0 : 2), rng.uniform());
      expect(detector.evidence(0)).toBeLessThan(160);
    }
  });

  test("stays finite however long an arm rises", () => {
    const detector = new ChangeDetector(1);
    for (let i = 0; i < 2000; i++) detector.observe(0, i, 0.99);
    expect(detector.evidence(0)).toBeLessThanOrEqual(1e100);
  });
});

describe("state", () => {
  const feed = (detector: ChangeDetector, arms: readonly number[], rng: Rng) => arms.map((arm) => detector.observe(arm, normal(rng), rng.uniform()));
  const turns = (count: number, arms: number) => Array.from({ length: count }, (_, i) => (i * i) % arms);

  test("a loaded detector has the same future, from any moment on", () => {
    for (const rounds of [0, 1, 14, 30, 200]) {
      const detector = new ChangeDetector(3);
      feed(detector, turns(rounds, 3), stream(15));
      const copy = new ChangeDetector(3);
      copy.load(JSON.parse(JSON.stringify(detector.state())));
      expect(feed(copy, turns(100, 3), stream(16))).toEqual(feed(detector, turns(100, 3), stream(16)));
      expect(copy.state()).toEqual(detector.state());
    }
  });

  test("a restarted arm is new, and the others go on", () => {
    const detector = new ChangeDetector(2);
    feed(detector, turns(200, 2), stream(17));
    const before = detector.evidence(0);
    detector.restart(1);
    expect([detector.evidence(0), detector.evidence(1)]).toEqual([before, 0]);
    const fresh = new ChangeDetector(2);
    const only = new Array<number>(40).fill(1);
    expect(feed(detector, only, stream(18))).toEqual(feed(fresh, only, stream(18)));
  });

  test("kept arms are carried, and new ones begin", () => {
    const detector = new ChangeDetector(3);
    feed(detector, turns(300, 3), stream(19));
    const next = new ChangeDetector(2);
    next.resume(detector, [1, null]);
    expect(next.evidence(0)).toBe(detector.evidence(1));
    const [kept, fresh] = [new Array<number>(30).fill(1), new ChangeDetector(1)];
    const wanted = feed(detector, kept, stream(20));
    expect(feed(next, new Array<number>(30).fill(0), stream(20))).toEqual(wanted);
    expect(feed(next, kept, stream(21))).toEqual(feed(fresh, new Array<number>(30).fill(0), stream(21)));
  });

  test("a rank that is only asked for is that among the cuts, then among as many binned losses, and changes nothing", () => {
    const detector = new ChangeDetector(1);
    expect(detector.rank(0, 3, 0.25)).toBe(0.25);
    for (let i = 0; i < 15; i++) {
      expect(detector.rank(0, 3, 0.5)).toBe((Math.min(i, 3) + (i > 3 ? 1 : 0.5)) / (i + 1));
      detector.observe(0, i, 0.5);
    }
    for (let i = 0; i < 15; i++) {
      expect(detector.rank(0, 3, 0.5)).toBe(4 / 16);
      detector.observe(0, 20, 0.5);
    }
    const before = detector.state();
    expect(detector.rank(0, 3, 0.5)).toBe(0.5 / 16);
    expect(detector.rank(0, 3, 0.75)).toBe(detector.observe(0, 3, 0.75));
    expect(detector.state()).not.toEqual(before);
  });

  test("beyond all cuts every larger loss has the same rank, and only there", () => {
    const detector = withCuts(Array.from({ length: 15 }, (_, i) => i));
    expect([13.5, 14, 14.5].map((loss) => detector.isSettled(0, loss))).toEqual([false, false, true]);
    expect(new ChangeDetector(1).isSettled(0, 1e300)).toBe(false);
  });

  test("a broken state is refused, with nothing loaded", () => {
    const detector = new ChangeDetector(2);
    feed(detector, turns(100, 2), stream(22));
    const state = detector.state();
    for (const name of ["heard", "cuts", "binned", "stakes"]) {
      const broken = { ...new ChangeDetector(2).state(), [name]: [Number.NaN] };
      expect(() => detector.load(broken)).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: `state.${name}` }));
      expect(detector.state()).toEqual(state);
    }
  });
});
