import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Choice, createPolicy, MatchedTINF, type PolicySpec, restorePolicy, stream } from "../src/index.js";
import { cold, KERNELS } from "./kernels.js";
import { naiveMinimiser, worstError } from "./naiveFtrl.js";
import { play, sum } from "./policies.js";

const THETA = 0.7;
const KAPPA = 0.5;
const RESIDUAL_SHARE = 0.5;
const HINT_BUDGET = 0.3;
const FLOOR = 0.7;
const CEILING = 0.6;
const WIDTH = 2;
const RECENT = 0.02;

const heavy = (seed: number) => {
  const rng = stream(seed, "losses");
  return (_round: number, arm: number) => (rng.uniform() < 0.3 ? -1 : 1) * rng.open() ** (-1 / 1.4) + 0.2 * arm;
};

const square = (x: number) => x * x;
const upperMedian = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** What an arm has cost, in units above the level of that moment, as far as it was believed: each loss with the weight of its round. */
interface Heard {
  readonly weight: number;
  readonly y: number;
}

/** What the model has wanted to add to an arm's estimate since its last feedback, and what it has added, sweep by sweep. */
interface Hints {
  readonly wanted: number[];
  readonly given: number[];
}

const clip = (value: number, most: number) => Math.min(Math.max(value, -most), most);

/** The policy's definition, literally: every loss, residual and hint is kept, means and variances are summed afresh, squares are formed, and p is a subtraction. */
class Naive {
  readonly arms: number;
  readonly quota: number;
  readonly every: number;
  round = 0;
  losses: number[];
  /** An arm's hint budget as of its last feedback. */
  granted: number[];
  hints: Hints[];
  /** f as of an arm's last feedback. */
  covered: number[];
  feedbacks: number[];
  beta = 0;
  penalty = 0;
  learned = 0;
  scale: { centre: number; unit: number } | undefined;
  /** Feedback from before there was a scale, all of it. */
  first: { arm: number; loss: number }[] = [];
  heard: Heard[][];
  /** The residuals of all arms, in the order of their feedback, clipped as the recent mean sees them. */
  residuals: number[] = [];
  level = 0;
  /** The variance of the first losses, and the weight of the round that completed them. */
  prior = { variance: 0, weight: 0 };
  pooled = 0;
  spread = 0;
  leader = 0;
  /** How often an estimate met its ceiling. */
  lowered = 0;

  constructor(arms: number, rarest = 0) {
    this.arms = arms;
    this.quota = 3 * rarest;
    this.every = Math.ceil(arms / 6);
    this.losses = new Array(arms).fill(0);
    this.granted = new Array(arms).fill(0);
    this.covered = new Array(arms).fill(1);
    this.feedbacks = new Array(arms).fill(0);
    this.hints = Array.from({ length: arms }, () => ({ wanted: [], given: [] }));
    this.heard = Array.from({ length: arms }, () => []);
  }

  probabilities(): number[] {
    return naiveMinimiser(this.losses, this.beta || 1, 2);
  }

  /** Plays an arm; its probability is all that travels with a Choice. */
  choose(arm: number, x = this.probabilities()): number {
    this.penalty = 2 * (sum(x.map(Math.sqrt)) - 1);
    this.round++;
    if (this.beta > 0 && this.round % this.every === 0) {
      this.giveHints();
      if (this.arms >= 80) this.lower();
    }
    return x[arm]!;
  }

  giveHints(): void {
    this.survey();
    for (const [arm, { wanted, given }] of this.hints.entries()) {
      const want = this.every * Math.sqrt(this.round) * this.hint(arm);
      const hint = Math.min(want, this.hintBudget(arm));
      wanted.push(want);
      given.push(hint);
      this.losses[arm]! += hint;
    }
  }

  /** What is left of an arm's hint budget. */
  hintBudget(arm: number): number {
    return Math.max(0, this.granted[arm]! - sum(this.hints[arm]!.given));
  }

  /** f. */
  coverage(arm: number): number {
    const wanted = sum(this.hints[arm]!.wanted);
    return wanted > 0 ? sum(this.hints[arm]!.given) / wanted : this.covered[arm]!;
  }

  /** The smallest probability that an arm is to have in the next round, were it alone with an arm that has all the rest. */
  least(arm: number): number {
    const t = this.round + 1;
    const eps = CEILING / (this.arms * Math.sqrt(t));
    return this.quota > 0 ? Math.max(eps, (this.quota - this.feedbacks[arm]!) / (t + this.quota * this.arms)) : eps;
  }

  lower(): void {
    const smallest = Math.min(...this.losses);
    for (const [arm, loss] of this.losses.entries()) {
      const ceiling = smallest + this.beta / Math.sqrt(this.least(arm));
      if (loss <= ceiling) continue;
      this.losses[arm] = ceiling;
      this.lowered++;
    }
  }

  /** The number of plays that are remembered. */
  plays(arm: number): number {
    return sum(this.heard[arm]!.map(({ weight }) => weight)) / Math.sqrt(this.round);
  }

  /** Above the level. */
  mean(arm: number): number {
    const heard = this.heard[arm]!;
    return heard.length === 0 ? 0 : sum(heard.map(({ weight, y }) => weight * y)) / sum(heard.map(({ weight }) => weight));
  }

  variance(arm: number): number {
    const [heard, mean] = [this.heard[arm]!, this.mean(arm)];
    return heard.length === 0 ? 0 : sum(heard.map(({ weight, y }) => weight * square(y - mean))) / sum(heard.map(({ weight }) => weight));
  }

  get lowest(): number {
    return this.level + this.mean(this.leader);
  }

  hint(arm: number): number {
    const n = this.plays(arm);
    return (n / (n + 10)) * (this.mean(arm) - this.mean(this.leader));
  }

  /** Pools variances as samples are pooled, sums of squares over degrees of freedom, with the first losses as one more; and finds the leader. */
  survey(): void {
    const first = this.prior.weight / Math.sqrt(this.round);
    let [squares, freedom] = [first * this.prior.variance, first];
    for (let arm = 0; arm < this.arms; arm++) {
      if (this.heard[arm]!.length === 0) continue;
      if (this.heard[this.leader]!.length === 0 || this.mean(arm) < this.mean(this.leader)) this.leader = arm;
      const n = this.plays(arm);
      if (n <= 1) continue;
      squares += Math.min(n, 16) * this.variance(arm);
      freedom += (Math.min(n, 16) * (n - 1)) / n;
    }
    this.pooled = squares / freedom;
    const means = this.heard.flatMap((all, arm) => (all.length === 0 ? [] : [this.mean(arm)]));
    this.spread = Math.max(...means) - Math.min(...means);
  }

  /** Bad residuals are clipped, good ones are not. */
  observe(arm: number, y: number, weight: number): void {
    const mean = this.mean(arm);
    const width = WIDTH * Math.sqrt(this.pooled + this.plays(arm) * this.variance(arm));
    const residual = Math.min(y - this.level - mean, width);
    this.heard[arm]!.push({ weight, y: mean + residual });
    if (this.mean(arm) < this.mean(this.leader)) this.leader = arm;
    const variance = this.pooled + this.variance(arm);
    this.residuals.push(clip(residual, 10 * Math.sqrt(variance)));
    const [drift, noise] = [this.recent(), this.recent(square)];
    const clear = 3 * Math.sqrt((Math.max(noise, variance) * RECENT) / (2 - RECENT));
    if (Math.abs(drift) > clear) this.level += 0.1 * (drift - clip(drift, clear));
  }

