import { exp } from "../elementary/exp.js";
import { show, TsallisError } from "../errors.js";
import { addEstimate, requireEstimates } from "../kernel/estimate.js";
import { draw, type Rng } from "../random/rng.js";
import { requireArm } from "./arms.js";
import { type Choice, requireChoice } from "./choice.js";
import { fingerprint } from "./fingerprint.js";
import { requireLoss } from "./loss.js";
import { type Policy, type PolicySnapshot, type PolicySpec, SNAPSHOT_VERSION } from "./policy.js";
import { requireSnapshot } from "./requireSnapshot.js";

/** An arm less likely than this can not be forced: its importance weight would be meaningless. */
const SMALLEST_PROBABILITY = 1e-300;

/**
 * What the EXP3 family shares: rho_i proportional to exp(-eta_t L_i), computed from L_i - min L, so that neither end of the doubles makes a NaN,
 * and estimates L that divide a loss by the probability in its Choice. A subclass says what eta_t is; what is added to L for a loss, if not the
 * importance-weighted loss; and how rho is mixed with exploration, if it is.
 */
export abstract class ExponentialWeights implements Policy {
  readonly spec: PolicySpec;
  readonly fingerprint: string;
  readonly skips = false;
  readonly weighs = true;
  readonly #losses: Float64Array;
  readonly #probabilities: Float64Array;
  #round = 0;

  protected constructor(
    spec: PolicySpec,
    readonly arms: number,
  ) {
    this.spec = Object.freeze(spec);
    this.fingerprint = fingerprint(spec, arms);
    this.#losses = new Float64Array(arms);
    this.#probabilities = new Float64Array(arms);
  }

  get round(): number {
    return this.#round;
  }

  /** eta for a round. */
  protected abstract rate(round: number): number;

  /** What is added to the estimate of the arm that was played. */
  protected estimate(choice: Choice, loss: number): number {
    return loss / choice.probability!;
  }

  /** Turns rho into the probabilities of a round, in place. */
  protected mix(_rho: Float64Array, _round: number): void {}

  #solve(round: number): Float64Array {
    const losses = this.#losses;
    const x = this.#probabilities;
    const rate = this.rate(round);
    let smallest = losses[0]!;
    for (let i = 1; i < losses.length; i++) if (losses[i]! < smallest) smallest = losses[i]!;
    let total = 0;
    for (let i = 0; i < losses.length; i++) {
      const weight = exp(-rate * (losses[i]! - smallest));
      x[i] = weight;
      total += weight;
    }
    for (let i = 0; i < x.length; i++) x[i]! /= total;
    this.mix(x, round);
    return x;
  }

  probabilities(): Float64Array {
    return this.#solve(this.#round + 1).slice();
  }

  choose(rng: Rng, into?: Choice): Choice {
    const u = draw(rng);
    const choice = this.#blank(into);
    const round = this.#round + 1;
    const x = this.#solve(round);
    let arm = 0;
    let rest = u - x[0]!;
    while (rest >= 0 && arm < x.length - 1) rest -= x[++arm]!;
    // Rounding can leave u beyond the sum: the last arm that has any probability takes it.
    while (x[arm] === 0) arm--;
    return this.#play(round, arm, x[arm]!, choice);
  }

  force(arm: number, into?: Choice): Choice {
    requireArm(arm, this.arms);
    const choice = this.#blank(into);
    const round = this.#round + 1;
    const probability = this.#solve(round)[arm]!;
    if (!(probability >= SMALLEST_PROBABILITY)) {
      const message = `arm ${arm} has probability ${show(probability)}, below 1e-300, so nothing can be learnt from it; leave that round out`;
      throw new TsallisError("ERR_PROBABILITY", "arm", arm, message);
    }
    return this.#play(round, arm, probability, choice);
  }

  /** The Choice to fill. Its first field is written before anything moves: an object that can not be written throws here. */
  #blank(into: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: null }): Choice {
    into.policy = this.fingerprint;
    return into;
  }

  #play(round: number, arm: number, probability: number, choice: Choice): Choice {
    choice.round = round;
    choice.arm = arm;
    choice.probability = probability;
    choice.threshold = null;
    this.#round = round;
    return choice;
  }

  update(choice: Choice, loss: number): void {
    requireChoice(choice, this);
    requireLoss(loss);
    this.learn(choice, loss);
  }

  protected learn(choice: Choice, loss: number): void {
    const { arm } = choice;
    this.#losses[arm] = addEstimate(arm, this.#losses[arm]!, this.estimate(choice, loss));
  }

  details(): Readonly<Record<string, number>> {
    return {};
  }

  snapshot(): PolicySnapshot {
    return { version: SNAPSHOT_VERSION, spec: this.spec, arms: this.arms, round: this.#round, state: this.state() };
  }

  /** The state beside the round, by name. */
  protected state(): Record<string, unknown> {
    return { losses: Array.from(this.#losses) };
  }

  restore(snapshot: PolicySnapshot): void {
    requireSnapshot(snapshot, this, Object.keys(this.state()));
    this.load(snapshot.state);
    this.#round = snapshot.round;
  }

  /** Checks the state's values and takes them over. */
  protected load({ losses }: Readonly<Record<string, unknown>>): void {
    requireEstimates(losses, this.arms);
    this.#losses.set(losses);
  }
}
