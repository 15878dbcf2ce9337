import { highWord } from "../../elementary/highWord.js";
import { POWERS_OF_TWO } from "../../elementary/powersOfTwo.js";
import { show, TsallisError } from "../../errors.js";
import { LARGEST_ESTIMATE } from "../../kernel/estimate.js";
import { estimatesFor } from "../../kernel/estimatesFor.js";
import type { Kernel } from "../../kernel/kernel.js";
import { toNumbers } from "../../kernel/toNumbers.js";
import { LARGEST_LOSS } from "../../largestLoss.js";
import { completeOptions, type Parameters } from "../../parameters.js";
import { type Choice, requireChoice } from "../base/choice.js";
import { FORGETTING_PARAMETERS } from "../base/forgetting.js";
import { FTRL_OPTIONS, Ftrl, type FtrlOptions } from "../base/ftrl.js";
import { exclude } from "../base/knownCosts.js";
import type { PolicySnapshot } from "../base/policy.js";
import { carry, keptOf, type Rearrangement } from "../base/rearrangement.js";
import { requireCounts, requireInteger, requireNumber, requireNumbers } from "../base/snapshotState.js";
import { ArmModel } from "./armModel.js";
import { ChangeWatch, type Finding } from "./changeWatch.js";

export const MATCHED_TINF_PARAMETERS = {
  rarest: {
    type: "number",
    atLeast: 1,
    atMost: 1e9,
    optional: true,
    description: "an event of one in this many plays matters: every arm gets about three times as many plays; not together with halfLife",
  },
  ...FORGETTING_PARAMETERS,
  detect: {
    type: "number",
    above: 0,
    atMost: 1,
    optional: true,
    description: "watches for changes, with at most this probability of a false alarm; by default it does not",
  },
} as const satisfies Parameters;

/** The options of MatchedTINF: the arms, and the parameters of its spec. */
export interface MatchedTINFOptions extends FtrlOptions {
  /** An event of one in this many plays matters. */
  rarest?: number;
  /** Watches for a favourite that becomes worse, with at most this probability of a false alarm. */
  detect?: number;
}

// The constants from THETA to START were chosen by comparing variants on the worlds of the experiment `suite` and on random worlds (docs/guides/choosing-a-policy.md).
/** A residual is clipped at THETA times the arm's gap times its probability; KAPPA weighs stability against penalty. Values of 0.7 to 1 and of 0.25 to 0.5 all do well. */
const THETA = 0.7;
const KAPPA = 0.5;
/** Of an arm that has got all its hints, the share of the difference between a loss and its hint that enters the residual. 1 is an unbiased estimate, 0 would trust the model alone. */
const RESIDUAL_SHARE = 0.5;
/** The share of its gap by which hints may raise an arm between two of its plays: what one play may cost it, besides what was seen. */
const HINT_BUDGET = 0.3;
/** beta is at least FLOOR pooled deviations times the root of what the rounds count. */
const FLOOR = 0.7;
/** The number of losses, not all equal, that set the scale. */
const START = 8;
/** With more arms than this, only one round in ceil(arms / SWEPT) gives hints, to all of them, by as much as that many rounds would: the cost of a round does not grow with the arms. */
const SWEPT = 6;
/** The number of arms from which the indexed kernel is faster for a policy that moves every arm, as `npm run bench` shows. */
const CROSSOVER = 80;
/** No estimate exceeds the smallest one by more than beta / sqrt(eps), where eps = CEILING / (K sqrt(t)). */
const CEILING = 0.6;
/** With `rarest`, every arm gets about this many times as many plays: an event of one in `rarest` is then missed with probability exp(-QUOTA). */
const QUOTA = 3;
/** q of the 1/2-Tsallis entropy. */
const EXPONENT = 2;
/** What is left of the evidence when the favourite has changed: that of so many rounds, or of the root of all if that is more. */
const REMEMBERED = 30;
/** Losses closer to each other than this do not set the scale: the unit would be subnormal. */
const SMALLEST_SCALE = 1e-290;
/** In units, beta and the hint budgets stay below this, and so do the gaps. */
const LARGEST = 1e300;

