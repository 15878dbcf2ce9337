import { highWord } from "../elementary/highWord.js";
import { POWERS_OF_TWO } from "../elementary/powersOfTwo.js";
import { show, TsallisError } from "../errors.js";
import type { Kernel } from "../kernel/kernel.js";
import { LARGEST_LOSS } from "../largestLoss.js";
import { completeOptions } from "../parameters.js";
import { ArmModel } from "./base/armModel.js";
import { type Choice, requireChoice } from "./base/choice.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { Ftrl } from "./base/ftrl.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./base/ftrlOptions.js";
import type { PolicySnapshot } from "./base/policy.js";
import { carry, keptOf, type Rearrangement } from "./base/rearrangement.js";
import { requireCounts, requireInteger, requireNumber, requireNumbers } from "./base/requireNumbers.js";

export const MATCHED_TINF_PARAMETERS = FORGETTING_PARAMETERS;

/** The options of MatchedTINF: the arms, and the parameters of its spec. */
export type MatchedTINFOptions = FtrlOptions;

// The constants from THETA to START were chosen by comparing variants on the worlds of the experiment `suite` and on random worlds (docs/guides/choosing-a-policy.md).
/** News is clipped at THETA times the arm's gap times its probability; KAPPA weighs stability against penalty. Values of 0.7 to 1 and of 0.25 to 0.5 all do well. */
const THETA = 0.7;
const KAPPA = 0.5;
/** The share of the difference between a loss and its hint that is news; the rest is left to the model. 1 is an unbiased estimate, 0 would trust the model alone. */
const NEWS = 0.5;
/** The share of its gap by which hints may raise an arm between two of its plays: what one play may cost it, besides what was seen. */
const LICENCE = 0.3;
/** beta is at least FLOOR pooled deviations times the root of what the rounds count. */
const FLOOR = 0.7;
/** The number of losses, not all equal, that set the scale. */
const START = 8;
/** With more arms than this, only one round in ceil(arms / SWEPT) moves all of them, by as much as that many rounds would: the cost of a round does not grow with the arms. */
const SWEPT = 48;
/** Losses closer to each other than this do not set the scale: the unit would be subnormal. */
const SMALLEST_SCALE = 1e-290;
/** In units, beta and the licences stay below this, and so do the gaps. */
const LARGEST = 1e300;

/**
 * MatchedTINF, a policy of this library. It needs no prior knowledge: no scale, no location, no horizon. Experimental: its page says what is proved, which is no
 * regret bound. It is FTRL with the 1/2-Tsallis entropy and h = beta, with clipping where Huang, Dai and Huang (ICML 2022) skip, stability-penalty matching (Ito,
 * Tsuchiya and Honda, COLT 2024), and, of our own, a model of the arms with limited influence.
 *
 * Scale. All arms are alike until 8 losses in a row are not all equal. From then on their median is the centre, and the unit is the power of two below their mean
 * deviation from it (each deviation capped at 3 times the median one, unless that is 0). In these units, y = (loss - centre) / unit, nothing depends on scale or
 * location. The 8 losses teach the model with the weight of the present round, and their variance is taken to be 1.5 times the square of that deviation. beta begins
 * at NEWS sqrt(P K) weight, and every licence at LICENCE beta sqrt(K).
 *
 * Age. The loss of round s is weighted by sqrt(s), with a half-life by sqrt(s) 2^(s / H): the first rounds, in which luck rules, count less and less. That costs an
 * eighth more exploration in a world that does not change, and finds changes in one that does.
 *
 * Hints. A model (armModel.ts) has a robust mean of each arm's y, and a pooled variance P. With lo the smallest mean and n the plays that are remembered, an arm's
 * estimate grows in each round by the weight times its hint, n / (n + 10) (mean - lo), so that importance weights need not pay again for what is known. But between two
 * feedbacks of an arm, hints may raise its estimate by at most LICENCE beta / sqrt(x_i), a part of its gap. So rounds in which an unlucky arm is not played
 * do not bury it deeper.
 *
 * News. v = NEWS weight (y - lo - hint), clipped at r = THETA beta sqrt(x_i): c = min(|v|, r). The estimate of the arm grows by sign(v) c / x_i.
 *
 * Rate. beta grows by KAPPA z / (beta p): z = c^2 (1 - x_i) / sqrt(x_i) is the stability that the round cost, times beta, and p = 2 (sum_j sqrt(x_j) - 1) the penalty of
 * one unit of beta. Since beta sqrt(x_i) = r / THETA, the raise is KAPPA THETA (c / r) c (1 - x_i) / p: c^2 is never formed. p is replaced with
 * 2 (sqrt(x_i) + sqrt(1 - x_i) - 1), the smallest p of any law with this x_i, if that is larger, so one loss raises beta by at most 15 percent, however late it comes.
 * beta is at least FLOOR sqrt(P) weight sqrt(t / 2), where t feedbacks count t / 2 in squares of weights: so it does not stall when the favourite brings no news.
 *
 * Late feedback: x_i and the weight come with the Choice. The model, beta and p are those of the moment at which the loss comes in, and so is the hint that is
 * subtracted: it may differ from the one that was added in the Choice's round. With K = 1 there is nothing to match, and beta follows its floor.
 *
 * Other arms. The model begins empty for new arms; beta goes on. The gaps of all kept arms change by one factor, and what is left of their licences by the same: it stays the
 * part of the gap that it was. If no kept arm is in the model, nothing is left to compare new losses with, and the scale is set anew.
 *
 * @example
 * ```ts
 * import { MatchedTINF, stream } from "tsallis";
 *
 * const policy = new MatchedTINF({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 980, 9, 11 ]
 * ```
 */
