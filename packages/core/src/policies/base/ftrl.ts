import { createKernel, type KernelName } from "../../kernel/createKernel.js";
import { DenseKernel } from "../../kernel/denseKernel.js";
import { LARGEST_ESTIMATE } from "../../kernel/estimate.js";
import { estimatesFor } from "../../kernel/estimatesFor.js";
import type { Kernel } from "../../kernel/kernel.js";
import { draw, type Rng } from "../../random/rng.js";
import { requireArm } from "../../requireArm.js";
import { type Choice, isSkipped, requireChoice } from "./choice.js";
import { armAt, exclude, requireAhead, requireExcept } from "./foresight.js";
import { Forgetting } from "./forgetting.js";
import { type Policy, type PolicySnapshot, type PolicySpec, SNAPSHOT_VERSION } from "./policy.js";
import { type Rearrangement, rearrangedLaw } from "./rearrangement.js";
import { requireForceable } from "./requireForceable.js";
import { requireLoss } from "./requireLoss.js";
import { requireSnapshot } from "./requireSnapshot.js";
import { Shaped } from "./shaped.js";

/**
 * The base of all policies on a kernel: follow the regularised leader with x_i = (h / g_i)^q, h = 1 / (learning rate), and an
 * importance-weighted estimate of the losses. A subclass defines h, which losses are skipped, and what else happens when a round begins,
 * when it is solved, and when a loss comes in.
 *
 * With a half-life in its spec a policy forgets (see forgetting.ts): the loss of a round is multiplied by the round's weight, and everything that a subclass
 * sums over rounds (the estimates, h, a budget) is in units of weighted losses. A Choice and its threshold are in units of the losses themselves.
 */
export abstract class Ftrl extends Shaped implements Policy {
  readonly weighs = true;
  protected readonly kernel: Kernel;
  readonly #forgetting: Forgetting | null;
  readonly #forced: KernelName | undefined;
  readonly #exponent: number;
  /** The kernel of laws with foresight, and what they add to the estimates: buffers, not part of the state. */
  #foreseen: DenseKernel | null = null;
  #amounts: Float64Array | null = null;
  #round = 0;

  protected constructor(spec: PolicySpec, arms: number, kernel: KernelName | undefined, exponent: number) {
    super(spec, arms);
    this.#forced = kernel;
    this.#exponent = exponent;
    this.kernel = createKernel(arms, exponent, kernel);
    this.#forgetting = typeof spec.halfLife === "number" ? new Forgetting(spec.halfLife) : null;
  }

  get round(): number {
    return this.#round;
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

  /** What a loss that is known ahead adds to an arm's estimate, as if each remembered round had cost that much more. */
  protected foresight(round: number): number {
    return this.weight(round) * this.elapsed(round, 1);
  }

  /** Called before a round is played; may refuse it by throwing. */
  protected begin(_round: number): void {}

  /** Called when the round is solved and its arm is known; the kernel holds the solution. */
  protected solved(_kernel: Kernel): void {}

  /** Called when the round is over, except for its feedback. */
  protected played(_round: number): void {}

  /** Called when the weights shrink by a factor: everything that is in units of weighted losses must shrink with them. */
  protected shrink(factor: number): void {
    const losses = this.kernel.losses();
    const least = losses.reduce((a, b) => Math.min(a, b));
    const shrunk = losses.map((loss) => (loss - least) * factor);
    this.kernel.restore(shrunk, undefined);
  }

  /** Starts over, as a new policy, from the next round on. */
  protected startOver(): void {
    this.kernel.reset();
    this.#forgetting?.startAt(this.#round);
  }

  /** The size above which the weighted loss of a played arm is skipped; null if none is. */
  protected threshold(_arm: number, _probability: number, _kernel: Kernel): number | null {
    return null;
  }

  probabilities(ahead?: ArrayLike<number>): Float64Array {
    if (ahead !== undefined) requireAhead(ahead, this.arms);
    const round = this.#round + 1;
    return this.#kernelFor(round, ahead).probabilities(this.inverseRate(round));
  }

  choose(rng: Rng, into?: Choice, ahead?: ArrayLike<number>, except?: readonly number[]): Choice {
    if (ahead !== undefined) requireAhead(ahead, this.arms);
    if (except !== undefined) requireExcept(except, this.arms);
    const u = draw(rng);
    const choice = this.#blank(into);
    const round = this.#round + 1;
    this.begin(round);
    const kernel = ahead === undefined ? this.kernel : this.#kernelFor(round, ahead);
    kernel.solve(this.inverseRate(round));
    if (except !== undefined && except.length > 0) {
      const law = exclude(kernel.probabilities(this.inverseRate(round)), except);
      const arm = armAt(law, u);
      return this.#play(round, arm, law[arm]!, kernel, choice);
    }
    const arm = kernel.sample(u, rng);
    return this.#play(round, arm, kernel.probability(arm), kernel, choice);
  }

  force(arm: number, into?: Choice, ahead?: ArrayLike<number>): Choice {
    requireArm(arm, this.arms);
    if (ahead !== undefined) requireAhead(ahead, this.arms);
    const choice = this.#blank(into);
    const round = this.#round + 1;
    this.begin(round);
    const kernel = this.#kernelFor(round, ahead);
    const probability = kernel.probabilities(this.inverseRate(round))[arm]!;
    requireForceable(arm, probability);
    kernel.solve(this.inverseRate(round));
    return this.#play(round, arm, kernel.probability(arm), kernel, choice);
  }

  /** The kernel whose law a round draws from: the policy's own, unless something that differs between arms is known ahead. */
  #kernelFor(round: number, ahead: ArrayLike<number> | undefined): Kernel {
    if (ahead === undefined) return this.kernel;
    this.#amounts ??= new Float64Array(this.arms);
    const amounts = this.#amounts;
    const factor = this.foresight(round);
    let least = ahead[0]!;
    for (let arm = 1; arm < this.arms; arm++) least = Math.min(least, ahead[arm]!);
    let most = 0;
    for (let arm = 0; arm < this.arms; arm++) {
      const amount = Math.min(factor * (ahead[arm]! - least), LARGEST_ESTIMATE);
      amounts[arm] = amount;
      most = Math.max(most, amount);
    }
    if (most === 0) return this.kernel;
    this.#foreseen ??= new DenseKernel(this.arms, this.#exponent);
    this.kernel.shiftInto(this.#foreseen, amounts);
    return this.#foreseen;
  }

  /** The Choice to fill. Its first field is written before anything moves, so that an object that cannot be written throws here. */
  #blank(into: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: 0.5 }): Choice {
    into.policy = this.fingerprint;
    return into;
  }

