import { highWord } from "../elementary/highWord.js";
import { POWERS_OF_TWO } from "../elementary/powersOfTwo.js";
import { show, TsallisError } from "../errors.js";
import { LARGEST_LOSS } from "../largestLoss.js";
import { completeOptions } from "../parameters.js";
import { ArmModel } from "./base/armModel.js";
import { type Choice, requireChoice } from "./base/choice.js";
import { FORGETTING_PARAMETERS } from "./base/forgetting.js";
import { Ftrl } from "./base/ftrl.js";
import { FTRL_OPTIONS, type FtrlOptions } from "./base/ftrlOptions.js";
import type { PolicySnapshot } from "./base/policy.js";
import { requireCounts, requireInteger, requireNumber, requireNumbers } from "./base/requireNumbers.js";

export const MATCHED_TINF_PARAMETERS = FORGETTING_PARAMETERS;

export type MatchedTINFOptions = FtrlOptions;

/** News is clipped at THETA times the arm's gap times its probability; KAPPA weighs stability against penalty. From 0.7 to 1 and from 0.25 to 0.5 all do well. */
const THETA = 0.7;
const KAPPA = 0.5;
/** What of the difference between a loss and its hint is news, the rest being left to the model: 1 is an unbiased estimate, 0 would believe the model alone. */
const NEWS = 0.5;
/** By what share of its gap hints may raise an arm between two of its plays: what one look at it may cost it, beside what was seen. */
const LICENCE = 0.3;
/** beta is at least FLOOR pooled deviations times the root of what the rounds count. */
const FLOOR = 0.7;
/** The first so many losses that are not all equal set the scale. */
const START = 8;
/** With more arms than this not every round moves all of them, but one in ceil(arms / SWEPT), by as much: a round costs the same with any number of arms. */
const SWEPT = 48;
/** Losses closer to each other than this do not set the scale: the unit would be among the denormals. */
const SMALLEST_SCALE = 1e-290;
/** beta and licences stay below this, in units, and with them the gaps. */
const LARGEST = 1e300;

/**
 * MatchedTINF, a policy of this library: nothing to tell it, no scale, no location, no horizon. Experimental: what is proved of it is on its page, and that is no
 * regret bound. FTRL with the 1/2-Tsallis entropy and h = beta, clipping where Huang, Dai and Huang (ICML 2022) skip, stability-penalty matching (Ito, Tsuchiya and
 * Honda, COLT 2024), and, of our own, a model of the arms whose word is limited.
 *
 * Scale. All arms are alike until 8 losses in a row are not all equal. Their median is the centre from then on, and the power of two below their mean
 * deviation from it (each taken to be at most 3 times the median one, unless that is 0) the unit: in these units, y = (loss - centre) / unit, nothing depends on scale or
 * location. They teach the model with the weight of the present round, their variance being taken to be 1.5 times the square of that deviation; beta begins
 * at NEWS sqrt(P K) weight, and every licence at LICENCE beta sqrt(K).
 *
 * Age. The loss of round s is weighted by sqrt(s), with a half-life by sqrt(s) 2^(s / H): the first rounds, in which luck rules, count less and less. That takes an
 * eighth more exploration in a world that stands still, and finds changes without being told of them.
 *
 * Hints. A model (armModel.ts) has a mean of each arm's y, robustly, and a pooled variance P. With lo the smallest mean and n the plays that are remembered, an arm's
 * estimate grows in each round by the weight times its hint, n / (n + 10) (mean - lo): what is known is not paid for again by importance weights. But between two
 * feedbacks of an arm, hints may raise its estimate by LICENCE beta / sqrt(x_i) at most, a part of its gap. So an arm that had bad luck is not buried deeper by rounds
 * in which nobody looked at it.
 *
 * News. v = NEWS weight (y - lo - hint), clipped at r = THETA beta sqrt(x_i): c = min(|v|, r). The estimate of the arm grows by sign(v) c / x_i.
 *
 * Rate. beta grows by KAPPA z / (beta p): z = c^2 (1 - x_i) / sqrt(x_i) is the stability that the round cost, times beta, and p = 2 (sum_j sqrt(x_j) - 1) the penalty of
 * one unit of beta. Since beta sqrt(x_i) = r / THETA, the raise is KAPPA THETA (c / r) c (1 - x_i) / p: c^2 is never formed. p is taken to be no less
 * than 2 (sqrt(x_i) + sqrt(1 - x_i) - 1), which no law with this x_i can undercut, so that one loss raises beta by at most 15 percent however late it comes. And
 * beta is at least FLOOR sqrt(P) weight sqrt(t / 2), t / 2 being what t feedbacks count in squares of weights: no silence of the favourite's lets it stall.
 *
 * Late feedback: x_i and the weight come with the Choice; model, beta and p are those of the moment at which the loss comes in, and so is the hint that is
 * subtracted: it may differ from the one that was added in the Choice's round. With K = 1 there is nothing to match, and beta follows its floor.
 */