/**
 * MatchedTINF, a policy of this library. It needs no prior knowledge: no scale, no location, no horizon. Experimental: its page says what is proved, which is no
 * regret bound. It is FTRL with the 1/2-Tsallis entropy and h = beta, with clipping where Huang, Dai and Huang (ICML 2022) skip, stability-penalty matching (Ito,
 * Tsuchiya and Honda, COLT 2024), and, of our own, a model of the arms with limited influence.
 *
 * Scale. All arms are alike until 8 losses in a row are not all equal. From then on their median is the centre, and the unit is the power of two below their mean
 * deviation from it (each deviation capped at 3 times the median one, unless that is 0). In these units, y = (loss - centre) / unit, nothing depends on scale or
 * location. The 8 losses teach the model with the weight of the present round, and their variance is taken to be 1.5 times the square of that deviation. beta begins
 * at RESIDUAL_SHARE sqrt(P K) weight, and every hint budget at HINT_BUDGET beta sqrt(K).
 *
 * Age. The loss of round s is weighted by sqrt(s), with a half-life by sqrt(s) 2^(s / H): the first rounds, in which luck rules, count less and less. That costs an
 * eighth more exploration in a world that does not change, and finds changes in one that does.
 *
 * Hints. A model (armModel.ts) has a level, a robust mean of each arm's y above it, and a pooled variance P. With lo the smallest mean and n the plays that are remembered, an arm's
 * estimate grows in each round by the weight times its hint, n / (n + 10) (mean - lo), so that importance weights need not pay again for what is known. With more than 6 arms
 * only the rounds divisible by ceil(K / 6) do that, by that many times as much. But between two feedbacks of an arm, hints may raise its estimate by at most its hint budget,
 * HINT_BUDGET beta / sqrt(x_i) with beta as of the first of them, a part of its gap. So rounds in which an unlucky arm is not played do not bury it deeper. f is the part that an
 * arm has got of the hints that it would have had without that limit, since its last feedback; if it would have had none, f is what it was then, and 1 at first.
 *
 * Residual. v = (1 - (1 - RESIDUAL_SHARE) f) weight (y - level - lo - f hint), clipped at r = THETA beta sqrt(x_i): c = min(|v|, r). The estimate of the arm grows by sign(v) c / x_i. So only those
 * hints are subtracted that were given: without any, as with feedback in batches, the estimate is that of plain importance weighting.
 *
 * Ceiling. After every loss (from 80 arms on: after the hints of all arms) every estimate is lowered to the smallest one + beta / sqrt(eps) if it is above that, with
 * eps = CEILING / (K sqrt(t)), t the next round. Not with a half-life: what is forgotten is tried again anyway, and known costs are weighed against estimates,
 * which a ceiling makes too small. So below 80 arms none starves, in any world: its probability is at least
 * about eps, and the page proves how much. With `rarest` = R an arm with n feedbacks, from the first round on, has the larger one of that eps and (3 R - n) / (t + 3 R K): it gets
 * about 3 R plays, a third of them in the first 3 R K rounds and the rest ever more rarely, whatever the horizon.
 *
 * Rate. beta grows by KAPPA z / (beta p): z = c^2 (1 - x_i) / sqrt(x_i) is the stability that the round cost, times beta, and p = 2 (sum_j sqrt(x_j) - 1) the penalty of
 * one unit of beta. Since beta sqrt(x_i) = r / THETA, the raise is KAPPA THETA (c / r) c (1 - x_i) / p: c^2 is never formed. p is replaced with
 * 2 (sqrt(x_i) + sqrt(1 - x_i) - 1), the smallest p of any probabilities with this x_i, if that is larger, so one loss raises beta by at most 15 percent, however late it comes.
 * beta is at least FLOOR sqrt(P) weight sqrt(t / 2), where t feedbacks count t / 2 in squares of weights: so it does not stall when the residuals of the favourite are 0.
 *
 * Late feedback: x_i and the weight come with the Choice. The model, beta and p are those of the moment at which the loss comes in, and so are f and the hint that is
 * subtracted: it may differ from the one that was added in the Choice's round. With K = 1 there is nothing to match, and beta follows its floor.
 *
 * Changes. With `detect`, changeWatch.ts raises an alarm if the favourite has become worse. While the other arms are asked whether they have, too, the estimates are set
 * aside and only the model learns. If they have not, the evidence shrinks to that of few rounds (#forget).
 *
 * Other arms. The model begins empty for new arms; beta goes on. The gaps of all kept arms change by one factor, and what is left of their hint budgets by the same: it stays the
 * part of the gap that it was. New arms have no feedbacks yet that count for `rarest`, and t goes on, so the later an arm comes,
 * the more its plays are spread. If no kept arm is in the model, nothing is left to compare new losses with, and the scale is set again.
 */
