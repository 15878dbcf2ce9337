import { expm1 } from "../../elementary/expm1.js";
import { show, TsallisError } from "../../errors.js";
import { createKernel, type KernelName } from "../../kernel/createKernel.js";
import { DenseKernel } from "../../kernel/denseKernel.js";
import { LARGEST_ESTIMATE } from "../../kernel/estimate.js";
import { estimatesFor } from "../../kernel/estimatesFor.js";
import type { Kernel } from "../../kernel/kernel.js";
import type { Parameters } from "../../parameters.js";
import type { Rng } from "../../random/rng.js";
import { BasePolicy } from "./basePolicy.js";
import { type Choice, isSkipped, requireForceable } from "./choice.js";
import { FORGETTING_PARAMETERS, Forgetting } from "./forgetting.js";
import { armAt, exclude, requireKnownCosts } from "./knownCosts.js";
import type { PolicySnapshot, PolicySpec } from "./policy.js";
import { type Rearrangement, rearrangedProbabilities } from "./rearrangement.js";
import { ARMS } from "./sharedParameters.js";

/** The options that every FTRL policy has besides the parameters of its spec. */
export interface FtrlOptions {
  arms: number;
  /** Forces a kernel. By default the number of arms decides; the probabilities are the same. */
  kernel?: KernelName;
  /** A spec parameter that all of them share: rounds after which a loss counts half. Without it nothing is forgotten. */
  halfLife?: number;
}

export const FTRL_OPTIONS = {
  arms: ARMS,
  kernel: { type: "name", names: ["dense", "indexed"], optional: true, description: "forces a kernel" },
} as const satisfies Parameters;

/** How a policy uses its kernel. */
interface FtrlKind {
  /** Forces a kernel. */
  readonly kernel: KernelName | undefined;
  /** q. */
  readonly exponent: number;
  /** The number of arms from which the indexed kernel is used, if none is forced. */
  readonly crossover?: number;
  /** Theta of the skipping threshold; without it nothing is skipped. */
  readonly theta?: number;
}

/**
 * The base of all policies on a kernel: follow the regularised leader with x_i = (h / g_i)^q, h = 1 / (learning rate), and an
 * importance-weighted estimate of the losses. A subclass defines h, and what else happens when a round begins, when it is solved, and when a loss comes in.
 *
 * With a theta it skips as the paper's four algorithms do, which have the 1/alpha-Tsallis entropy, so q = alpha / (alpha - 1), and the action-dependent threshold
 * r = Theta * h * x_i^(1/alpha). Since x_i^(1/alpha) = x_i * g_i / h for the kernel's gap g_i, the threshold is Theta * x_i * g_i: no power is needed.
 *
 * With a half-life in its spec a policy forgets (see forgetting.ts): the loss of a round is multiplied by the round's weight, and everything that a subclass
 * sums over rounds (the estimates, h, a budget) is in units of weighted losses. A Choice and its threshold are in units of the losses themselves.
 */
export abstract class Ftrl extends BasePolicy {
  readonly weighs = true;
  readonly skips: boolean;
  protected readonly kernel: Kernel;
  readonly #forgetting: Forgetting | null;
  readonly #forced: KernelName | undefined;
  readonly #exponent: number;
  readonly #theta: number;
  /** The kernel of rounds with known costs, and what these add to the estimates: buffers, not part of the state. */
  #shifted: DenseKernel | null = null;
  #amounts: Float64Array | null = null;

  protected constructor(spec: PolicySpec, arms: number, { kernel, exponent, crossover, theta }: FtrlKind) {
    super(spec, arms);
    this.skips = theta !== undefined;
    this.#theta = theta ?? 0;
    this.#forced = kernel;
    this.#exponent = exponent;
    this.kernel = createKernel(arms, exponent, kernel, crossover);
    this.#forgetting = typeof spec.halfLife === "number" ? new Forgetting(spec.halfLife) : null;
  }

  override get takesKnownCosts(): boolean {
    return true;
  }