export class MatchedTINF extends Ftrl {
  readonly skips = false;
  /** Rounds from one sweep over all arms to the next. */
  readonly #every: number;
  /** The arms and losses of the last feedbacks, until they set the scale. */
  #firstArms: readonly number[] = [];
  #firstLosses: readonly number[] = [];
  #centre = 0;
  #unit = 1;
  #model: ArmModel;
  /** What hints may still add to an arm's estimate until it is played again. */
  readonly #licences: Float64Array;
  /** Those of the last sweep: no state, only room. */
  readonly #hints: Float64Array;
  /** In weighted units, as the estimates; 0 until the scale is set. */
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

  /** While beta is not set all estimates are 0, and any h gives the uniform law. */
  protected override inverseRate(): number {
    return this.#beta > 0 ? this.#beta : 1;
  }

  protected override solved(): void {
    this.#penalty = 2 * this.kernel.spread();
  }

  protected override played(round: number): void {
    if (this.#beta > 0 && round % this.#every === 0) this.#giveHints(this.weight(round));
  }

  /** Gives every arm the hints of the rounds since the last sweep, as far as its licence goes. */
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

  /** Every larger loss is beyond both clips: that of the news, and that of the model. */
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

  /** Keeps the last losses until they set the scale. Then they teach the model; the law is still uniform. */
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

  /** A scale that fades to nothing is set anew by the next losses. */
  protected override shrink(factor: number): void {
    super.shrink(factor);
    this.#model.shrink(factor);
    for (let arm = 0; arm < this.arms; arm++) this.#licences[arm]! *= factor;
    this.#beta *= factor;
    if (this.#beta >= SMALLEST_SCALE) return;
    this.#beta = 0;
    this.kernel.reset();
  }

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
}

/** 2 (sqrt(x) + sqrt(1 - x) - 1), without cancellation: the least penalty of a law in which one arm has x. */
function leastPenalty(x: number): number {
  const [a, b] = [Math.sqrt(x), Math.sqrt(1 - x)];
  return (4 * a * b) / (1 + a + b);
}

/** The median of losses, and their mean deviation from it, each taken to be at most 3 times the median one; undefined if they are (nearly) all equal. */
function scaleOf(losses: readonly number[]): { readonly centre: number; readonly deviation: number } | undefined {
  const centre = middle(losses);
  const deviations = losses.map((loss) => Math.abs(loss - centre));
  const most = 3 * middle(deviations) || Number.MAX_VALUE;
  const deviation = deviations.reduce((sum, each) => sum + Math.min(each, most), 0) / losses.length;
  return deviation >= SMALLEST_SCALE ? { centre, deviation } : undefined;
}

/** The largest power of two that does not exceed x, for x from SMALLEST_SCALE on. */
function powerOfTwoBelow(x: number): number {
  // The exponent's bits count from 1023, the table from 1074.
  return POWERS_OF_TWO[((highWord(x) >>> 20) & 2047) - 1023 + 1074]!;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** The losses that have not set the scale yet, with their arms, or ERR_SNAPSHOT. */
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