  /** The recent mean of the residuals, or of a function of them: what came before the first ones counts as 0. */
  recent(f = (residual: number) => residual): number {
    return sum(this.residuals.map((residual, i) => RECENT * (1 - RECENT) ** (this.residuals.length - 1 - i) * f(residual)));
  }

  inUnits(loss: number): number {
    return (loss - this.scale!.centre) / this.scale!.unit;
  }

  residual({ round, arm }: { round: number; arm: number }, loss: number): number {
    const f = this.coverage(arm);
    return (1 - (1 - RESIDUAL_SHARE) * f) * Math.sqrt(round) * (this.inUnits(loss) - this.lowest - f * this.hint(arm));
  }

  floor(): number {
    return FLOOR * Math.sqrt(this.pooled * Math.sqrt(this.round) ** 2 * ((this.learned + 1) / 2));
  }

  /** Whether the loss was clipped; undefined while there is no scale. */
  update({ round, arm, x }: { round: number; arm: number; x: number }, loss: number): boolean | undefined {
    this.feedbacks[arm]!++;
    if (this.scale === undefined) {
      this.start(arm, loss);
      return undefined;
    }
    const v = this.residual({ round, arm }, loss);
    const r = THETA * this.beta * Math.sqrt(x);
    const c = Math.min(Math.abs(v), r);
    this.losses[arm]! += (Math.sign(v) * c) / x;
    const z = (square(c) * (1 - x)) / Math.sqrt(x);
    const least = 2 * (Math.sqrt(x) + Math.sqrt(1 - x) - 1);
    const raise = z > 0 && this.arms > 1 ? (KAPPA * z) / (this.beta * Math.max(this.penalty, least)) : 0;
    this.beta = Math.max(this.beta + raise, this.floor());
    this.covered[arm] = this.coverage(arm);
    this.granted[arm] = (HINT_BUDGET * this.beta) / Math.sqrt(x);
    this.hints[arm] = { wanted: [], given: [] };
    this.observe(arm, this.inUnits(loss), Math.sqrt(round));
    this.learned++;
    if (this.arms < 80) this.lower();
    return Math.abs(v) > r;
  }

  start(arm: number, loss: number): void {
    this.first.push({ arm, loss });
    const ring = this.first.slice(-8);
    if (ring.length < 8) return;
    const centre = upperMedian(ring.map((one) => one.loss));
    const deviations = ring.map((one) => Math.abs(one.loss - centre));
    const most = 3 * upperMedian(deviations);
    // Where more than half are equal there is no median deviation to compare with.
    const deviation = sum(deviations.map((each) => (most > 0 ? Math.min(each, most) : each))) / 8;
    if (deviation < 1e-290) return;
    let unit = 1;
    while (unit > deviation) unit /= 2;
    while (2 * unit <= deviation) unit *= 2;
    this.scale = { centre, unit };
    // Three halves: the square of a normal's deviation is pi / 2 of that of its mean one.
    this.pooled = 1.5 * square(deviation / unit);
    this.prior = { variance: this.pooled, weight: Math.sqrt(this.round) };
    this.leader = ring[0]!.arm;
    for (const one of ring) this.observe(one.arm, this.inUnits(one.loss), Math.sqrt(this.round));
    this.survey();
    this.beta = RESIDUAL_SHARE * Math.sqrt(this.pooled * this.arms) * Math.sqrt(this.round);
    this.granted.fill(HINT_BUDGET * this.beta * Math.sqrt(this.arms));
  }

  /** All of what a snapshot says, but for the leader where two lead. */
  state(): Partial<State> {
    const each = <T>(f: (arm: number) => T) => Array.from({ length: this.arms }, (_, arm) => f(arm));
    return {
      losses: this.losses,
      beta: this.beta,
      penalty: this.penalty,
      learned: this.learned,
      hintBudgets: each((arm) => this.hintBudget(arm)),
      granted: this.granted,
      wanted: this.hints.map(({ wanted }) => sum(wanted)),
      covered: this.covered,
      ...(this.quota > 0 && { tries: this.feedbacks }),
      ...this.scale,
      pooled: this.pooled,
      spread: this.spread,
      level: this.level,
      drift: this.recent(),
      noise: this.recent(square),
      prior: this.prior.variance,
      since: this.prior.weight,
      counts: each((arm) => this.plays(arm) * Math.sqrt(this.round)),
      means: each((arm) => this.mean(arm)),
      variances: each((arm) => this.variance(arm)),
    };
  }
}

/** What a policy knows. */
interface State {
  losses: number[];
  firstArms: number[];
  firstLosses: number[];
  centre: number;
  unit: number;
  beta: number;
  penalty: number;
  learned: number;
  hintBudgets: number[];
  granted: number[];
  wanted: number[];
  covered: number[];
  tries?: number[];
  pooled: number;
  spread: number;
  leader: number;
  level: number;
  drift: number;
  noise: number;
  prior: number;
  since: number;
  counts: number[];
  means: number[];
  variances: number[];
}
const stateOf = (policy: MatchedTINF) => policy.snapshot().state as unknown as State;

/** By its definition, the residual of an arm without the weight of its round: a part of what a loss of y units is above what was expected, which is lo and the hints that were given. */
function newsOf(
  { means, counts, leader, level, granted, hintBudgets, wanted, covered }: State,
  now: number,
  { arm }: { arm: number },
  y: number,
): number {
  const n = counts[arm]! / Math.sqrt(now);
  const hint = (n / (n + 10)) * (means[arm]! - means[leader]!);
  const f = wanted[arm]! > 0 ? (granted[arm]! - hintBudgets[arm]!) / wanted[arm]! : covered[arm]!;
  return (1 - (1 - RESIDUAL_SHARE) * f) * (y - level - means[leader]! - f * hint);
}

/** The largest difference between a state and its definition, relative to the largest number of the same kind. */
function worstOf(actual: State, expected: Partial<State>): number {
  // The variance of one loss is 0, or the square of a rounding error; the level and the recent mean are differences.
  const deviation = Math.sqrt(actual.pooled);
  const smallest: Partial<Record<string, number>> = { variances: actual.pooled, level: deviation, drift: deviation };
  const list = (value: unknown) => (Array.isArray(value) ? value : [value]) as number[];
  const errors = Object.entries(expected).map(([key, value]) => {
    const [have, want] = [list(actual[key as keyof State]), list(value)];
    const size = Math.max(...want.map(Math.abs), smallest[key] ?? 0);
    return Math.max(...want.map((number, i) => Math.abs(have[i]! - number))) / (size || 1);
  });
  return Math.max(...errors);
}

/** A policy at some moment of a world with heavy tails. */
function aged(arms: number, rounds: number, kernel: "dense" | "indexed", seed = 3, forgetting = {}): MatchedTINF {
  const policy = new MatchedTINF({ arms, kernel, ...forgetting });
  play(policy, rounds, heavy(seed), stream(seed, "aged"));
  return policy;
}

/** Losses that come late, if at all: each event is a round, whether it is followed by feedback, and which of the open Choices that is for. */
const lateEvents = fc.array(
  fc.tuple(
    fc.integer({ min: -60, max: 60 }).map((size) => size / 5),
    fc.boolean(),
    fc.nat(99),
  ),
  // The size: else fast-check is content with ten.
  { minLength: 1, maxLength: 150, size: "max" },
);