  /** h for a round, in units of weighted losses. */
  protected abstract inverseRate(round: number): number;

  /** The factor of a round's loss: 1 if nothing is forgotten. */
  protected weight(round: number): number {
    return this.#forgetting === null ? 1 : this.#forgetting.weight(round);
  }

  /** How much the last `rounds` rounds count in all: `rounds` itself if nothing is forgotten. */
  protected elapsed(rounds: number, alpha: number): number {
    return this.#forgetting === null ? rounds : this.#forgetting.elapsed(rounds, alpha);
  }

  /** What a known cost of 1 adds to an arm's estimate, as if each remembered round had cost that much more. */
  protected knownCostFactor(round: number): number {
    return this.weight(round) * this.elapsed(round, 1);
  }

  /** Called when the round is solved and its arm is known; the kernel holds the solution. */
  protected solved(_kernel: Kernel): void {}

  /** Called when the weights shrink by a factor: everything that is in units of weighted losses must shrink with them. */
  protected shrink(factor: number): void {
    const losses = this.kernel.losses();
    const least = losses.reduce((a, b) => Math.min(a, b));
    const shrunk = losses.map((loss) => (loss - least) * factor);
    this.kernel.restore(shrunk, undefined);
  }

  /** Changes the half-life of a spec that has one; see `Policy`. */
  setHalfLife(rounds: number): void {
    const { atLeast, atMost } = FORGETTING_PARAMETERS.halfLife;
    if (this.#forgetting === null || !(rounds >= atLeast && rounds <= atMost)) {
      const wanted = this.#forgetting === null ? "none, since the spec has none" : `in [${atLeast}, ${atMost}]`;
      throw new TsallisError("ERR_PARAMETER", "halfLife", rounds, `halfLife must be ${wanted}, got ${show(rounds)}`);
    }
    this.#forgetting.change(rounds, this.round);
  }

  /** Starts over, as a new policy, from the next round on. */
  protected startOver(): void {
    this.kernel.reset();
    this.#forgetting?.startAt(this.round);
  }

  /** If it skips: the size above which the weighted loss of a played arm is skipped. */
  protected threshold(arm: number, probability: number, kernel: Kernel): number {
    return this.#theta * probability * kernel.gap(arm);
  }

  /** The probabilities of the next choice; see `Policy`. */
  override probabilities(knownCosts?: ArrayLike<number>): Float64Array {
    if (knownCosts !== undefined) requireKnownCosts(knownCosts, this);
    const round = this.round + 1;
    return this.#kernelFor(round, knownCosts).probabilities(this.inverseRate(round));
  }

  protected override drawInto(
    choice: Choice,
    round: number,
    u: number,
    rng: Rng,
    knownCosts: ArrayLike<number> | undefined,
    except: readonly number[] | undefined,
  ): void {
    const kernel = knownCosts === undefined ? this.kernel : this.#kernelFor(round, knownCosts);
    kernel.solve(this.inverseRate(round));
    if (except !== undefined && except.length > 0) this.#drawWithout(except, choice, round, u, kernel);
    else {
      const arm = kernel.sample(u, rng);
      this.#fill(choice, round, arm, kernel.probability(arm), kernel);
    }
  }

