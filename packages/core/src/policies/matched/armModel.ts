import { pow } from "../../elementary/pow.js";
import { toNumbers } from "../../kernel/toNumbers.js";
import { carry, type Rearrangement } from "../base/rearrangement.js";
import { requireInteger, requireNumber, requireNumbers } from "../base/snapshotState.js";

// WIDTH, POOLED, DOUBT and the constants of the level were chosen by comparing variants on the worlds of the experiment `suite` and on random worlds (docs/guides/choosing-a-policy.md).
/** An arm's residuals are clipped from above at WIDTH times the root of their sum of squares: four losses of a new size are enough for a scale that is 25 times as large. */
const WIDTH = 2;
/** With a half-life H they are also clipped at the root of REACH H^(1/3) times the variance: 11 deviations at the router's 700. Smaller values do not see a slow mode of 5 in 100 losses. */
const REACH = 14;
/** The largest weight of an arm in the pooled variance, so that a favourite that never varies does not hide that the others do. */
const POOLED = 16;
/** The number of plays after which a mean counts half. */
const DOUBT = 10;
/** The weight of the newest residual in the recent mean and the recent variance: they remember some 50 plays. */
const RECENT = 0.02;
/** In the recent mean, residuals are clipped at FAR deviations. */
const FAR = 10;
/** The level moves while the recent mean is more than CLEAR standard errors from 0, in each play by FOLLOW times what is beyond. */
const CLEAR = 3;
const FOLLOW = 0.1;
/** Losses and the level are at most this in size, means at most twice and residuals at most four times that, so that their squares stay in the range of a double. */
const FARTHEST = 1e140;
/** Variances and weighted counts stay below this. */
const LARGEST = 1e300;

/**
 * MatchedTINF's model of the losses of each arm: a weighted count, a mean and a variance. Weights grow from round to round, so a count divided by the weight of the
 * present round is the number of plays that are still remembered. A residual above WIDTH sqrt(P + n V) is clipped there, where n and V are the arm's own and P is the
 * variance pooled over all arms, in which the first losses of all arms count as one play. A residual below 0 is not clipped: a gain that is rare and large is the reason why
 * its arm is good, and its first ones would be cut to nothing. Losses come in units in which their size is about 1 at first.
 *
 * Level. What raises or lowers all losses alike says nothing about the arms, but it makes what is known of them incomparable: an arm that was last played when all
 * losses were low looks good. So means are measured from a level, which follows the losses where the residuals of all plays, on average over the last 50 or so, are clearly
 * not 0: an arm is expected to lose level + mean, and that is what residuals are measured from. After each loss its residual (as clipped above, and at -+ FAR sqrt(P + V))
 * enters the drift d and its square the noise s, two means in which each of them has the weight RECENT and what came before 1 - RECENT. The level then moves by FOLLOW times the
 * part of d that is beyond -+ CLEAR sqrt(max(s, P + V) RECENT / (2 - RECENT)), CLEAR standard errors of d. V is that of the arm, with this loss in it. Level, d and s
 * begin at 0 and see the first losses too. The level also moves when the favourite alone gets worse: the others then lose less than expected when they are played, and are taken for what they are.
 *
 * P divides by n - 1, over the arms with n > 1. Like lo, it is computed whenever the arms are surveyed.
 *
 * With a half-life H nothing counts beyond sqrt(REACH H^(1/3) (P + V) / 2 + spread^2) around an arm's mean, not even in a policy's residual; the spread is that of the means. An arm that
 * goes bad must be left within a part of a half-life, so one loss may not say more than that. Whatever happens more often than about once in REACH H^(1/3) plays is still seen.
 */
export class ArmModel {
  /** As of the last survey: P, the difference between the largest and the smallest mean, and the arm of the smallest. A mean that falls below the leader's leads at once. */
  #pooled = 0;
  #spread = 0;
  #leader = 0;
  /** What all losses have in common at present, and the recent mean and mean square of the residuals, by which it moves. */
  #level = 0;
  #drift = 0;
  #noise = 0;
  /** The variance of the first losses, and the weight of the round in which they came. */
  #prior = 0;
  #since = 0;
  readonly #counts: Float64Array;
  readonly #means: Float64Array;
  readonly #variances: Float64Array;

