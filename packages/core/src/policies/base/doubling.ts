import { log } from "../../elementary/log.js";
import { pow } from "../../elementary/pow.js";
import { show, TsallisError } from "../../errors.js";
import type { KernelName } from "../../kernel/createKernel.js";
import type { Parameters } from "../../parameters.js";
import { type Choice, isSkipped } from "./choice.js";
import { FORGETTING_PARAMETERS } from "./forgetting.js";
import { Ftrl, theta } from "./ftrl.js";
import type { PolicySnapshot, PolicySpec } from "./policy.js";
import type { Rearrangement } from "./rearrangement.js";

export const DOUBLING_PARAMETERS = {
  cost: {
    type: "name",
    names: ["signed", "absolute"],
    optional: true,
    description: "cost of a skip: the loss, as printed and by default, or its size",
  },
  ...FORGETTING_PARAMETERS,
} as const satisfies Parameters;

const THETA = theta(2);
/** 2^J Q stays below this, and with it h = 2^J sqrt(t) times the largest z, sqrt(K). */
const LARGEST_BUDGET = 1e307;
/** 2^J stays above this power of two, however long all losses are zero. */
const LOWEST_EPOCH = -512;

/**
 * The doubling of AdaTINF (Algorithm 3 of Huang, Dai and Huang, ICML 2022), shared with Ada2TINF: learning rate and threshold have a
 * factor 2^J, and J grows when the epoch's sum of costs c_t passes its budget 2^J Q, Q = sqrt(K (T + 1)).
 *
 * On a skip c_t is the loss itself, sign included, unless the spec asks for its size; otherwise it is 2 eta_t loss^2 / sqrt(x). The round's threshold is
 * r = Theta sqrt(x) / eta_t, so that cost is 2 Theta (|loss| / r) |loss|: a Choice carries all it needs, and loss^2 is never formed.
 * The sum is within its budget before every round and falls only by negative costs, so c_t > 0 whenever J grows and its logarithm exists.
 * The estimates L are kept when J grows. Late costs are added to the sum of the present epoch.
 * With a half-life H costs are weighted, t and T count what is not forgotten, and J, which otherwise only grows, follows the weights: it falls when they shrink.
 */
export abstract class Doubling extends Ftrl {
  #epoch = 0;
  #scale = 1;
  #sum = 0;

  protected constructor(spec: PolicySpec, arms: number, kernel: KernelName | undefined) {
    super(spec, arms, { kernel, exponent: 2, theta: THETA });
  }

  /** Q of the running instance. */
  protected abstract budget(): number;

  /** The instance's own clock at a round of the policy. */
  protected abstract clock(round: number): number;

  protected override inverseRate(round: number): number {
    return this.#scale * Math.sqrt(this.clock(round));
  }

  protected override learn(choice: Choice, loss: number): void {
    const size = Math.abs(loss);
    const cost =
      this.weight(choice.round) *
      (isSkipped(choice, loss) ? (this.spec.cost === "absolute" ? size : loss) : loss === 0 ? 0 : 2 * THETA * (size / choice.threshold!) * size);
    const sum = this.#sum + cost;
    const budget = this.budget();
    const full = sum > this.#scale * budget;
    // A weighted cost may be infinite and then has no logarithm.
    const epoch = full && cost <= LARGEST_BUDGET ? Math.max(this.#epoch + 1, ceilLog2(cost / budget) + 1) : this.#epoch;
    if (!(cost <= LARGEST_BUDGET && pow(2, epoch) * budget <= LARGEST_BUDGET && sum > -LARGEST_BUDGET)) {
      throw new TsallisError(
        "ERR_OVERFLOW",
        "loss",
        loss,
        `after a loss of ${show(loss)} the learning rate would leave the range of a double; divide all losses by a constant`,
      );
    }
    super.learn(choice, loss);
    this.#sum = full ? cost : sum;
    if (full) this.#enter(epoch);
  }

  #enter(epoch: number): void {
    this.#epoch = epoch;
    this.#scale = pow(2, epoch);
  }

  protected restart(): void {
    this.startOver();
    this.#enter(0);
    this.#sum = 0;
  }

  protected override shrink(factor: number): void {
    super.shrink(factor);
    this.#enter(Math.max(this.#epoch + ceilLog2(factor), LOWEST_EPOCH));
    this.#sum *= factor;
  }

  /** `epoch`: how often it has doubled. */
  override details(): Readonly<Record<string, number>> {
    return { epoch: this.#epoch };
  }

  protected override state(): Record<string, unknown> {
    return { ...super.state(), epoch: this.#epoch, sum: this.#sum };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { epoch, sum } = snapshot.state as { epoch: number; sum: number };
    const lowest = this.spec.halfLife === undefined ? 0 : LOWEST_EPOCH;
    if (!(Number.isInteger(epoch) && epoch >= lowest && pow(2, epoch) * this.budget() <= LARGEST_BUDGET)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.epoch", epoch, `state.epoch must be an integer from ${lowest} to about 1000, got ${show(epoch)}`);
    }
    if (!(typeof sum === "number" && sum <= pow(2, epoch) * this.budget() && sum > -LARGEST_BUDGET)) {
      throw new TsallisError("ERR_SNAPSHOT", "state.sum", sum, `state.sum must be a number within the budget of epoch ${epoch}, got ${show(sum)}`);
    }
    super.load(snapshot);
    this.#enter(epoch);
    this.#sum = sum;
  }

  /** With fewer arms the budget is smaller: a sum beyond it ends the epoch with the next cost. */
  protected override resume(old: this, from: Rearrangement): void {
    let epoch = old.#epoch;
    while (pow(2, epoch) * this.budget() > LARGEST_BUDGET) epoch--;
    this.#enter(epoch);
    this.#sum = Math.min(old.#sum, this.#scale * this.budget());
    super.resume(old, from);
  }
}

/** The smallest n with 2^n >= x, for x > 0. */
function ceilLog2(x: number): number {
  let n = Math.ceil(log(x) / Math.LN2);
  while (pow(2, n) < x) n++;
  while (pow(2, n - 1) >= x) n--;
  return n;
}
