import { show, TsallisError } from "../../errors.js";
import type { Estimator } from "../../estimators/estimator.js";
import { LARGEST_LOSS } from "../../largestLoss.js";
import type { Rng } from "../../random/rng.js";
import type { Choice } from "./choice.js";
import { IndexPolicy } from "./indexPolicy.js";
import type { PolicySnapshot, PolicySpec } from "./policy.js";
import type { Rearrangement } from "./rearrangement.js";

/**
 * An index policy with an estimator for each arm. Arms that lack the samples which their index needs come before the others, the least played of
 * them first; as in every index policy, arms without any feedback come before those. A snapshot holds the losses that the estimators were given.
 */
export abstract class EstimatorPolicy<E extends Estimator> extends IndexPolicy {
  protected estimators: readonly E[];
  /** The largest size of a loss that an estimator accepts. */
  protected readonly largest: number = LARGEST_LOSS;
  readonly #create: () => E;

  protected constructor(spec: PolicySpec, arms: number, create: () => E, perturbed?: boolean) {
    super(spec, arms, perturbed);
    this.#create = create;
    this.estimators = Array.from({ length: arms }, create);
  }

  /** The number of an arm's samples that count. */
  protected count(arm: number): number {
    return this.estimators[arm]!.samples.size;
  }

  /** The number of samples that an arm needs to have an index in a round. */
  protected needed(_round: number): number {
    return 1;
  }

  protected override pick(round: number, rng: Rng): number {
    if (!this.samples.includes(0)) {
      const { plays } = this;
      const needed = this.needed(round);
      let least = -1;
      for (let i = 0; i < this.arms; i++) if (this.count(i) < needed && (least < 0 || plays[i]! < plays[least]!)) least = i;
      if (least >= 0) return least;
    }
    return super.pick(round, rng);
  }

  protected override learn({ arm }: Choice, loss: number): void {
    this.estimators[arm]!.add(loss);
  }

  protected override state(): Record<string, unknown> {
    return { ...super.state(), losses: lossesOf(this.estimators) };
  }

  protected override load(snapshot: PolicySnapshot): void {
    super.load(snapshot);
    this.estimators = this.estimatorsFrom(snapshot.state.losses, "state.losses", this.#create);
  }

  /** Creates estimators from the losses of a snapshot, or throws ERR_SNAPSHOT. */
  protected estimatorsFrom<F extends Estimator>(lists: unknown, name: string, create: () => F): F[] {
    if (!(Array.isArray(lists) && lists.length === this.arms)) {
      throw new TsallisError("ERR_SNAPSHOT", name, lists, `${name} must be ${this.arms} lists of losses, got ${show(lists)}`);
    }
    return lists.map((losses, arm) => {
      if (
        !(
          Array.isArray(losses) &&
          losses.length <= this.samples[arm]! &&
          losses.every((loss) => typeof loss === "number" && Math.abs(loss) <= this.largest)
        )
      ) {
        const message = `${name}[${arm}] must be a list of at most ${this.samples[arm]} numbers of size at most ${this.largest}, got ${show(losses)}`;
        throw new TsallisError("ERR_SNAPSHOT", `${name}[${arm}]`, losses, message);
      }
      return taught(create(), losses);
    });
  }

  protected override resume(old: this, from: Rearrangement): void {
    super.resume(old, from);
    this.estimators = rearrangedEstimators(old.estimators, from, this.#create);
  }
}

/** Copies of the estimators that are kept, and fresh ones for new arms. */
export function rearrangedEstimators<E extends Estimator>(old: readonly E[], from: Rearrangement, create: () => E): E[] {
  const losses = lossesOf(old);
  return from.map((arm) => taught(create(), arm === null ? [] : losses[arm]!));
}

function taught<E extends Estimator>(estimator: E, losses: readonly number[]): E {
  for (const loss of losses) estimator.add(loss);
  return estimator;
}

/** All losses that the estimators were given, JSON-safe. */
export function lossesOf(estimators: readonly Estimator[]): number[][] {
  return estimators.map(({ samples }) => Array.from(samples.first(samples.size)));
}