  #most = Number.POSITIVE_INFINITY;

  constructor(
    readonly arms: number,
    halfLife = Number.POSITIVE_INFINITY,
  ) {
    this.setHalfLife(halfLife);
    this.#counts = new Float64Array(arms);
    this.#means = new Float64Array(arms);
    this.#variances = new Float64Array(arms);
  }

  setHalfLife(rounds: number): void {
    this.#most = pow(rounds, 1 / 3);
  }

  get pooled(): number {
    return this.#pooled;
  }

  /** Forgets everything except the variance of the first losses. */
  begin(variance: number, leader: number, weight: number): void {
    this.#counts.fill(0);
    this.#means.fill(0);
    this.#variances.fill(0);
    this.#prior = variance;
    this.#since = weight;
    this.#pooled = variance;
    this.#spread = 0;
    this.#leader = leader;
    this.#level = this.#drift = this.#noise = 0;
  }

  /** The loss that the arm of the smallest mean is expected to have now. */
  get lowest(): number {
    return this.#expected(this.#leader);
  }

  #expected(arm: number): number {
    return this.#level + this.#means[arm]!;
  }

  /** By how much the mean of an arm exceeds the smallest mean, reduced while the arm has few plays. */
  hint(arm: number, weight: number): number {
    const count = this.#counts[arm]!;
    return (count / (count + DOUBT * weight)) * (this.#means[arm]! - this.#means[this.#leader]!);
  }

  /** A loss, clipped to what may count. */
  clip(arm: number, loss: number): number {
    return within(this.#expected(arm), this.#reach(arm), within(0, FARTHEST, loss));
  }

  #reach(arm: number): number {
    if (this.#most === Number.POSITIVE_INFINITY) return this.#most;
    return Math.sqrt((REACH * this.#most * (this.#pooled + this.#variances[arm]!)) / 2 + this.#spread * this.#spread) || 2 * FARTHEST;
  }

  /** Whether every larger loss would teach the model the same. */
  isSettled(arm: number, loss: number, weight: number): boolean {
    return loss - this.#expected(arm) >= this.#width(arm, weight);
  }

  /** Where nothing has varied yet, the first difference counts in full. */
  #width(arm: number, weight: number): number {
    const width = WIDTH * Math.sqrt(this.#pooled + (this.#counts[arm]! / weight) * this.#variances[arm]!);
    return Math.min(width, this.#reach(arm)) || 2 * FARTHEST;
  }

  /** Takes in a loss of an arm with the weight of its round; `present` is the weight of the latest round. */
  observe(arm: number, loss: number, weight: number, present: number): void {
    const total = this.#counts[arm]! + weight;
    const fresh = weight / total;
    const residual = Math.max(-this.#reach(arm), Math.min(this.#width(arm, present), within(0, FARTHEST, loss) - this.#expected(arm)));
    const mean = this.#means[arm]! + fresh * residual;
    this.#counts[arm] = total;
    this.#means[arm] = mean;
    this.#variances[arm] = (1 - fresh) * (this.#variances[arm]! + fresh * residual * residual);
    if (mean < this.#means[this.#leader]!) this.#leader = arm;
    this.#followLevel(residual, this.#pooled + this.#variances[arm]!);
  }

  /** Where rare losses make the variance, the recent squares are too small most of the time, so `variance`, P + V, counts if it is larger. */
  #followLevel(residual: number, variance: number): void {
    const counted = within(0, FAR * Math.sqrt(variance), residual);
    this.#drift += RECENT * (counted - this.#drift);
    this.#noise += RECENT * (counted * counted - this.#noise);
    // A mean with weights that fall by 1 - RECENT from play to play has RECENT / (2 - RECENT) of the variance.
    const noise = CLEAR * Math.sqrt((Math.max(this.#noise, variance) * RECENT) / (2 - RECENT));
    this.#level = within(0, FARTHEST, this.#level + FOLLOW * (this.#drift - within(0, noise, this.#drift)));
  }

  /** Pools the variances and finds the leader: O(arms). */
  survey(weight: number): void {
    const counts = this.#counts;
    const means = this.#means;
    const variances = this.#variances;
    const inverse = 1 / weight;
    let plays = this.#since * inverse;
    let squares = plays * this.#prior;
    let leader = this.#leader;
    let largest = means[leader]!;
    for (let arm = 0; arm < this.arms; arm++) {
      if (counts[arm] === 0) continue;
      if (means[arm]! < means[leader]!) leader = arm;
      else if (means[arm]! > largest) largest = means[arm]!;
      const count = counts[arm]! * inverse;
      if (!(count > 1)) continue;
      squares += (count < POOLED ? count : POOLED) * variances[arm]!;
      plays += count < POOLED ? count - 1 : POOLED - POOLED / count;
    }
    this.#leader = leader;
    this.#spread = largest - means[leader]!;
    this.#pooled = plays > 0 ? squares / plays : 0;
  }

  /** Shrinks all weights by a factor. */
  shrink(factor: number): void {
    this.#since *= factor;
    for (let arm = 0; arm < this.arms; arm++) this.#counts[arm]! *= factor;
  }

  /** Takes over, into a fresh model, what another knows of the arms that are kept. False, with nothing taken over, if it knows none of them. */
  resume(old: ArmModel, from: Rearrangement, weight: number): boolean {
    this.#most = old.#most;
    const counts = carry(old.#counts, from, 0);
    const leader = counts.findIndex((count) => count > 0);
    if (leader < 0) return false;
    this.#counts.set(counts);
    this.#means.set(carry(old.#means, from, 0));
    this.#variances.set(carry(old.#variances, from, 0));
    this.#prior = old.#prior;
    this.#since = old.#since;
    this.#leader = leader;
    this.#level = old.#level;
    this.#drift = old.#drift;
    this.#noise = old.#noise;
    this.survey(weight);
    return true;
  }

  state(): Record<string, unknown> {
    return {
      pooled: this.#pooled,
      spread: this.#spread,
      leader: this.#leader,
      level: this.#level,
      drift: this.#drift,
      noise: this.#noise,
      prior: this.#prior,
      since: this.#since,
      counts: toNumbers(this.#counts),
      means: toNumbers(this.#means),
      variances: toNumbers(this.#variances),
    };
  }

  /** Restores the whole state or, with ERR_SNAPSHOT, none of it. */
  load({ pooled, spread, leader, level, drift, noise, prior, since, counts, means, variances }: Readonly<Record<string, unknown>>): void {
    requireNumber(pooled, "state.pooled", 0, LARGEST);
    requireNumber(spread, "state.spread", 0, 4 * FARTHEST);
    requireInteger(leader, "state.leader", 0, this.arms - 1);
    requireNumber(level, "state.level", -FARTHEST, FARTHEST);
    requireNumber(drift, "state.drift", -4 * FARTHEST, 4 * FARTHEST);
    requireNumber(noise, "state.noise", 0, LARGEST);
    requireNumber(prior, "state.prior", 0, LARGEST);
    requireNumber(since, "state.since", 0, LARGEST);
    requireNumbers(counts, "state.counts", this.arms, LARGEST, 0);
    requireNumbers(means, "state.means", this.arms, 2 * FARTHEST);
    requireNumbers(variances, "state.variances", this.arms, LARGEST, 0);
    this.#pooled = pooled;
    this.#spread = spread;
    this.#leader = leader;
    this.#level = level;
    this.#drift = drift;
    this.#noise = noise;
    this.#prior = prior;
    this.#since = since;
    this.#counts.set(counts);
    this.#means.set(means);
    this.#variances.set(variances);
  }
}

function within(centre: number, reach: number, value: number): number {
  return Math.max(centre - reach, Math.min(centre + reach, value));
}
