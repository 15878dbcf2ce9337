// The half-life that every FTRL policy takes, against definitions that multiply all they know by 2^(-1/H) in every round: the policies never do.
import { describe, expect, test } from "vitest";
import { type Choice, createPolicy, isSkipped, type Policy, type PolicySpec, restorePolicy, stream } from "../src/index.js";
import { KERNELS } from "./kernels.js";
import { naiveMinimiser, worstError } from "./naiveFtrl.js";
import { play, sum } from "./policies.js";

const THETA_2 = 1 - 2 ** (-1 / 3);
// MatchedTINF's.
const WIDTH = 2;
const REACH = 14;

/** A policy that fades: what it knows is in units of the losses of the present round. */
abstract class Fading {
  readonly losses: number[];
  round = 0;

  constructor(
    readonly arms: number,
    readonly halfLife: number,
    readonly alpha = 2,
  ) {
    this.losses = new Array(arms).fill(0);
  }

  abstract inverseRate(): number;

  /** Multiplies everything that was summed over rounds. */
  fade(factor: number): void {
    for (let i = 0; i < this.arms; i++) this.losses[i]! *= factor;
  }

  begin(): void {
    this.fade(2 ** (-1 / this.halfLife));
    this.round++;
  }

  law(): number[] {
    return naiveMinimiser(this.losses, this.inverseRate(), this.alpha / (this.alpha - 1));
  }

  /** The sum of 2^(-alpha s / H) over the ages s of all rounds. */
  elapsed(): number {
    return sum(Array.from({ length: this.round }, (_, age) => 2 ** ((-this.alpha * age) / this.halfLife)));
  }

  /** The arm is drawn; its feedback is to come. */
  played(): void {}

  /** `fresh` is what a loss of that age counts. */
  abstract update(choice: Choice, loss: number, fresh: number): void;
}

class FadingHTINF extends Fading {
  inverseRate(): number {
    return 1.5 * this.elapsed() ** (1 / this.alpha);
  }

  update(choice: Choice, loss: number, fresh: number): void {
    if (!isSkipped(choice, loss)) this.losses[choice.arm]! += (fresh * loss) / choice.probability!;
  }
}

class FadingOptTINF extends FadingHTINF {
  override inverseRate(): number {
    return Math.sqrt(this.elapsed());
  }
}

/** What is known fades by (1 - 1/n)^q more in every round, n what the rounds count. */
class FadingSigned extends FadingHTINF {
  readonly theta = 0.4 * (this.alpha - 1);
  readonly q = ((this.alpha - 1) / this.theta) ** (this.alpha - 1) / this.alpha ** this.alpha;
  /** n of every round, from 1. */
  readonly counts: number[] = [1];

  override played(): void {
    this.counts[this.round] = this.elapsed();
    if (this.round > 1) this.fade((1 - 1 / this.elapsed()) ** this.q);
  }

  override update({ round, arm, probability }: Choice, loss: number, fresh: number): void {
    const limit = this.theta * 1.5 * (this.counts[round]! * probability!) ** (1 / this.alpha);
    let faded = fresh;
    for (let s = round + 1; s <= this.round; s++) faded *= (1 - 1 / this.counts[s]!) ** this.q;
    this.losses[arm]! += (faded * Math.max(-limit, Math.min(loss, limit))) / probability!;
  }
}

class FadingReduced extends Fading {
  inverseRate(): number {
    return 0.5 * Math.sqrt(this.elapsed());
  }

  update(choice: Choice, loss: number, fresh: number): void {
    for (const [i, x] of this.law().entries()) {
      const baseline = x >= 16 / this.elapsed() ? 0.5 : 0;
      this.losses[i]! += fresh * ((i === choice.arm ? (loss - baseline) / choice.probability! : 0) + baseline);
    }
  }
}

class FadingAda extends FadingHTINF {
  scale = 1;
  total = 0;

  override inverseRate(): number {
    return this.scale * Math.sqrt(this.elapsed());
  }

  override fade(factor: number): void {
    super.fade(factor);
    this.scale *= factor;
    this.total *= factor;
  }

  override update(choice: Choice, loss: number, fresh: number): void {
    super.update(choice, loss, fresh);
    const cost = fresh * (isSkipped(choice, loss) ? loss : (2 * THETA_2 * loss ** 2) / choice.threshold!);
    // The horizon is so far that all rounds up to it count 1 / (1 - 2^(-2/H)).
    const budget = Math.sqrt(this.arms * (1 / (1 - 2 ** (-2 / this.halfLife)) + 1));
    this.total += cost;
    if (this.total <= this.scale * budget) return;
    this.total = cost;
    // J is an integer in the units in which round 0 weighs 1.
    const unit = 2 ** (-this.round / this.halfLife);
    this.scale = Math.max(2 * this.scale, unit * 2 ** (Math.ceil(Math.log2(cost / unit / budget)) + 1));
  }
}