/** The size of a loss that is neither small nor large beside beta. */
const besideBeta = (policy: MatchedTINF, share: number) => Math.max(share * policy.details().beta!, 1);

describe.each(KERNELS)("MatchedTINF, $name kernel", ({ name: kernel }) => {
  // 7 arms are swept every 2 rounds, 60 every 10, 100 every 17 and 252 every 42, which also is when their estimates are limited.
  test.each([
    [2, 0, undefined],
    [2, 7, undefined],
    [5, 0, undefined],
    [5, 20, undefined],
    [7, 150, undefined],
    [60, 0, undefined],
    [100, 100, undefined],
    [252, 0, undefined],
    [252, 90, 2],
    [3, 0, 30],
    [5, 20, 12.5],
    [60, 5, 3],
  ])("reference: %i arms, feedback up to %i rounds late, rarest %s, agrees with the definition to 1e-9", (arms, lateness, rarest) => {
    const policy = new MatchedTINF({ arms, kernel, ...(rarest !== undefined && { rarest }) });
    const naive = new Naive(arms, rarest);
    const [rng, delays, loss] = [stream(1, "arms", arms), stream(1, "delays", arms), heavy(arms)];
    const due = new Map<number, [Choice, number][]>();
    const counts = { clipped: 0, whole: 0, early: 0, covered: 0, moved: 0 };
    for (let round = 1; round <= 600; round++) {
      const law = naive.probabilities();
      expect(worstError(policy.probabilities(), law)).toBeLessThan(1e-9);
      const choice = policy.choose(rng);
      const x = naive.choose(choice.arm, law);
      expect(Math.abs(choice.probability! / x - 1)).toBeLessThan(1e-9);
      expect(choice.threshold).toBeNull();
      const when = round + Math.floor(lateness * delays.uniform());
      due.set(when, [...(due.get(when) ?? []), [choice, x]]);
      for (const [told, itsX] of due.get(round) ?? []) {
        // One loss in eight is 1, the first ones among them. In the middle of the run all others are higher by 6.
        const common = told.round > 250 && told.round < 450 ? 6 : 0;
        const isOne = told.round % 8 === 0 || told.round < 12;
        const value = isOne ? 1 : common + (told.arm === 1 ? 0 : 3) + loss(told.round, told.arm);
        const level = naive.level;
        policy.update(told, value);
        const clipped = naive.update({ ...told, x: itsX }, value);
        counts[clipped === undefined ? "early" : clipped ? "clipped" : "whole"]++;
        if (naive.covered[told.arm]! < 1 - 1e-9) counts.covered++;
        if (naive.level !== level) counts.moved++;
        const beta = naive.scale === undefined ? 0 : (naive.beta * naive.scale.unit) / Math.sqrt(round);
        expect(Math.abs(policy.details().beta! - beta)).toBeLessThanOrEqual(1e-9 * beta);
      }
      due.delete(round);
      if (round % 20 === 0) expect(worstOf(stateOf(policy), naive.state())).toBeLessThan(1e-9);
    }
    expect(counts.early).toBeGreaterThanOrEqual(8);
    expect(Math.min(counts.clipped, counts.whole)).toBeGreaterThan(10);
    // With 5 arms every rule is met: hints in part, a level that moves, and the ceiling.
    if (arms === 5) expect(Math.min(counts.covered, counts.moved, naive.lowered)).toBeGreaterThan(0);
    if (rarest !== undefined) expect(naive.lowered).toBeGreaterThan(50);
  });

  test("probabilities() are exactly the law of the next choose, and asking for them changes nothing", () => {
    for (const rounds of [0, 5, 12, 60, 400]) {
      for (const arms of [1, 3, 60]) {
        const policy = aged(arms, rounds, kernel, arms);
        const before = JSON.stringify(policy.snapshot());
        const law = policy.probabilities();
        expect(policy.probabilities()).toEqual(law);
        expect(JSON.stringify(policy.snapshot())).toBe(before);
        for (let arm = 0; arm < arms; arm++) {
          const twin = restorePolicy(JSON.parse(before), { kernel }) as MatchedTINF;
          const x = twin.force(arm).probability!;
          // The indexed kernel draws by its own numbers, which it promises to be those to 1e-9.
          if (kernel === "dense") expect(x).toBe(law[arm]);
          else expect(Math.abs(x / law[arm]! - 1)).toBeLessThan(1e-9);
        }
        const silent = restorePolicy(JSON.parse(before), { kernel });
        expect(play(policy, 50, heavy(9), stream(9))).toEqual(play(silent, 50, heavy(9), stream(9)));
        expect(policy.snapshot()).toEqual(silent.snapshot());
      }
    }
  });

  // The indexed kernel begins with h = 1 and sums arms in bands whose edges are powers of 2: its last digits depend on the scale.
  test("property: losses times a power of two, the same arms, and the same state but for centre and unit: bit for bit if dense", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: -900, max: 930 }),
        fc.nat(1000),
        fc.constantFrom(5, 300),
        (arms, exponent, seed, rounds) => {
          const k = 2 ** exponent;
          const [one, other] = [new MatchedTINF({ arms, kernel }), new MatchedTINF({ arms, kernel })];
          const [a, b] = [heavy(seed), heavy(seed)];
          expect(play(other, rounds, (round, arm) => k * b(round, arm), stream(seed))).toEqual(play(one, rounds, a, stream(seed)));
          const { centre, unit, firstLosses, ...rest } = stateOf(one);
          const moved = { centre: k * centre, unit: rounds < 8 ? 1 : k * unit, firstLosses: firstLosses.map((loss) => k * loss) };
          // Two kernels that begin alike and are told the same stay alike: in units there is nothing to tell them apart, not even for the indexed one.
          expect(stateOf(other)).toEqual({ ...rest, ...moved });
        },
      ),
      { numRuns: 50 },
    );
  });

  test("losses of 0 or 1, times any power of two: the unit too is times it, also where the deviation is a power of two itself", () => {
    const after = (k: number, ones: number) => {
      const policy = new MatchedTINF({ arms: 2, kernel });
      play(policy, 30, (round) => (round % 8 < ones ? k : 0));
      return stateOf(policy);
    };
    for (const ones of [1, 2, 3, 4]) {
      const { unit, centre, ...rest } = after(1, ones);
      expect(unit).toBe(2 ** Math.floor(Math.log2(ones / 8)));
      const wrong: number[] = [];
      for (let exponent = -900; exponent <= 900; exponent += 7) {
        const k = 2 ** exponent;
        const other = after(k, ones);
        if (!(other.unit === k * unit && other.centre === k * centre && other.beta === rest.beta)) wrong.push(exponent);
      }
      expect(wrong).toEqual([]);
    }
  });

  test("property: one number added to all losses, bit for bit the same arms and the same state but for the centre", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(2 ** 10, -(2 ** 10), -1, 1e9),
        fc.nat(1000),
        fc.constantFrom(5, 300),
        (arms, shift, seed, rounds) => {
          const [one, other] = [new MatchedTINF({ arms, kernel }), new MatchedTINF({ arms, kernel })];
          const [a, b] = [heavy(seed), heavy(seed)];
          // Integers, so that the sum is exact.
          const moved = play(other, rounds, (round, arm) => shift + Math.round(8 * b(round, arm)), stream(seed));
          expect(moved).toEqual(play(one, rounds, (round, arm) => Math.round(8 * a(round, arm)), stream(seed)));
          const { firstLosses, centre, ...rest } = stateOf(one);
          const shifted = { firstLosses: firstLosses.map((loss) => loss + shift), centre: rounds < 8 ? 0 : centre + shift };
          expect(stateOf(other)).toEqual({ ...rest, ...shifted });
        },
      ),
      { numRuns: 50 },
    );
  });

  test("property: any scale and any location, the same law up to rounding", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: -280, max: 280, noNaN: true }),
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.nat(1000),
        (arms, exponent, shift, seed) => {
          const k = 10 ** exponent;
          const [one, other] = [new MatchedTINF({ arms, kernel }), new MatchedTINF({ arms, kernel })];
          const [rng, loss] = [stream(seed), heavy(seed)];
          for (let i = 0; i < 100; i++) {
            expect(worstError(other.probabilities(), one.probabilities())).toBeLessThan(1e-9);
            const choice = one.choose(rng);
            const value = loss(choice.round, choice.arm);
            one.update(choice, value);
            other.update(other.force(choice.arm), k * (value + shift));
          }
          expect(Math.abs(other.details().beta! / one.details().beta! / k - 1)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 50 },
    );
  });

  // The indexed kernel draws from bands whose edges are powers of 2: with another unit the same uniform may fall on another arm, though the law is the same.
  test.each([
    ["times 0.001", 0.001, 0],
    ["times 1000", 1000, 0],
    ["plus 1000", 1, 1000],
    ["times 3e200", 3e200, 0],
  ])("all losses %s: the same arms over 2,000 rounds if dense, else the same law for the same arms", (_, k, shift) => {
    for (const arms of [2, 5, 60]) {
      const [one, other] = [new MatchedTINF({ arms, kernel }), new MatchedTINF({ arms, kernel })];
      const [a, b] = [heavy(arms), heavy(arms)];
      const move = (round: number, arm: number) => k * b(round, arm) + shift;
      const expected = play(one, 2000, a, stream(arms));
      if (kernel === "dense" || k === 1) expect(play(other, 2000, move, stream(arms))).toEqual(expected);
      else for (const arm of expected) other.update(other.force(arm), move(other.round, arm));
      expect(worstError(other.probabilities(), one.probabilities())).toBeLessThan(1e-6);
    }
  });

  test("property: beta never falls, and no loss raises it by more than 15 percent or to its floor, however late it comes", () => {
    const counts = { raised: 0, floored: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), lateEvents, (arms, events) => {
        const policy = new MatchedTINF({ arms, kernel });
        const rng = stream(events.length, "late");
        const open: Choice[] = [];
        for (const [loss, wait, pick] of events) {
          open.push(policy.choose(rng));
          if (wait) continue;
          const before = stateOf(policy);
          policy.update(open.splice(pick % open.length, 1)[0]!, loss * besideBeta(policy, 1));
          const after = stateOf(policy);
          expect(after.beta).toBeGreaterThanOrEqual(before.beta);
          if (before.beta === 0) continue;
          const floor = FLOOR * Math.sqrt((before.pooled * policy.round * (before.learned + 1)) / 2);
          expect(after.beta).toBeGreaterThanOrEqual((1 - 1e-14) * floor);
          expect(after.beta).toBeLessThanOrEqual(Math.max(1.15 * before.beta, (1 + 1e-14) * floor));
          if (after.beta > 1.01 * before.beta) counts[after.beta <= (1 + 1e-14) * floor ? "floored" : "raised"]++;
        }
      }),
      { numRuns: 150 },
    );
    expect(Math.min(counts.raised, counts.floored)).toBeGreaterThan(100); // the property is empty without them
  });

  test("property: a loss moves the estimate of its arm towards itself by at most theta beta / sqrt(x), and others only down to the ceiling", () => {
    const counts = { clipped: 0, whole: 0, lowered: 0 };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), lateEvents, (arms, events) => {
        const policy = new MatchedTINF({ arms, kernel });
        const rng = stream(events.length, "clipped");
        const open: Choice[] = [];
        for (const [size, wait, pick] of events) {
          open.push(policy.choose(rng));
          if (wait) continue;
          const choice = open.splice(pick % open.length, 1)[0]!;
          // Arms that mostly lose meet the ceiling.
          const loss = (size + (choice.arm > 0 ? 6 : 0)) * besideBeta(policy, 0.1);
          const before = stateOf(policy);
          policy.update(choice, loss);
          const after = stateOf(policy);
          if (before.beta === 0) {
            expect(after.losses).toEqual(before.losses);
            continue;
          }
          const { arm, round, probability: x } = choice;
          const v = newsOf(before, policy.round, choice, (loss - before.centre) / before.unit) * Math.sqrt(round);
          const most = (THETA * before.beta) / Math.sqrt(x!);
          const step = Math.min(most, Math.abs(v) / x!);
          counts[step === most ? "clipped" : "whole"]++;
          const free = before.losses.map((each, i) => (i === arm ? each + Math.sign(v) * step : each));
          const ceiling = Math.min(...free) + after.beta * Math.sqrt((arms * Math.sqrt(policy.round + 1)) / CEILING);
          counts.lowered += free.filter((each) => each > ceiling).length;
          const rounding = 1e-13 * Math.max(Math.abs(ceiling), ...free.map(Math.abs), step);
          const wrong = free.findIndex((each, i) => !(Math.abs(after.losses[i]! - Math.min(each, ceiling)) <= rounding));
          expect(wrong).toBe(-1);
          const others = ["hintBudgets", "granted", "wanted", "covered", "counts", "means", "variances"] as const;
          for (const key of others) after[key][arm] = before[key][arm]!;
          expect(others.map((key) => after[key])).toEqual(others.map((key) => before[key]));
        }
      }),
      { numRuns: 150 },
    );
    expect(Math.min(counts.clipped, counts.whole)).toBeGreaterThan(1000);
    expect(counts.lowered).toBeGreaterThan(20);
  });

  test("property: between two feedbacks of an arm hints add to it, and no more than 0.3 of beta / sqrt(x) as of the first", () => {
    const counts = { exhausted: 0, free: 0 };
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 5, 60), fc.nat(1000), fc.constantFrom(0, 30), (arms, seed, lateness) => {
        const policy = new MatchedTINF({ arms, kernel });
        const [rng, delays, loss] = [stream(seed, "arms"), stream(seed, "delays"), heavy(seed)];
        const most: number[] = new Array(arms).fill(Number.NaN);
        const given: number[] = new Array(arms).fill(0);
        const due = new Map<number, Choice[]>();
        for (let round = 1; round <= 300; round++) {
          const before = stateOf(policy);
          const choice = policy.choose(rng);
          const after = stateOf(policy);
          const wrong = given.findIndex((_, arm) => {
            const hint = after.losses[arm]! - before.losses[arm]!;
            given[arm]! += hint;
            if (hint > 0) counts[after.hintBudgets[arm] === 0 ? "exhausted" : "free"]++;
            const rounding = 1e-9 * most[arm]! + 1e-12 * Math.abs(after.losses[arm]!);
            return !(hint >= 0 && (before.beta > 0 ? given[arm]! <= most[arm]! + rounding : hint === 0));
          });
          expect(wrong).toBe(-1);
          const when = round + Math.floor(lateness * delays.uniform());
          due.set(when, [...(due.get(when) ?? []), choice]);
          for (const told of due.get(round) ?? []) {
            const { beta } = stateOf(policy);
            policy.update(told, loss(told.round, told.arm));
            const now = stateOf(policy).beta;
            if (beta === 0 && now > 0) most.fill(HINT_BUDGET * now * Math.sqrt(arms));
            if (beta === 0) continue;
            most[told.arm] = (HINT_BUDGET * now) / Math.sqrt(told.probability!);
            given[told.arm] = 0;
          }
        }
      }),
      { numRuns: 20 },
    );
    expect(Math.min(counts.exhausted, counts.free)).toBeGreaterThan(100);
  });

  test("what is beyond both clips counts alike, whether it is 1e6 or 1e300", () => {
    const policy = aged(5, 200, kernel);
    const futures = [1e6, 1e15, 1e300].map((size) => {
      const twin = restorePolicy(policy.snapshot(), { kernel }) as MatchedTINF;
      twin.update(twin.force(2), size);
      return [play(twin, 300, heavy(4), stream(4)), twin.snapshot()];
    });
    expect(futures[1]).toEqual(futures[0]);
    expect(futures[2]).toEqual(futures[0]);
  });

  test("rare gains: the model takes in a good loss in full, a bad one up to its clip; the estimate takes in both up to the clip of the residual", () => {
    const policy = aged(5, 200, kernel);
    const choice = policy.force(2);
    const before = stateOf(policy);
    const after = (y: number) => {
      const twin = restorePolicy(policy.snapshot(), { kernel }) as MatchedTINF;
      twin.update(choice, before.centre + before.unit * y);
      return stateOf(twin);
    };
    const [weight, total] = [Math.sqrt(choice.round), before.counts[2]! + Math.sqrt(choice.round)];
    const mean = (y: number) => before.means[2]! + (weight / total) * (y - before.level - before.means[2]!);
    for (const gain of [-1e3, -1e5, -1e10]) expect(after(gain).means[2]! / mean(gain)).toBeCloseTo(1, 9);
    const width = WIDTH * Math.sqrt(before.pooled + (before.counts[2]! / weight) * before.variances[2]!);
    expect(width).toBeLessThan(1e3);
    for (const bad of [1e3, 1e5, 1e10]) expect(after(bad).means[2]).toBeCloseTo(before.means[2]! + (weight / total) * width, 9);
    expect(after(-1e10).losses[2]).toBe(after(-1e5).losses[2]);
    // 1e140 units are as far as squares go.
    expect(after(-1e300)).toEqual(after(-1e141));
    expect(after(-1e300).means[2]! / mean(-1e140)).toBeCloseTo(1, 9);
  });

  // The proof is in docs/reference/policies/matched-tinf.md. The least seen here is 0.45 of eps with feedback at once and 0.27 with late feedback; without the ceiling 0.06 and 0.001.
  test("property: no arm starves: x >= eps / 7 in every world, however late the feedback, and x >= eps / 3.2 with feedback at once", () => {
    const worlds: Record<string, (round: number, arm: number, u: number, x: Float64Array) => number> = {
      constants: (_round, arm) => arm,
      close: (_round, arm, u) => 0.01 * arm + u,
      adversarial: (_round, arm, u, x) => u + (x[arm]! < 1 / x.length ? 10 : 0),
      huge: (round, arm, u) => (round < 20 || arm === 0 ? u : 1e300),
      bothEnds: (round, arm, u) => (round < 20 ? u : arm === 0 ? -1e200 : 1e200),
      growing: (round, arm, u) => 2 ** (round / 4) * (arm + u),
      rareGains: (_round, arm, u) => (arm > 0 ? 1 + u : u < 0.01 ? -1e6 : 0.1),
    };
    /** The round in which the feedback of a round comes. */
    const delays: Record<string, (round: number, arm: number, u: number) => number> = {
      atOnce: (round) => round,
      late: (round, _arm, u) => round + Math.floor(50 * u),
      batches: (round) => Math.ceil(round / 150) * 150,
      favouriteLate: (round, arm) => (arm === 0 ? Math.ceil(round / 200) * 200 : round),
      favouriteNever: (round, arm) => (arm === 0 && round > 60 ? Number.POSITIVE_INFINITY : round),
    };
    const least: Record<string, number> = {};
    for (const [world, loss] of Object.entries(worlds)) {
      for (const [delay, when] of Object.entries(delays)) {
        for (const [arms, options] of [
          [2, {}],
          [3, { rarest: 10 }],
          [10, {}],
          [60, {}],
        ] as const) {
          const policy = new MatchedTINF({ arms, kernel, ...options });
          const rng = stream(arms, world, delay);
          const due = new Map<number, [Choice, number][]>();
          for (let round = 1; round <= 500; round++) {
            const x = policy.probabilities();
            const eps = CEILING / (arms * Math.sqrt(round));
            least[delay] = Math.min(least[delay] ?? 1, Math.min(...x) / eps);
            const choice = policy.choose(rng);
            const at = when(round, choice.arm, rng.uniform());
            due.set(at, [...(due.get(at) ?? []), [choice, loss(round, choice.arm, rng.uniform(), x)]]);
            for (const [told, value] of due.get(round) ?? []) policy.update(told, value);
            due.delete(round);
          }
        }
      }
    }
    const { atOnce, ...late } = least;
    // Proved are 1 / 3.2 and 1 / 7. The page says that in these worlds it is more.
    expect(atOnce).toBeGreaterThan(0.6);
    expect(Math.min(...Object.values(late))).toBeGreaterThan(0.37);
    for (const each of Object.values(least)) expect(each).toBeLessThan(0.7);
  });

  test("rarest: every arm gets about three times as many plays, and the cost does not grow with the horizon", () => {
    const playsOfWorse = (rounds: number, options: object) => {
      const noise = stream(1, "noise");
      const plays = [0, 0, 0];
      const policy = new MatchedTINF({ arms: 3, kernel, ...options });
      for (const arm of play(policy, rounds, (_round, arm) => (arm === 0 ? 0 : 1) + noise.uniform(), stream(1))) plays[arm]!++;
      return plays.slice(1);
    };
    // 3 R K = 270 rounds, 10 times that, and 100 times. Of four seeds: 24 to 33, 68 to 76, 113 to 130 plays; without rarest 7 to 16, 23 to 34, 62 to 87.
    const [early, middle, late] = [270, 2700, 27_000].map((rounds) => playsOfWorse(rounds, { rarest: 30 }));
    const [, , without] = [270, 2700, 27_000].map((rounds) => playsOfWorse(rounds, {}));
    for (const arm of [0, 1]) {
      expect(early![arm]).toBeGreaterThan(20);
      expect(middle![arm]).toBeGreaterThan(60);
      expect(middle![arm]).toBeLessThan(90);
      expect(late![arm]! - without![arm]!).toBeLessThan(90);
    }
  });

  test("rarest: a snapshot has the feedbacks of each arm, restores the same future, and is refused if they are missing or broken", () => {
    const policy = new MatchedTINF({ arms: 3, kernel, rarest: 40 });
    play(policy, 300, heavy(2));
    const snapshot = JSON.parse(JSON.stringify(policy.snapshot()));
    expect(sum(snapshot.state.tries)).toBe(300);
    expect(stateOf(aged(3, 20, kernel)).tries).toBeUndefined();
    const twin = restorePolicy(snapshot, { kernel });
    expect(play(twin, 300, heavy(3), stream(5))).toEqual(play(policy, 300, heavy(3), stream(5)));
    expect(twin.snapshot()).toEqual(policy.snapshot());
    const { tries, ...others } = snapshot.state;
    for (const broken of [undefined, null, 3, [1, 2], [1, 2, 3, 4], [1, 2, -1], [1, 2, 0.5], [1, 2, "3"], [1, 2, Number.NaN]]) {
      const state = broken === undefined ? others : { ...others, tries: broken };
      expect(() => restorePolicy({ ...snapshot, state }, { kernel })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT" }));
    }
  });

  test.each([[0], [5], [-1e300]])("losses that all are %d teach nothing", (loss) => {
    const policy = new MatchedTINF({ arms: 4, kernel });
    const arms = play(policy, 100, () => loss);
    const nothing = [0, 0, 0, 0];
    expect(stateOf(policy)).toEqual({
      losses: nothing,
      firstArms: arms.slice(-8),
      firstLosses: new Array(8).fill(loss),
      centre: 0,
      unit: 1,
      beta: 0,
      penalty: 2,
      learned: 0,
      hintBudgets: nothing,
      granted: nothing,
      wanted: nothing,
      covered: [1, 1, 1, 1],
      pooled: 0,
      spread: 0,
      leader: 0,
      level: 0,
      drift: 0,
      noise: 0,
      prior: 0,
      since: 0,
      counts: nothing,
      means: nothing,
      variances: nothing,
    });
    expect(policy.details()).toEqual({ beta: 0 });
    expect(Array.from(policy.probabilities())).toEqual([0.25, 0.25, 0.25, 0.25]);
  });

  test("the first eight losses that are not all equal set the scale and teach nothing but the model", () => {
    const policy = new MatchedTINF({ arms: 4, kernel });
    // The last three are too close to zero to set a scale.
    for (const loss of [0, -0, 0, 0, 0, 0, 0, 0, 5e-324, -1e-291, 0]) {
      policy.update(policy.choose(stream(1)), loss);
      expect(policy.details().beta).toBe(0);
      expect(policy.isSettled(policy.choose(stream(1)), 1e300)).toBe(false);
    }
    expect(stateOf(policy).firstLosses).toEqual([0, 0, 0, 0, 0, 5e-324, -1e-291, 0]);
    const late = policy.force(1);
    // Twenty rounds and more have gone by; what is still in the ring are six zeros, or nearly, and these two.
    policy.update(policy.force(3), 6);
    const state = stateOf(policy);
    expect(state).toMatchObject({ centre: 0, unit: 0.5, prior: 1.5 * 1.5 ** 2, learned: 0, firstArms: [], firstLosses: [], losses: [0, 0, 0, 0] });
    expect(state.since).toBe(Math.sqrt(policy.round));
    // The 6 was the first loss of its arm, and twelve units: clipped at WIDTH deviations.
    expect(state.means[3]).toBeCloseTo(WIDTH * Math.sqrt(state.prior), 12);
    expect(state.beta).toBe(0.5 * Math.sqrt(4 * state.pooled) * Math.sqrt(policy.round));
    expect(policy.details().beta).toBeCloseTo(0.5 * Math.sqrt(4 * state.pooled) * 0.5, 12);
    for (const hintBudget of state.hintBudgets) expect(hintBudget).toBeCloseTo(0.3 * state.beta * 2, 9);
    expect(Array.from(policy.probabilities())).toEqual([0.25, 0.25, 0.25, 0.25]);
    // A Choice from before there was a scale is learnt from as any other.
    policy.update(late, 100);
    expect(stateOf(policy).losses[1]).toBeCloseTo((0.7 * state.beta * 0.5) / 0.25, 9);
  });

  test("a ring of eight: what came before the last eight losses counts for nothing", () => {
    const after = (silence: number) => {
      const policy = new MatchedTINF({ arms: 3, kernel });
      const rng = stream(silence, "silence");
      for (let i = 0; i < silence; i++) policy.update(policy.choose(rng), 2);
      for (const [i, loss] of [2, 2, 2, 2, 2, 2, 2, 7].entries()) policy.update(policy.force(i % 3), loss);
      return stateOf(policy);
    };
    const { since, counts, beta, hintBudgets, granted, penalty, ...rest } = after(0);
    const older = after(92);
    expect(older).toMatchObject(rest);
    // 8 rounds against 100.
    expect(older.beta / beta).toBeCloseTo(Math.sqrt(100 / 8), 12);
    expect(older.since / since).toBeCloseTo(Math.sqrt(100 / 8), 12);
    for (const arm of [0, 1, 2]) expect(older.counts[arm]! / counts[arm]!).toBeCloseTo(Math.sqrt(100 / 8), 12);
  });

  test.each([
    [[0, 0, 0, 0, 1, 1, 1, 1], 1, 0.5],
    [[1, 0, 0, 0, 0, 0, 0, 0], 0, 0.125],
    [[1, 2, 3, 4, 5, 6, 7, 8], 5, 2],
    [[8, 1, 7, 2, 6, 3, 5, 4], 5, 2],
    // Deviations from 5: 4, 3, 2, 1, 0, 1, 2 and 1e5, which is taken to be 3 times their median, 2.
    [[1, 2, 3, 4, 5, 6, 7, 1e5], 5, 2],
    [[-3, -3, -3, -3, -3, -3, -3, 1e300], -3, 2 ** 993],
    [[0, 0, 0, 0, 1024, 1024, 1024, 1024], 1024, 512],
  ])("the first losses %j have the centre %d and the unit %d", (losses, centre, unit) => {
    const policy = new MatchedTINF({ arms: 2, kernel });
    play(policy, 8, (round) => losses[round - 1]!);
    expect(stateOf(policy)).toMatchObject({ centre, unit });
  });

  test("late feedback: x and the weight come with the Choice, model and beta are those of the moment", () => {
    const policy = new MatchedTINF({ arms: 4, kernel });
    for (let i = 0; i < 99; i++) policy.force(2);
    const late = policy.force(3);
    play(policy, 900, (round, arm) => 100 + (round % 7) + (arm === 3 ? 50 : 0));
    expect(policy.probabilities()[3]).toBeLessThan(0.01);
    const before = stateOf(policy);
    // The residual is a straight line: where it is 0, and how steep it is. Hints have added to this arm since its last play.
    const [at0, at1] = [0, 1].map((y) => newsOf(before, 1000, late, y));
    const steep = at1! - at0!;
    expect(steep).toBeGreaterThan(0.5);
    // Round 100 weighs 10, whatever the round is now.
    policy.update(late, before.centre + before.unit * (-at0! / steep - 0.25));
    const after = stateOf(policy);
    expect(after.losses[3]! - before.losses[3]!).toBeCloseTo((steep * 10 * -0.25) / 0.25, 7);
    expect(after.counts[3]! - before.counts[3]!).toBeCloseTo(10, 9);
    expect(after.hintBudgets[3]).toBeCloseTo(0.3 * after.beta * 2, 9);
    policy.update(late, 1e6);
    expect(stateOf(policy).losses[3]! - after.losses[3]!).toBeCloseTo((0.7 * after.beta * 0.5) / 0.25, 7);
  });

  test("one arm: nothing to match, beta follows its floor", () => {
    const policy = new MatchedTINF({ arms: 1, kernel });
    const loss = heavy(1);
    for (let i = 1; i <= 300; i++) {
      const choice = policy.choose(stream(i));
      expect(choice.probability).toBeCloseTo(1, 12);
      const before = stateOf(policy);
      policy.update(choice, loss(i, 0));
      if (before.beta === 0) continue;
      const floor = FLOOR * Math.sqrt((before.pooled * i * (before.learned + 1)) / 2);
      expect(Math.abs(stateOf(policy).beta / Math.max(before.beta, floor) - 1)).toBeLessThan(1e-14);
    }
    expect(stateOf(policy).learned).toBe(292);
  });

  test("property: a loss is settled exactly where a larger one moves everything alike", () => {
    const counts = { settled: 0, open: 0 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.nat(99),
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 0, max: 600 }).map((size) => size / 10),
        fc.constantFrom({}, { halfLife: 60 }),
        (arms, seed, rounds, loss, forgetting) => {
          const policy = new MatchedTINF({ arms, kernel, ...forgetting });
          const rng = stream(seed, "arms");
          play(policy, rounds, heavy(seed), rng);
          const choice = policy.choose(rng);
          const settled = policy.isSettled(choice, loss);
          const after = (value: number) => {
            const twin = restorePolicy(policy.snapshot(), { kernel }) as MatchedTINF;
            twin.update(choice, value);
            return twin.snapshot();
          };
          counts[settled ? "settled" : "open"]++;
          if (settled) for (const larger of [loss + 1e-3, loss + 1000, 1e300]) expect(after(larger)).toEqual(after(loss));
          // While there is no scale nothing is settled, though the last of the first eight may be so large that it counts as a larger one would.
          else if (stateOf(policy).beta > 0) expect(after(loss + 1000)).not.toEqual(after(loss));
        },
      ),
      { numRuns: 200 },
    );
    expect(Math.min(counts.settled, counts.open)).toBeGreaterThan(20);
  });

  test("the smallest loss that is settled moves everything as a larger one does, to the last bit", () => {
    const wrong: [number, number][] = [];
    for (let seed = 0; seed < 120; seed++) {
      const policy = aged(2 + (seed % 4), 20 + seed, kernel, seed, seed % 3 === 0 ? { halfLife: 60 } : {});
      const choice = policy.choose(stream(seed));
      const after = (value: number) => {
        const twin = restorePolicy(policy.snapshot(), { kernel });
        twin.update(choice, value);
        return JSON.stringify(twin.snapshot());
      };
      let [low, high] = [-1e6, 1e6];
      for (let middle = 0; middle !== low && middle !== high; middle = (low + high) / 2) {
        if (policy.isSettled(choice, middle)) high = middle;
        else low = middle;
      }
      if (after(high) !== after(1e300)) wrong.push([seed, high]);
    }
    expect(wrong).toEqual([]);
  });

  test("hostile losses: no NaN, and every state can be restored; what is refused has moved nothing", () => {
    const worlds: ((i: number, uniform: () => number) => number)[] = [
      // Every size, at random.
      (_, uniform) => [0, 5e-324, 1e-300, 1e-290, 1, 1e15, 1e300][Math.floor(7 * uniform())]!,
      // A scale as small as can be, and then the largest losses.
      (i, uniform) => (i < 20 ? 1e-289 * uniform() : 1e300),
      // An ordinary scale, and then the largest losses.
      (i, uniform) => (i < 20 ? uniform() : 1e300),
      (i, uniform) => (i < 20 ? 1e300 : 5e-324 * Math.round(uniform())),
      // Growing without end: by 2^(1/4) in each round.
      (i, uniform) => 2 ** (Math.min(i, 3900) / 4) * uniform(),
    ];
    for (const [world, size] of worlds.entries()) {
      for (const arms of [1, 3, 40]) {
        const policy = new MatchedTINF({ arms, kernel });
        const rng = stream(arms, "hostile", world);
        const open: Choice[] = [];
        for (let i = 0; i < 4000; i++) {
          open.push(policy.choose(rng));
          if (rng.uniform() < 0.1) continue;
          const [choice] = open.splice(Math.floor(open.length * rng.uniform()), 1);
          const loss = (rng.uniform() < 0.5 ? -1 : 1) * size(i, () => rng.uniform());
          const before = i % 100 === 0 ? JSON.stringify(policy.snapshot()) : "";
          try {
            policy.update(choice!, loss);
          } catch (error) {
            expect(error).toMatchObject({ code: "ERR_OVERFLOW", parameter: "loss" });
            if (before !== "") expect(JSON.stringify(policy.snapshot())).toBe(before);
          }
          // What is NaN or infinite once stays so.
          if (i % 8 > 0) continue;
          const all = Object.values(stateOf(policy)).flat();
          if (!all.every(Number.isFinite)) expect({ world, arms, i, ...stateOf(policy) }).toBe("sound");
        }
        expect(Math.abs(sum(policy.probabilities()) - 1)).toBeLessThan(1e-12);
        const text = JSON.stringify(policy.snapshot());
        expect(JSON.stringify(restorePolicy(JSON.parse(text), { kernel }).snapshot())).toBe(text);
      }
    }
  });

  test("after thousands of the largest losses an ordinary one is not refused", () => {
    const policy = new MatchedTINF({ arms: 2, kernel });
    const rng = stream(1, "largest");
    const refused: number[] = [];
    for (let i = 0; i < 3000; i++) {
      const choice = policy.choose(rng);
      try {
        policy.update(choice, i < 8 || i > 2900 ? rng.uniform() : rng.uniform() < 0.5 ? -1e300 : 1e300);
      } catch {
        refused.push(i);
      }
    }
    expect(refused.filter((i) => i > 2900)).toEqual([]);
  });

  test("a learning rate, hint budget or estimate that would overflow is refused, and nothing has moved", () => {
    const { state, ...rest } = aged(4, 40, kernel).snapshot();
    const policy = restorePolicy({ ...rest, state: { ...state, beta: 4.9e299 } }, { kernel });
    const choice = policy.force(1);
    const before = JSON.stringify(policy.snapshot());
    for (const loss of [1e300, -1e300]) {
      // Not of this policy's making.
      const forged = { ...choice, probability: 1e-300 };
      expect(() => policy.update(forged, loss)).toThrow(expect.objectContaining({ code: "ERR_OVERFLOW", parameter: "loss" }));
      expect(JSON.stringify(policy.snapshot())).toBe(before);
    }
  });

  const refusals: [string, unknown][] = [
    ...["beta", "penalty", "learned", "pooled", "spread", "leader", "level", "drift", "noise", "prior", "since", "unit", "centre"].flatMap(
      (key): [string, unknown][] => [Number.NaN, Number.POSITIVE_INFINITY, "1", null, undefined, [1]].map((value) => [key, value]),
    ),
    ...["beta", "penalty", "learned", "pooled", "spread", "leader", "noise", "prior", "since", "unit"].map((key): [string, unknown] => [key, -1e-9]),
    ["beta", 4.5e299],
    ["penalty", 7],
    ["pooled", 1.1e300],
    ["spread", 4.1e140],
    ["level", -1.1e140],
    ["level", 1.1e140],
    ["drift", -4.1e140],
    ["drift", 4.1e140],
    ["noise", 1.1e300],
    ["covered", [0, 0, 1.001, 0, 0]],
    ["leader", 1.5],
    ["learned", 1.5],
    ["leader", 5],
    ["prior", 1.1e300],
    ["since", 1.1e300],
    ["unit", 0],
    ["unit", 1e-300],
    ["unit", 1.1e300],
    ["centre", -1.1e300],
    ["centre", 1.1e300],
    ...["losses", "hintBudgets", "granted", "wanted", "covered", "counts", "means", "variances"].flatMap((key): [string, unknown][] =>
      [null, 0, {}, [], [1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [1, 1, Number.NaN, 1, 1], [1, 1, 1, "1", 1], [1, null, 1, 1, 1], new Array(5)].map(
        (value) => [key, value],
      ),
    ),
    ...["hintBudgets", "granted", "wanted", "covered", "counts", "variances"].map((key): [string, unknown] => [key, [1, 1, -1e-9, 1, 1]]),
    ...["hintBudgets", "granted", "counts", "means", "variances"].map((key): [string, unknown] => [key, [1, 1, 1.1e300, 1, 1]]),
    ["firstLosses", null],
    ["firstLosses", { length: 0 }],
    ["firstLosses", new Array(9).fill(0)],
    ["firstLosses", [1, "2"]],
    ["firstLosses", [1, null]],
    ["firstLosses", [1, Number.NaN]],
    ["firstLosses", [-1.001e300]],
    ["firstLosses", new Array(3)],
    ["firstArms", null],
    ["firstArms", { length: 0 }],
    ["firstArms", [1]],
  ];
  test.each(refusals)("a snapshot with %s %o is refused", (key, value) => {
    const policy = aged(5, 20, kernel, 5);
    const snapshot = policy.snapshot();
    const before = JSON.stringify(snapshot);
    expect(() => policy.restore({ ...snapshot, state: { ...snapshot.state, [key]: value } })).toThrow(
      expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: `state.${key}` }),
    );
    expect(JSON.stringify(policy.snapshot())).toBe(before);
  });

  test.each([[[5]], [[-1]], [[0.5]], [["0"]], [[null]], [[Number.NaN]], [[]], [[1, 1]], [new Array(1)]])(
    "a snapshot from before the scale is set, with one loss of the arms %j, is refused",
    (firstArms) => {
      const policy = new MatchedTINF({ arms: 5, kernel });
      play(policy, 1, () => 3);
      const snapshot = policy.snapshot();
      expect(() => policy.restore({ ...snapshot, state: { ...snapshot.state, firstArms } })).toThrow(
        expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "state.firstArms" }),
      );
    },
  );

  test("a leader or a count of feedbacks that is no integer is refused", () => {
    const policy = aged(5, 20, kernel, 5);
    const { state, ...rest } = policy.snapshot();
    for (const key of ["leader", "learned"]) {
      expect(() => policy.restore({ ...rest, state: { ...state, [key]: 1.5 } })).toThrow(
        expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: `state.${key}` }),
      );
    }
  });

  test.each(["losses", "means", "variances", "hintBudgets", "beta", "firstLosses", "penalty", "learned"])(
    "another policy's snapshot with broken %s leaves this policy as it is",
    (key) => {
      const [policy, other] = [aged(5, 20, kernel, 5), aged(5, 300, kernel, 6)];
      const before = JSON.stringify(policy.snapshot());
      const { state, ...rest } = other.snapshot();
      expect(() => policy.restore({ ...rest, state: { ...state, [key]: "broken" } })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT" }));
      expect(JSON.stringify(policy.snapshot())).toBe(before);
    },
  );

  test.each([0, 3, 7, 8, 9, 20, 80, 400])("a snapshot of round %i restores into a policy with a past, and has the same future", (rounds) => {
    for (const arms of [1, 5, 60]) {
      const policy = aged(arms, rounds, kernel, rounds);
      const late = policy.force(0);
      for (const past of [2, 200]) {
        const other = aged(arms, past, kernel, 6);
        other.restore(JSON.parse(JSON.stringify(policy.snapshot())));
        expect(other.snapshot()).toEqual(policy.snapshot());
        const twin = restorePolicy(JSON.parse(JSON.stringify(policy.snapshot())), { kernel }) as MatchedTINF;
        for (const one of [other, twin]) one.update(late, 2);
        expect(play(other, 100, heavy(7), stream(7))).toEqual(play(twin, 100, heavy(7), stream(7)));
        expect(other.snapshot()).toEqual(twin.snapshot());
      }
      const twin = restorePolicy(policy.snapshot(), { kernel });
      expect(play(twin, 100, heavy(7), stream(7))).toEqual(play(policy, 100, heavy(7), stream(7)));
      expect(twin.snapshot()).toEqual(policy.snapshot());
    }
  });

  test("a Choice that is told twice, or more often than there are rounds: the snapshot can still be restored", () => {
    const policy = new MatchedTINF({ arms: 2, kernel });
    const choice = policy.choose(stream(1));
    for (let i = 0; i < 12; i++) policy.update(choice, i % 2);
    const snapshot = policy.snapshot();
    expect(restorePolicy(JSON.parse(JSON.stringify(snapshot)), { kernel }).snapshot()).toEqual(snapshot);
  });
});