  #play(round: number, arm: number, probability: number, kernel: Kernel, choice: Choice): Choice {
    choice.round = round;
    choice.arm = arm;
    choice.probability = probability;
    const threshold = this.threshold(arm, probability, kernel);
    choice.threshold = threshold === null ? null : threshold / this.weight(round);
    this.solved(kernel);
    kernel.commit();
    this.#round = round;
    if (this.#forgetting !== null) {
      const factor = this.#forgetting.advance(round);
      if (factor !== 1) this.shrink(factor);
    }
    this.played(round);
    return choice;
  }

  update(choice: Choice, loss: number): void {
    requireChoice(choice, this);
    requireLoss(loss);
    this.learn(choice, loss);
  }

  /** Takes in checked feedback: a skip estimates zero, anything else adds loss / x to the arm that was played. */
  protected learn(choice: Choice, loss: number): void {
    // A zero adds nothing. Not dividing avoids 0/0 when the threshold has underflowed.
    if (loss !== 0 && !isSkipped(choice, loss)) this.kernel.add(choice.arm, (this.weight(choice.round) * loss) / choice.probability!);
  }

  details(): Readonly<Record<string, number>> {
    return {};
  }

  snapshot(): PolicySnapshot {
    return {
      version: SNAPSHOT_VERSION,
      spec: this.spec,
      arms: this.arms,
      ...this.shapeFields(),
      round: this.#round,
      state: this.state(),
      kernel: this.kernel.snapshot(),
    };
  }

  /** The state besides the round, by name. */
  protected state(): Record<string, unknown> {
    return { losses: this.kernel.losses(), ...(this.#forgetting && { origin: this.#forgetting.origin }) };
  }

  restore(snapshot: PolicySnapshot): void {
    this.takeShape(snapshot);
    requireSnapshot(snapshot, this, Object.keys(this.state()));
    this.load(snapshot);
  }

  /** Checks the state's values and restores them. */
  protected load(snapshot: PolicySnapshot): void {
    const origin = this.#forgetting?.requireOrigin(snapshot.state.origin, snapshot.round);
    this.kernel.restore(snapshot.state.losses, snapshot.kernel);
    if (origin !== undefined) this.#forgetting!.startAt(origin);
    this.#round = snapshot.round;
  }

  protected override options(): { kernel?: KernelName } {
    return this.#forced === undefined ? {} : { kernel: this.#forced };
  }

  /** What `inverseRate` reads must be taken over already. */
  protected override resume(old: this, from: Rearrangement): void {
    this.#round = old.#round;
    this.#forgetting?.startAt(old.#forgetting!.origin);
    const law = rearrangedLaw(old.probabilities(), from);
    this.kernel.restore(estimatesFor(law, this.inverseRate(this.#round + 1), this.#exponent), undefined);
  }
}