/** The log-barrier: its exponent is 1, that of alpha going to infinity. */
class FadingUniINF extends Fading {
  scale = 4;

  inverseRate(): number {
    return this.scale;
  }

  override law(): number[] {
    return naiveMinimiser(this.losses, this.scale, 1);
  }

  override fade(factor: number): void {
    super.fade(factor);
    this.scale = Math.max(4, this.scale * factor);
  }

  update(choice: Choice, loss: number, fresh: number): void {
    const x = choice.probability!;
    if (!isSkipped(choice, loss)) this.losses[choice.arm]! += (fresh * loss) / x;
    const clipped = fresh * Math.min(loss, choice.threshold!);
    this.scale = Math.sqrt(this.scale ** 2 + (clipped ** 2 * (1 - x) ** 2) / (this.arms * Math.log(1e6)));
  }
}

/** Every loss that an arm has cost is kept, in units above the level, with a weight that fades; so do the estimates, beta, the hint budgets, the hints and the weight of the first losses. */
class FadingMatched extends Fading {
  beta = 0;
  penalty = 0;
  learned = 0;
  pooled = 0;
  spread = 0;
  leader = 0;
  centre = 0;
  unit = 0;
  prior = { variance: 0, weight: 0 };
  first: { arm: number; loss: number }[] = [];
  level = 0;
  drift = 0;
  noise = 0;
  readonly hintBudgets: number[] = new Array(this.arms).fill(0);
  readonly given: number[] = new Array(this.arms).fill(0);
  readonly wanted: number[] = new Array(this.arms).fill(0);
  /** f as of the last feedback. */
  readonly covered: number[] = new Array(this.arms).fill(1);
  readonly heard: { weight: number; readonly y: number }[][] = this.losses.map(() => []);

  inverseRate(): number {
    return this.beta || 1;
  }

  /** A round weighs sqrt(t) beside its half-lives: what is known fades by sqrt((t - 1) / t) more. */
  override begin(): void {
    super.begin();
    this.fade(Math.sqrt((this.round - 1) / this.round));
  }

  override fade(factor: number): void {
    super.fade(factor);
    this.beta *= factor;
    this.prior.weight *= factor;
    for (const sums of [this.hintBudgets, this.given, this.wanted]) for (let i = 0; i < this.arms; i++) sums[i]! *= factor;
    for (const one of this.heard.flat()) one.weight *= factor;
  }

  override law(): number[] {
    const x = super.law();
    this.penalty = 2 * (sum(x.map(Math.sqrt)) - 1);
    return x;
  }

  override played(): void {
    if (this.beta === 0) return;
    this.survey();
    for (let arm = 0; arm < this.arms; arm++) {
      const given = Math.min(this.hint(arm), this.hintBudgets[arm]!);
      this.losses[arm]! += given;
      this.hintBudgets[arm]! -= given;
      this.given[arm]! += given;
      this.wanted[arm]! += this.hint(arm);
    }
  }

  plays(arm: number): number {
    return sum(this.heard[arm]!.map(({ weight }) => weight));
  }

  mean(arm: number): number {
    return sum(this.heard[arm]!.map(({ weight, y }) => weight * y)) / (this.plays(arm) || 1);
  }

  variance(arm: number): number {
    const mean = this.mean(arm);
    return sum(this.heard[arm]!.map(({ weight, y }) => weight * (y - mean) ** 2)) / (this.plays(arm) || 1);
  }

  hint(arm: number): number {
    const n = this.plays(arm);
    return (n / (n + 10)) * (this.mean(arm) - this.mean(this.leader));
  }

  survey(): void {
    let [squares, freedom] = [this.prior.weight * this.prior.variance, this.prior.weight];
    for (let arm = 0; arm < this.arms; arm++) {
      const n = this.plays(arm);
      if (n > 0 && this.mean(arm) < this.mean(this.leader)) this.leader = arm;
      if (n <= 1) continue;
      squares += Math.min(n, 16) * this.variance(arm);
      freedom += (Math.min(n, 16) * (n - 1)) / n;
    }
    this.pooled = squares / freedom;
    const means = this.heard.flatMap((all, arm) => (all.length === 0 ? [] : [this.mean(arm)]));
    this.spread = Math.max(...means) - Math.min(...means);
  }