export class MatchedTINF extends Ftrl {
  /** Rounds from one sweep over all arms to the next. */
  readonly #every: number;
  /** The plays that `rarest` asks for, of each arm. */
  readonly #quota: number;
  /** The arms and losses of the last feedbacks, kept until they set the scale. */
  #firstArms: readonly number[] = [];
  #firstLosses: readonly number[] = [];
  #centre = 0;
  #unit = 1;
  #model: ArmModel;
  /** What hints may still add to an arm's estimate until it is played again. */
  readonly #hintBudgets: Float64Array;
  /** An arm's hint budget when it was played last, and what the model has wanted to add to its estimate since. */
  readonly #granted: Float64Array;
  readonly #wanted: Float64Array;
  /** The part of its hints that an arm had got when it was played last. */
  readonly #covered: Float64Array;
  /** Feedbacks of each arm; they matter only with `rarest`. */
  readonly #tries: Float64Array;
  /** The hints of the last sweep: a buffer, not part of the state. */
  readonly #hints: Float64Array;
  /** In weighted units, like the estimates; 0 until the scale is set. */
  #beta = 0;
  /** p of the last round played. */
  #penalty = 0;
  /** Feedbacks since the scale was set. */
  #learned = 0;
  /** With `detect`: what watches for changes, the rounds that were forgotten, and the estimates that are set aside during an inquiry. */
  readonly #watch: ChangeWatch | null;
  #forgotten = 0;
  #setAside: readonly number[] = [];