export class MatchedTINF extends Ftrl {
  readonly skips = false;
  /** Rounds from one sweep over all arms to the next. */
  readonly #every: number;
  /** The arms and losses of the last feedbacks, kept until they set the scale. */
  #firstArms: readonly number[] = [];
  #firstLosses: readonly number[] = [];
  #centre = 0;
  #unit = 1;
  #model: ArmModel;
  /** What hints may still add to an arm's estimate until it is played again. */
  readonly #licences: Float64Array;
  /** The hints of the last sweep: a buffer, not part of the state. */
  readonly #hints: Float64Array;
  /** In weighted units, like the estimates; 0 until the scale is set. */
  #beta = 0;
  /** p of the last round played. */
  #penalty = 0;
  /** Feedbacks since the scale was set. */
  #learned = 0;

  constructor(options: MatchedTINFOptions) {
    const { arms, kernel, ...parameters } = completeOptions({ ...FTRL_OPTIONS, ...MATCHED_TINF_PARAMETERS }, options);
    super({ policy: "matched-tinf", ...parameters }, arms, kernel, 2);
    this.#every = Math.ceil(arms / SWEPT);
    this.#model = new ArmModel(arms, parameters.halfLife);
    this.#licences = new Float64Array(arms);
    this.#hints = new Float64Array(arms);
  }

  protected override weight(round: number): number {
    return Math.sqrt(round) * super.weight(round);
  }

  /** Until beta is set all estimates are 0, and any h gives the uniform law. */
  protected override inverseRate(): number {
    return this.#beta > 0 ? this.#beta : 1;
  }

  /** The estimates are in units. Before there is a unit, all arms are alike. */
  protected override foresight(round: number): number {
    return this.#beta > 0 ? super.foresight(round) / this.#unit : 0;
  }

  protected override solved(kernel: Kernel): void {
    this.#penalty = 2 * kernel.spread();
  }