  /** f. */
  coverage(arm: number): number {
    return this.wanted[arm]! > 0 ? this.given[arm]! / this.wanted[arm]! : this.covered[arm]!;
  }

  /** A loss as far as it is believed, which is farther as the half-life is longer: of the variance, pooled and own, the mean counts; and never less than the means differ by. */
  believed(arm: number, y: number): number {
    const reach = Math.sqrt(REACH * Math.cbrt(this.halfLife) * ((this.pooled + this.variance(arm)) / 2) + this.spread ** 2);
    const expected = this.level + this.mean(arm);
    return Math.min(Math.max(y, expected - reach), expected + reach);
  }

  observe(arm: number, y: number, weight: number): void {
    const mean = this.mean(arm);
    const most = WIDTH * Math.sqrt(this.pooled + this.plays(arm) * this.variance(arm));
    const residual = Math.min(this.believed(arm, y) - this.level - mean, most);
    this.heard[arm]!.push({ weight, y: mean + residual });
    if (this.mean(arm) < this.mean(this.leader)) this.leader = arm;
    const variance = this.pooled + this.variance(arm);
    const counted = Math.sign(residual) * Math.min(Math.abs(residual), 10 * Math.sqrt(variance));
    this.drift = 0.98 * this.drift + 0.02 * counted;
    this.noise = 0.98 * this.noise + 0.02 * counted ** 2;
    const beyond = Math.abs(this.drift) - 3 * Math.sqrt(Math.max(this.noise, variance) / 99);
    if (beyond > 0) this.level += 0.1 * Math.sign(this.drift) * beyond;
  }

  update({ round, arm, probability }: Choice, loss: number, fresh: number): void {
    if (this.unit === 0) {
      this.start(arm, loss);
      return;
    }
    const [x, y, weight] = [probability!, (loss - this.centre) / this.unit, fresh * Math.sqrt(round / this.round)];
    const f = this.coverage(arm);
    const v = (1 - 0.5 * f) * weight * (this.believed(arm, y) - this.level - this.mean(this.leader) - f * this.hint(arm));
    const c = Math.min(Math.abs(v), 0.7 * this.beta * Math.sqrt(x));
    this.losses[arm]! += (Math.sign(v) * c) / x;
    const z = (c ** 2 * (1 - x)) / Math.sqrt(x);
    const least = 2 * (Math.sqrt(x) + Math.sqrt(1 - x) - 1);
    if (z > 0) this.beta += (0.5 * z) / (this.beta * Math.max(this.penalty, least));
    this.learned++;
    // What half as many rounds as there were feedbacks count, each by the square of its weight.
    const counted = (1 - 2 ** (-this.learned / this.halfLife)) / (1 - 2 ** (-2 / this.halfLife));
    this.beta = Math.max(this.beta, 0.7 * Math.sqrt(this.pooled * counted));
    this.hintBudgets[arm] = (0.3 * this.beta) / Math.sqrt(x);
    this.covered[arm] = f;
    this.given[arm] = this.wanted[arm] = 0;
    this.observe(arm, y, weight);
  }

  start(arm: number, loss: number): void {
    const middle = (values: number[]) => values.sort((a, b) => a - b)[4]!;
    this.first.push({ arm, loss });
    if (this.first.length < 8) return;
    this.centre = middle(this.first.map((one) => one.loss));
    const deviations = this.first.map((one) => Math.abs(one.loss - this.centre));
    const most = 3 * middle([...deviations]);
    const deviation = sum(deviations.map((each) => Math.min(each, most))) / 8;
    this.unit = 2 ** Math.floor(Math.log2(deviation));
    this.pooled = 1.5 * (deviation / this.unit) ** 2;
    this.prior = { variance: this.pooled, weight: 1 };
    this.leader = this.first[0]!.arm;
    for (const one of this.first) this.observe(one.arm, (one.loss - this.centre) / this.unit, 1);
    this.survey();
    this.beta = 0.5 * Math.sqrt(this.pooled * this.arms);
    this.hintBudgets.fill(0.3 * this.beta * Math.sqrt(this.arms));
  }
}