  constructor(options: MatchedTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...MATCHED_TINF_PARAMETERS }, options);
    const { rarest, halfLife, detect } = parameters;
    if (rarest !== undefined && halfLife !== undefined) {
      const message = `rarest cannot be combined with halfLife: a policy that forgets cannot count on ${show(rarest)} plays; leave one of them out`;
      throw new TsallisError("ERR_PARAMETER", "rarest", rarest, message);
    }
    super({ policy: "matched-tinf", ...parameters }, arms, { kernel, exponent: EXPONENT, crossover: CROSSOVER });
    this.#every = Math.ceil(arms / SWEPT);
    this.#quota = QUOTA * (rarest ?? 0);
    this.#model = new ArmModel(arms, halfLife);
    this.#hintBudgets = new Float64Array(arms);
    this.#granted = new Float64Array(arms);
    this.#wanted = new Float64Array(arms);
    this.#covered = new Float64Array(arms).fill(1);
    this.#tries = new Float64Array(arms);
    this.#hints = new Float64Array(arms);
    this.#watch = detect === undefined ? null : new ChangeWatch(arms, detect);
  }

  protected override weight(round: number): number {
    return Math.sqrt(Math.max(1, round - this.#forgotten)) * super.weight(round);
  }

  override setHalfLife(rounds: number): void {
    super.setHalfLife(rounds);
    this.#model.setHalfLife(rounds);
  }

  /** Until beta is set all estimates are 0, and any h gives equal probabilities. */
  protected override inverseRate(): number {
    return this.#beta > 0 ? this.#beta : 1;
  }

  /** The estimates are in units. Before there is a unit, all arms are alike. */
  protected override knownCostFactor(round: number): number {
    return this.#beta > 0 ? (this.weight(round) * this.elapsed(round - this.#forgotten, 1)) / this.#unit : 0;
  }

  protected override solved(kernel: Kernel): void {
    this.#penalty = 2 * kernel.spread();
  }

  protected override played(round: number, arm: number): void {
    super.played(round, arm);
    this.#watch?.played(arm);
    if (this.#beta === 0 || round % this.#every !== 0 || this.#inquires) return;
    this.#giveHints(this.weight(round));
    if (this.arms >= CROSSOVER) this.#limit();
  }

  /** Gives every arm the hints of the rounds since the last sweep, up to its hint budget. */
  #giveHints(weight: number): void {
    const model = this.#model;
    const hintBudgets = this.#hintBudgets;
    const wanted = this.#wanted;
    const hints = this.#hints;
    const rounds = this.#every * weight;
    model.survey(weight);
    for (let arm = 0; arm < this.arms; arm++) {
      const want = rounds * model.hint(arm, weight);
      const hint = Math.min(want, hintBudgets[arm]!);
      hints[arm] = hint;
      hintBudgets[arm]! -= hint;
      wanted[arm]! += want;
    }
    this.kernel.addAll(hints);
  }

  /** Lowers every estimate to its ceiling for the next round. */
  #limit(): void {
    if (this.spec.halfLife !== undefined) return;
    const rounds = this.round + 1;
    const ceiling = this.#beta * Math.sqrt((this.arms * Math.sqrt(rounds)) / CEILING);
    if (this.#quota === 0) this.kernel.limit(ceiling);
    else {
      const own = this.#tries.map((tries) => {
        const probability = (this.#quota - tries) / (rounds + this.#quota * this.arms);
        return probability > 0 ? this.#beta / Math.sqrt(probability) : Infinity;
      });
      this.kernel.limit(ceiling, own);
    }
  }

  /** True if every larger loss is beyond both clips, that of the residual and that of the model. */
  isSettled(choice: Choice, loss: number): boolean {
    requireChoice(choice, this);
    if (this.#beta === 0) return false;
    const y = this.#inUnits(loss);
    const residual = this.#residual(choice.arm, y, this.#coverage(choice.arm), this.weight(choice.round), this.weight(this.round));
    const known = this.#model.clip(choice.arm, y) < y || residual >= this.#clipAt(choice);
    const settled = this.#watch === null || this.#watch.isSettled(choice.arm, loss);
    return known && settled && this.#model.isSettled(choice.arm, y, this.weight(this.round));
  }

  #inUnits(loss: number): number {
    return (loss - this.#centre) / this.#unit;
  }

  /** `weight` is that of the Choice's round, `present` that of the latest one. */
  #residual(arm: number, y: number, covered: number, weight: number, present: number): number {
    const expected = this.#model.lowest + covered * this.#model.hint(arm, present);
    return (1 - (1 - RESIDUAL_SHARE) * covered) * weight * (this.#model.clip(arm, y) - expected);
  }

  /** The part of its hints that an arm has got since it was played last, or had got then if it had none since. */
  #coverage(arm: number): number {
    const wanted = this.#wanted[arm]!;
    return wanted > 0 ? Math.min(1, (this.#granted[arm]! - this.#hintBudgets[arm]!) / wanted) : this.#covered[arm]!;
  }

  #clipAt({ probability }: Choice): number {
    return THETA * this.#beta * Math.sqrt(probability!);
  }

  /** Learns what a choice has cost; see `Policy`. */
  override update(choice: Choice, loss: number): void {
    super.update(choice, loss);
    if (this.#watch !== null)
      this.#heed(
        this.#watch.observe(choice, loss, this.round, () => this.#favourite()),
        choice.arm,
      );
  }

  /** The arm with the smallest estimate; -1 if there is nothing to compare. */
  #favourite(): number {
    if (this.#beta === 0 || this.arms === 1) return -1;
    const losses = this.kernel.losses();
    return losses.indexOf(losses.reduce((a, b) => Math.min(a, b)));
  }

  #heed(finding: Finding, arm: number): void {
    if (finding === "nothing") return;
    if (finding === "ask") {
      this.#ask(arm);
      return;
    }
    this.kernel.restore(this.#setAside, undefined);
    this.#setAside = [];
    if (finding === "forget") this.#forget();
  }

  get #inquires(): boolean {
    return this.#setAside.length > 0;
  }

  /** Sets the estimates aside: half of the plays go to the favourite, and half to the others, in proportion to what they had. Meanwhile only the model learns. */
  #ask(favourite: number): void {
    const probabilities = exclude(this.kernel.probabilities(this.#beta), [favourite]).map((x) => x / 2);
    probabilities[favourite] = 0.5;
    this.#setAside = this.kernel.losses();
    this.kernel.restore(estimatesFor(probabilities, this.#beta, EXPONENT), undefined);
  }

  /**
   * Shrinks the evidence, which counts as m rounds, to that of n: the next round counts as round n + 1. Of t rounds m = t are remembered; with a half-life fewer, the last ones. Weights
   * grow like the root of the round, so the present one falls by sqrt(n / t). Estimates and counts, sums of weights, shrink by that and n / m, and beta, a root of a sum of squares of
   * weights, by that and sqrt(n / m).
   */
  #forget(): void {
    const rounds = this.round - this.#forgotten;
    const remembered = this.elapsed(rounds, 1);
    const left = Math.ceil(Math.max(REMEMBERED, Math.sqrt(remembered)));
    if (left >= remembered) return;
    const ratio = left / remembered;
    this.shrink(ratio * Math.sqrt(left / rounds));
    this.#beta /= Math.sqrt(ratio);
    this.#learned = left;
    this.#forgotten = this.round - left;
  }

  protected override learn(choice: Choice, loss: number): void {
    const { arm, round } = choice;
    if (this.#beta === 0) {
      this.#start(arm, loss);
      this.#tries[arm]!++;
      return;
    }
    const probability = choice.probability!;
    const y = this.#inUnits(loss);
    const present = this.weight(this.round);
    const weight = round === this.round ? present : this.weight(round);
    if (this.#inquires) {
      this.#model.observe(arm, y, weight, present);
      return;
    }
    const covered = this.#coverage(arm);
    const residual = this.#residual(arm, y, covered, weight, present);
    const limit = this.#clipAt(choice);
    const clipped = Math.min(Math.abs(residual), limit);
    const beta = Math.max(this.#beta + this.#raise(probability, clipped, limit), this.#floor(present));
    const hintBudget = (HINT_BUDGET * beta) / Math.sqrt(probability);
    if (!(hintBudget <= LARGEST && beta * Math.sqrt(this.arms) <= LARGEST)) {
      const message = `after a loss of ${show(loss)} the learning rate would leave the range of a double; divide all losses by a constant`;
      throw new TsallisError("ERR_OVERFLOW", "loss", loss, message);
    }
    if (clipped > 0) this.kernel.add(arm, (residual > 0 ? clipped : -clipped) / probability);
    this.#model.observe(arm, y, weight, present);
    this.#covered[arm] = covered;
    this.#wanted[arm] = 0;
    this.#granted[arm] = this.#hintBudgets[arm] = hintBudget;
    this.#tries[arm]!++;
    this.#beta = beta;
    this.#learned++;
    if (this.arms < CROSSOVER) this.#limit();
  }

  #raise(probability: number, clipped: number, limit: number): number {
    if (!(clipped > 0 && probability < 1) || this.arms === 1) return 0;
    const penalty = Math.max(this.#penalty, leastPenalty(probability));
    return (KAPPA * THETA * (clipped / limit) * clipped * (1 - probability)) / penalty;
  }

  #floor(present: number): number {
    return FLOOR * Math.sqrt(this.#model.pooled * this.elapsed((this.#learned + 1) / 2, 2)) * present;
  }

  /** Keeps the last losses until they set the scale. They then teach the model; the probabilities are still equal. */
  #start(arm: number, loss: number): void {
    this.#firstArms = [...this.#firstArms, arm].slice(-START);
    this.#firstLosses = [...this.#firstLosses, loss].slice(-START);
    const scale = this.#firstLosses.length < START ? undefined : scaleOf(this.#firstLosses);
    if (scale === undefined) return;
    const weight = this.weight(this.round);
    this.#centre = scale.centre;
    this.#unit = powerOfTwoBelow(scale.deviation);
    const size = scale.deviation / this.#unit;
    this.#model.begin(1.5 * size * size, this.#firstArms[0]!, weight);
    for (const [i, first] of this.#firstLosses.entries()) this.#model.observe(this.#firstArms[i]!, this.#inUnits(first), weight, weight);
    this.#model.survey(weight);
    this.#beta = RESIDUAL_SHARE * Math.sqrt(this.#model.pooled * this.arms) * weight;
    this.#hintBudgets.fill(HINT_BUDGET * this.#beta * Math.sqrt(this.arms));
    this.#granted.set(this.#hintBudgets);
    this.#wanted.fill(0);
    this.#covered.fill(1);
    this.#learned = 0;
    this.#firstArms = this.#firstLosses = [];
  }

  /** If the scale fades to nothing, the next losses set it again. */
  protected override shrink(factor: number): void {
    super.shrink(factor);
    this.#model.shrink(factor);
    for (const sums of [this.#hintBudgets, this.#granted, this.#wanted]) for (let arm = 0; arm < this.arms; arm++) sums[arm]! *= factor;
    this.#beta *= factor;
    if (this.#beta >= SMALLEST_SCALE) return;
    this.#beta = 0;
    this.kernel.reset();
  }

  /** `beta`: the inverse of the learning rate, in units of loss; with `detect`, `alarms`: how often the favourite was found to have become worse. */
  override details(): Readonly<Record<string, number>> {
    const beta = this.#beta === 0 ? 0 : (this.#beta / this.weight(this.round)) * this.#unit;
    return this.#watch === null ? { beta } : { beta, alarms: this.#watch.alarms };
  }

  protected override state(): Record<string, unknown> {
    return {
      ...super.state(),
      firstArms: this.#firstArms,
      firstLosses: this.#firstLosses,
      centre: this.#centre,
      unit: this.#unit,
      beta: this.#beta,
      penalty: this.#penalty,
      learned: this.#learned,
      hintBudgets: toNumbers(this.#hintBudgets),
      granted: toNumbers(this.#granted),
      wanted: toNumbers(this.#wanted),
      covered: toNumbers(this.#covered),
      ...(this.#quota > 0 && { tries: toNumbers(this.#tries) }),
      ...this.#model.state(),
      ...(this.#watch !== null && {
        forgotten: this.#forgotten,
        setAside: this.#setAside,
        ...this.#watch.state(),
      }),
    };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { firstArms, firstLosses, centre, unit, beta, penalty, learned, hintBudgets, granted, wanted, covered, tries } = snapshot.state;
    requireNumber(beta, "state.beta", 0, LARGEST / Math.sqrt(this.arms));
    requireFirst(firstArms, firstLosses, this.arms);
    requireNumber(centre, "state.centre", -LARGEST_LOSS, LARGEST_LOSS);
    requireNumber(unit, "state.unit", SMALLEST_SCALE / 2, LARGEST);
    // The largest is 2 (sqrt(K) - 1), where all probabilities are equal.
    requireNumber(penalty, "state.penalty", 0, 2 * Math.sqrt(this.arms));
    requireInteger(learned, "state.learned", 0, Number.MAX_SAFE_INTEGER);
    requireNumbers(hintBudgets, "state.hintBudgets", this.arms, LARGEST, 0);
    requireNumbers(granted, "state.granted", this.arms, LARGEST, 0);
    requireNumbers(wanted, "state.wanted", this.arms, Number.MAX_VALUE, 0);
    requireNumbers(covered, "state.covered", this.arms, 1, 0);
    if (this.#quota > 0) requireCounts(tries, "state.tries", this.arms);
    const model = new ArmModel(this.arms, (snapshot.state.halfLife ?? this.spec.halfLife) as number | undefined);
    model.load(snapshot.state);
    if (this.#watch !== null) this.#loadWatch(this.#watch, snapshot);
    super.load(snapshot);
    this.#model = model;
    this.#firstArms = [...firstArms];
    this.#firstLosses = [...(firstLosses as number[])];
    this.#centre = centre;
    this.#unit = unit;
    this.#beta = beta;
    this.#penalty = penalty;
    this.#learned = learned;
    this.#hintBudgets.set(hintBudgets);
    this.#granted.set(granted);
    this.#wanted.set(wanted);
    this.#covered.set(covered);
    if (this.#quota > 0) this.#tries.set(tries as number[]);
  }

  #loadWatch(watch: ChangeWatch, { state, round }: PolicySnapshot): void {
    const { forgotten, setAside } = state;
    requireInteger(forgotten, "state.forgotten", 0, round);
    requireNumbers(setAside, "state.setAside", state.asked === 0 ? 0 : this.arms, LARGEST_ESTIMATE);
    watch.load(state, round);
    this.#forgotten = forgotten;
    this.#setAside = [...setAside];
  }

  protected override resume(old: this, from: Rearrangement): void {
    this.#tries.set(carry(old.#tries, from, 0));
    this.#forgotten = old.#forgotten;
    if (old.#watch !== null) this.#watch?.resume(old.#watch, from);
    const known = old.#beta > 0 && this.#model.resume(old.#model, from, old.weight(old.round));
    this.#beta = known ? Math.min(old.#beta, LARGEST / Math.sqrt(this.arms)) : 0;
    super.resume(old, from);
    if (!known) {
      // The probabilities are equal, and so that they stay equal whatever beta will be, the estimates are exactly equal.
      this.kernel.reset();
      const first = old.#firstArms.map((arm) => from.indexOf(arm));
      this.#firstArms = first.filter((arm) => arm >= 0);
      this.#firstLosses = old.#firstLosses.filter((_, i) => first[i]! >= 0);
      return;
    }
    this.#centre = old.#centre;
    this.#unit = old.#unit;
    this.#learned = old.#learned;
    // No probabilities of these arms have a larger one.
    this.#penalty = Math.min(old.#penalty, 2 * (Math.sqrt(this.arms) - 1));
    const kept = keptOf(old.probabilities(), from);
    const stretch = Math.sqrt((kept.probability * this.arms) / kept.arms);
    const fresh = HINT_BUDGET * this.#beta * Math.sqrt(this.arms);
    const stretched = (sums: Float64Array) => sums.map((each) => Math.min(each * stretch, LARGEST));
    this.#hintBudgets.set(carry(stretched(old.#hintBudgets), from, fresh));
    this.#granted.set(carry(stretched(old.#granted), from, fresh));
    this.#wanted.set(carry(stretched(old.#wanted), from, 0));
    this.#covered.set(carry(old.#covered, from, 1));
  }
}

/** 2 (sqrt(x) + sqrt(1 - x) - 1), without cancellation: the least penalty where one arm has probability x. */
function leastPenalty(x: number): number {
  const [a, b] = [Math.sqrt(x), Math.sqrt(1 - x)];
  return (4 * a * b) / (1 + a + b);
}

/** The median of losses and their mean deviation from it, each deviation capped at 3 times the median one; undefined if the losses are (nearly) all equal. */
function scaleOf(losses: readonly number[]): { readonly centre: number; readonly deviation: number } | undefined {
  const centre = middle(losses);
  const deviations = losses.map((loss) => Math.abs(loss - centre));
  const most = 3 * middle(deviations) || Number.MAX_VALUE;
  const deviation = deviations.reduce((sum, each) => sum + Math.min(each, most), 0) / losses.length;
  return deviation >= SMALLEST_SCALE ? { centre, deviation } : undefined;
}

/** The largest power of two that does not exceed x, for x from SMALLEST_SCALE on. */
function powerOfTwoBelow(x: number): number {
  // The exponent's bias is 1023; the table begins at 2^-1074.
  return POWERS_OF_TWO[((highWord(x) >>> 20) & 2047) - 1023 + 1074]!;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** Checks the losses that have not set the scale yet, and their arms; throws ERR_SNAPSHOT. */
function requireFirst(arms: unknown, losses: unknown, most: number): asserts arms is number[] {
  if (!(Array.isArray(losses) && losses.length <= START)) {
    throw new TsallisError(
      "ERR_SNAPSHOT",
      "state.firstLosses",
      losses,
      `state.firstLosses must be a list of at most ${START} losses, got ${show(losses)}`,
    );
  }
  requireNumbers(losses, "state.firstLosses", losses.length, LARGEST_LOSS);
  requireCounts(arms, "state.firstArms", losses.length);
  for (const arm of arms) requireNumber(arm, "state.firstArms", 0, most - 1);
}