test("rarest together with a half-life is refused, with the name, the value and what to do", () => {
  const options = { arms: 2, rarest: 30, halfLife: 700 };
  const refusal = { code: "ERR_PARAMETER", parameter: "rarest", value: 30 };
  expect(() => new MatchedTINF(options)).toThrow(expect.objectContaining(refusal));
  expect(() => new MatchedTINF(options)).toThrow(/rarest cannot be combined with halfLife: .* 30 plays; leave one of them out/);
  expect(() => createPolicy({ policy: "matched-tinf", rarest: 30, halfLife: 700 }, 2)).toThrow(expect.objectContaining(refusal));
});

test.each([0, 0.99, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.1e9, "30", null])("a rarest of %s is refused", (rarest) => {
  expect(() => createPolicy({ policy: "matched-tinf", rarest } as PolicySpec, 2)).toThrow(/rarest must be/);
});

test("below 80 arms the kernel is dense, from there on indexed", () => {
  expect([2, 79, 80].map((arms) => new MatchedTINF({ arms }).snapshot().kernel!.name)).toEqual(["dense", "dense", "indexed"]);
});

describe.each(KERNELS)("the spread, $name kernel", ({ name, relative }) => {
  test("property: sum_i x_i^(1/alpha) - 1, to its last digits however close to 0", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(2, 1.9, 1.5, 1.1),
        fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 40 }),
        fc.double({ min: -2, max: 12, noNaN: true }),
        (alpha, exponents, apart) => {
          // One arm at 0, the others up to 10^15 away.
          const losses = [0, ...exponents.map((exponent) => 10 ** (exponent + apart))];
          const kernel = cold(name, alpha, losses);
          kernel.solve(1.5);
          const x = kernel.probabilities(1.5);
          kernel.solve(1.5);
          // Without cancellation: the first arm's share is 1 - rest.
          const rest = sum(x.slice(1));
          const first =
            rest > 0.5 ? x[0]! ** (1 / alpha) - x[0]! : Math.exp(Math.log1p(-rest) / alpha) * -Math.expm1(Math.log1p(-rest) * (1 - 1 / alpha));
          const expected = sum(x.slice(1).map((p) => p ** (1 / alpha) - p)) + first;
          const error = Math.abs(kernel.spread() - expected);
          expect(error).toBeLessThanOrEqual(relative * expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("is 0 for one arm and K^(1 - 1/alpha) - 1 for equal ones", () => {
    for (const arms of [1, 2, 100]) {
      const kernel = cold(name, 1.5, new Array(arms).fill(3));
      kernel.solve(0.1);
      expect(Math.abs(kernel.spread() - (arms ** (1 / 3) - 1))).toBeLessThan(1e-12);
    }
  });
});