const DEFINITIONS: [PolicySpec, (arms: number, halfLife: number) => Fading][] = [
  ...[2, 1.5, 1.3].map((alpha): [PolicySpec, (arms: number, halfLife: number) => Fading] => [
    { policy: "htinf", alpha, sigma: 1.5 },
    (arms, halfLife) => new FadingHTINF(arms, halfLife, alpha),
  ]),
  ...[2, 1.5].map((alpha): [PolicySpec, (arms: number, halfLife: number) => Fading] => [
    { policy: "signed-tinf", alpha, sigma: 1.5 },
    (arms, halfLife) => new FadingSigned(arms, halfLife, alpha),
  ]),
  [{ policy: "opttinf" }, (arms, halfLife) => new FadingOptTINF(arms, halfLife)],
  [{ policy: "tsallis-inf", estimator: "rv" }, (arms, halfLife) => new FadingReduced(arms, halfLife)],
  [{ policy: "adatinf", horizon: 1e9 }, (arms, halfLife) => new FadingAda(arms, halfLife)],
  [{ policy: "uniinf", horizon: 1e6 }, (arms, halfLife) => new FadingUniINF(arms, halfLife)],
  [{ policy: "matched-tinf" }, (arms, halfLife) => new FadingMatched(arms, halfLife)],
];

const heavy = (seed: number) => {
  const rng = stream(seed, "losses");
  return (_round: number, arm: number) => rng.open() ** (-1 / 1.4) / 3 + 0.2 * arm;
};