  protected override played(round: number): void {
    if (this.#beta > 0 && round % this.#every === 0) this.#giveHints(this.weight(round));
  }

  /** Gives every arm the hints of the rounds since the last sweep, up to its licence. */
  #giveHints(weight: number): void {
    const model = this.#model;
    const licences = this.#licences;
    const hints = this.#hints;
    model.survey(weight);
    for (let arm = 0; arm < this.arms; arm++) {
      const hint = Math.max(0, Math.min(this.#every * weight * model.hint(arm, weight), licences[arm]!));
      hints[arm] = hint;
      licences[arm]! -= hint;
    }
    this.kernel.addAll(hints);
  }

  /** True if every larger loss is beyond both clips, that of the news and that of the model. */
  isSettled(choice: Choice, loss: number): boolean {
    requireChoice(choice, this);
    if (this.#beta === 0) return false;
    const y = this.#inUnits(loss);
    const known = this.#model.clip(choice.arm, y) < y || this.#news(choice, y) >= this.#limit(choice);
    return known && this.#model.isSettled(choice.arm, y, this.weight(this.round));
  }

  #inUnits(loss: number): number {
    return (loss - this.#centre) / this.#unit;
  }

  #news({ round, arm }: Choice, y: number): number {
    const expected = this.#model.lowest + this.#model.hint(arm, this.weight(this.round));
    return NEWS * this.weight(round) * (this.#model.clip(arm, y) - expected);
  }

  #limit({ probability }: Choice): number {
    return THETA * this.#beta * Math.sqrt(probability!);
  }

  protected override learn(choice: Choice, loss: number): void {
    if (this.#beta === 0) {
      this.#start(choice.arm, loss);
      return;
    }
    const { arm, round } = choice;
    const probability = choice.probability!;
    const y = this.#inUnits(loss);
    const news = this.#news(choice, y);
    const limit = this.#limit(choice);
    const clipped = Math.min(Math.abs(news), limit);
    const beta = Math.max(this.#beta + this.#raise(probability, clipped, limit), this.#floor());
    const licence = (LICENCE * beta) / Math.sqrt(probability);
    if (!(licence <= LARGEST && beta * Math.sqrt(this.arms) <= LARGEST)) {
      const message = `after a loss of ${show(loss)} the learning rate would leave the range of a double; divide all losses by a constant`;
      throw new TsallisError("ERR_OVERFLOW", "loss", loss, message);
    }
    if (clipped > 0) this.kernel.add(arm, (news > 0 ? clipped : -clipped) / probability);
    this.#model.observe(arm, y, this.weight(round), this.weight(this.round));
    this.#licences[arm] = licence;
    this.#beta = beta;
    this.#learned++;
  }

  #raise(probability: number, clipped: number, limit: number): number {
    if (!(clipped > 0 && probability < 1) || this.arms === 1) return 0;
    const penalty = Math.max(this.#penalty, leastPenalty(probability));
    return (KAPPA * THETA * (clipped / limit) * clipped * (1 - probability)) / penalty;
  }

  #floor(): number {
    return FLOOR * Math.sqrt(this.#model.pooled * this.elapsed((this.#learned + 1) / 2, 2)) * this.weight(this.round);
  }

  /** Keeps the last losses until they set the scale. They then teach the model; the law is still uniform. */
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
    this.#beta = NEWS * Math.sqrt(this.#model.pooled * this.arms) * weight;
    this.#licences.fill(LICENCE * this.#beta * Math.sqrt(this.arms));
    this.#learned = 0;
    this.#firstArms = this.#firstLosses = [];
  }

  /** If the scale fades to nothing, the next losses set it anew. */
  protected override shrink(factor: number): void {
    super.shrink(factor);
    this.#model.shrink(factor);
    for (let arm = 0; arm < this.arms; arm++) this.#licences[arm]! *= factor;
    this.#beta *= factor;
    if (this.#beta >= SMALLEST_SCALE) return;
    this.#beta = 0;
    this.kernel.reset();
  }

  /** `beta`: the inverse of the learning rate, in units of loss. */
  override details(): Readonly<Record<string, number>> {
    return { beta: this.#beta === 0 ? 0 : (this.#beta / this.weight(this.round)) * this.#unit };
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
      licences: Array.from(this.#licences),
      ...this.#model.state(),
    };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { firstArms, firstLosses, centre, unit, beta, penalty, learned, licences } = snapshot.state;
    requireNumber(beta, "state.beta", 0, LARGEST / Math.sqrt(this.arms));
    requireFirst(firstArms, firstLosses, this.arms);
    requireNumber(centre, "state.centre", -LARGEST_LOSS, LARGEST_LOSS);
    requireNumber(unit, "state.unit", SMALLEST_SCALE / 2, LARGEST);
    // The largest is 2 (sqrt(K) - 1), at the uniform law.
    requireNumber(penalty, "state.penalty", 0, 2 * Math.sqrt(this.arms));
    requireInteger(learned, "state.learned", 0, Number.MAX_SAFE_INTEGER);
    requireNumbers(licences, "state.licences", this.arms, LARGEST, 0);
    const model = new ArmModel(this.arms, this.spec.halfLife as number | undefined);
    model.load(snapshot.state);
    super.load(snapshot);
    this.#model = model;
    this.#firstArms = [...firstArms];
    this.#firstLosses = [...(firstLosses as number[])];
    this.#centre = centre;
    this.#unit = unit;
    this.#beta = beta;
    this.#penalty = penalty;
    this.#learned = learned;
    this.#licences.set(licences);
  }

  protected override resume(old: this, from: Rearrangement): void {
    const known = old.#beta > 0 && this.#model.resume(old.#model, from, old.weight(old.round));
    this.#beta = known ? Math.min(old.#beta, LARGEST / Math.sqrt(this.arms)) : 0;
    super.resume(old, from);
    if (!known) {
      // The law is uniform, and so that it stays uniform whatever beta will be, the estimates are exactly equal.
      this.kernel.reset();
      const first = old.#firstArms.map((arm) => from.indexOf(arm));
      this.#firstArms = first.filter((arm) => arm >= 0);
      this.#firstLosses = old.#firstLosses.filter((_, i) => first[i]! >= 0);
      return;
    }
    this.#centre = old.#centre;
    this.#unit = old.#unit;
    this.#learned = old.#learned;
    // No law of these arms has a larger one.
    this.#penalty = Math.min(old.#penalty, 2 * (Math.sqrt(this.arms) - 1));
    const kept = keptOf(old.probabilities(), from);
    const stretch = Math.sqrt((kept.probability * this.arms) / kept.arms);
    const licences = old.#licences.map((licence) => Math.min(licence * stretch, LARGEST));
    this.#licences.set(carry(licences, from, LICENCE * this.#beta * Math.sqrt(this.arms)));
  }
}

/** 2 (sqrt(x) + sqrt(1 - x) - 1), without cancellation: the least penalty of a law in which one arm has x. */
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