  #drawWithout(except: readonly number[], choice: Choice, round: number, u: number, kernel: Kernel): void {
    const probabilities = exclude(kernel.probabilities(this.inverseRate(round)), except);
    const arm = armAt(probabilities, u);
    this.#fill(choice, round, arm, probabilities[arm]!, kernel);
  }

  protected override forceInto(choice: Choice, round: number, arm: number, knownCosts: ArrayLike<number> | undefined): void {
    const kernel = this.#kernelFor(round, knownCosts);
    const probability = kernel.probabilities(this.inverseRate(round))[arm]!;
    requireForceable(arm, probability);
    kernel.solve(this.inverseRate(round));
    this.#fill(choice, round, arm, kernel.probability(arm), kernel);
  }

  /** The kernel that a round draws from: the policy's own, unless known costs differ between the arms. */
  #kernelFor(round: number, knownCosts: ArrayLike<number> | undefined): Kernel {
    if (knownCosts === undefined) return this.kernel;
    this.#amounts ??= new Float64Array(this.arms);
    const amounts = this.#amounts;
    const factor = this.knownCostFactor(round);
    let least = knownCosts[0]!;
    for (let arm = 1; arm < this.arms; arm++) least = Math.min(least, knownCosts[arm]!);
    let most = 0;
    for (let arm = 0; arm < this.arms; arm++) {
      const amount = Math.min(factor * (knownCosts[arm]! - least), LARGEST_ESTIMATE);
      amounts[arm] = amount;
      most = Math.max(most, amount);
    }
    if (most === 0) return this.kernel;
    this.#shifted ??= new DenseKernel(this.arms, this.#exponent);
    this.kernel.shiftInto(this.#shifted, amounts);
    return this.#shifted;
  }

  #fill(choice: Choice, round: number, arm: number, probability: number, kernel: Kernel): void {
    choice.arm = arm;
    choice.probability = probability;
    choice.threshold = this.skips ? this.threshold(arm, probability, kernel) / this.weight(round) : null;
    this.solved(kernel);
    kernel.commit();
  }

  protected override played(round: number, _arm: number): void {
    if (this.#forgetting !== null) this.#age(this.#forgetting.advance(round));
  }

  #age(factor: number): void {
    if (factor !== 1) this.shrink(factor);
  }

  /** Takes in checked feedback: a skip estimates zero, anything else adds loss / x to the arm that was played. */
  protected override learn(choice: Choice, loss: number): void {
    // A zero adds nothing. Not dividing avoids 0/0 when the threshold has underflowed.
    if (loss !== 0 && !isSkipped(choice, loss)) this.kernel.add(choice.arm, (this.weight(choice.round) * loss) / choice.probability!);
  }

  /** The whole state as JSON, that of the kernel included. */
  override snapshot(): PolicySnapshot {
    return { ...super.snapshot(), kernel: this.kernel.snapshot() };
  }

  protected override state(): Record<string, unknown> {
    return { losses: this.kernel.losses(), ...this.#forgetting?.state() };
  }

  /** Continues from a snapshot, with the half-life that it had then. */
  override restore(snapshot: PolicySnapshot): void {
    const { halfLife } = (snapshot.state ?? {}) as { halfLife?: unknown };
    // It is part of the state only if it was changed.
    if (this.#forgetting !== null && halfLife !== undefined) this.setHalfLife(halfLife as number);
    super.restore(snapshot);
  }

  protected override load(snapshot: PolicySnapshot): void {
    const forgetting = this.#forgetting?.requireState(snapshot.state, snapshot.round);
    this.kernel.restore(snapshot.state.losses, snapshot.kernel);
    if (forgetting !== undefined) this.#forgetting!.follow(forgetting);
  }

  protected override options(): { kernel?: KernelName } {
    return this.#forced === undefined ? {} : { kernel: this.#forced };
  }

  /** What `inverseRate` reads must be taken over already. */
  protected override resume(old: this, from: Rearrangement): void {
    this.#forgetting?.follow(old.#forgetting!);
    const probabilities = rearrangedProbabilities(old.probabilities(), from);
    this.kernel.restore(estimatesFor(probabilities, this.inverseRate(this.round + 1), this.#exponent), undefined);
  }
}

/**
 * Theta_alpha of Algorithm 1, line 4: 1 - 2^(-(alpha - 1) / (2 alpha - 1)), in (0, 0.2063].
 * The paper takes the minimum of this and (2 - 2/alpha)^(1 / (2 - alpha)). The second term is never the smaller one (it is at least 2.67 times
 * as large on (1, 2)), and at alpha = 2 it reads 1^Infinity, which is NaN in JavaScript and would silently switch skipping off.
 */
export function theta(alpha: number): number {
  return -expm1((-Math.LN2 * (alpha - 1)) / (2 * alpha - 1));
}