describe.each(KERNELS)("a half-life, $name kernel", ({ name: kernel }) => {
  const extents = [
    { halfLife: 40, late: 0 },
    { halfLife: 40, late: 9 },
    // The origin of the weights moves after 512 rounds: 1,200 see it twice.
    { halfLife: 2, late: 9 },
  ];
  test.each(DEFINITIONS.flatMap(([spec, create]) => extents.map((extent) => ({ spec, create, ...extent }))))(
    "reference: $spec, half-life $halfLife, feedback up to $late rounds late, is the policy that fades",
    ({ spec, create, halfLife, late }) => {
      const arms = 6;
      const policy = createPolicy({ ...spec, halfLife }, arms, { kernel });
      const naive = create(arms, halfLife);
      const [rng, delays, loss] = [stream(3, "arms"), stream(3, "delays"), heavy(3)];
      const due = new Map<number, Choice[]>();
      let worst = 0;
      for (let round = 1; round <= (halfLife > 2 ? 400 : 1200); round++) {
        naive.begin();
        worst = Math.max(worst, worstError(policy.probabilities()!, naive.law()));
        const choice = policy.choose(rng);
        naive.played();
        const when = round + Math.floor(late * delays.uniform());
        due.set(when, [...(due.get(when) ?? []), choice]);
        for (const told of due.get(round) ?? []) {
          const value = loss(told.round, told.arm);
          policy.update(told, value);
          naive.update(told, value, 2 ** (-(round - told.round) / halfLife));
        }
        due.delete(round);
      }
      expect(worst).toBeLessThan(1e-8);
    },
  );

  // Of 1,000 rounds, 2,000 after the change. Without a half-life Ada2TINF, which restarts, may find it or not: it is not asked.
  test.each([
    [{ policy: "htinf", alpha: 1.5, sigma: 1 }, false],
    [{ policy: "signed-tinf", alpha: 1.5, sigma: 1 }, null],
    [{ policy: "opttinf" }, false],
    [{ policy: "adatinf", horizon: 1e5 }, false],
    [{ policy: "ada2tinf" }, null],
    [{ policy: "tsallis-inf" }, false],
    [{ policy: "uniinf", horizon: 1e5 }, false],
    [{ policy: "matched-tinf" }, true],
  ])("property: %o finds the arm that has become the best; without a half-life: %s", (spec, anyway) => {
    const found = (forgetting: object) => {
      const noise = stream(5, "noise");
      const loss = (round: number, arm: number) => (arm === (round <= 9000 ? 0 : 2) ? 0 : 0.8) + 0.1 * noise.uniform();
      const arms = play(createPolicy({ ...spec, ...forgetting }, 3, { kernel }), 12_000, loss);
      return arms.slice(11_000).filter((arm) => arm === 2).length > 500;
    };
    expect(found({ halfLife: 1000 })).toBe(true);
    if (anyway !== null) expect(found({})).toBe(anyway);
  });

  test("property: a half-life far beyond the run changes next to nothing, as long as no arm meets its ceiling, which only a policy without a half-life has", () => {
    const specs = [{ policy: "matched-tinf", halfLife: 1e12 }, { policy: "matched-tinf" }];
    const [forgets, remembers] = specs.map((spec) => createPolicy(spec, 4, { kernel })) as [Policy, Policy];
    // Arms that are all alike stay far below their ceilings.
    const alike = () => {
      const rng = stream(2, "alike");
      return () => rng.uniform();
    };
    const loss = alike();
    for (const arm of play(remembers, 100, alike())) forgets.update(forgets.force(arm), loss());
    expect(worstError(forgets.probabilities()!, remembers.probabilities()!)).toBeLessThan(1e-6);
  });

  test("extreme losses late in the span of the weights: refused or learned, and never NaN", () => {
    const told: Record<string, object> = {
      htinf: { alpha: 1.5, sigma: 1 },
      "signed-tinf": { alpha: 2, sigma: 1 },
      adatinf: { horizon: 1e5 },
      uniinf: { horizon: 1e5 },
    };
    for (const policy of ["htinf", "signed-tinf", "opttinf", "adatinf", "ada2tinf", "tsallis-inf", "uniinf", "matched-tinf"]) {
      for (const extreme of [1e300, -1e300, 1e-300, 1e200, -1e200]) {
        // 2,500 of the 2,560 rounds after which the weights shrink: they are about 2^250.
        const learner = createPolicy({ policy, ...told[policy], halfLife: 10 }, 3, { kernel });
        const rng = stream(1, "extreme");
        play(learner, 2500, () => 1, rng);
        for (let i = 0; i < 5; i++) {
          const choice = learner.choose(rng);
          try {
            learner.update(choice, extreme);
          } catch (error) {
            expect(error).toMatchObject({ code: "ERR_OVERFLOW" });
          }
        }
        play(learner, 200, () => 1, rng);
        expect(sum(learner.probabilities()!)).toBeCloseTo(1, 9);
      }
    }
  });

  test.each([1, 2, 5])("half-life %i: after a silence in which all spread has faded, a large difference leaves MatchedTINF sound", (halfLife) => {
    const numbers = (state: object) => Object.values(state).flat() as number[];
    for (let silence = 900; silence <= 1300; silence += 50) {
      for (const size of [1, 1e160, 1e300]) {
        const policy = createPolicy({ policy: "matched-tinf", halfLife }, 2, { kernel });
        const rng = stream(silence, "silence");
        play(policy, silence * halfLife, (round) => (round <= 8 ? rng.uniform() : 0.5), rng);
        for (let i = 0; i < 20; i++) {
          const choice = policy.choose(rng);
          try {
            policy.update(choice, i % 2 === 0 ? size : -size);
          } catch (error) {
            expect(error).toMatchObject({ code: "ERR_OVERFLOW" });
          }
        }
        const { state } = policy.snapshot();
        if (!numbers(state).every(Number.isFinite)) expect({ silence, size, ...state }).toBe("sound");
        expect(sum(policy.probabilities()!)).toBeCloseTo(1, 9);
      }
    }
  });

  test("a silence of thousands of half-lives ends in the uniform law, and the policy learns again", () => {
    for (const spec of [
      { policy: "matched-tinf" },
      { policy: "uniinf", horizon: 1e6 },
      { policy: "adatinf", horizon: 1e6 },
      { policy: "htinf", alpha: 1.5, sigma: 1 },
      { policy: "signed-tinf", alpha: 1.5, sigma: 1 },
    ]) {
      const policy = createPolicy({ ...spec, halfLife: 2 }, 2, { kernel });
      play(policy, 100, (_, arm) => arm);
      play(policy, 5000, () => 0.25);
      expect([...policy.probabilities()!].every((x) => x > 0)).toBe(true);
      const restored = restorePolicy(JSON.parse(JSON.stringify(policy.snapshot())), { kernel });
      expect([...restored.probabilities()!]).toEqual([...policy.probabilities()!]);
      const later = play(restored, 200, (_, arm) => 1 - arm);
      expect(later.filter((arm) => arm === 1).length).toBeGreaterThan(100);
    }
  });
});

test("a snapshot's origin is checked", () => {
  const policy = createPolicy({ policy: "matched-tinf", halfLife: 4 }, 2);
  play(policy, 10, (_, arm) => arm);
  const snapshot = policy.snapshot();
  for (const origin of [-1, 11, Number.NaN, "0", undefined]) {
    const broken = { ...snapshot, state: { ...snapshot.state, origin } };
    expect(() => restorePolicy(broken)).toThrow(/state\.origin must be a round of the last 256 half-lives/);
  }
  expect(() => restorePolicy({ ...snapshot, round: 2000 })).toThrow(/state\.origin/);
});

test.each([0, 0.5, -1, Number.NaN, Infinity, "700"])("a half-life of %s is refused", (halfLife) => {
  expect(() => createPolicy({ policy: "matched-tinf", halfLife }, 2)).toThrow(/halfLife must be/);
});
