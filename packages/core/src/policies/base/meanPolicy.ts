import { LARGEST_LOSS } from "../../largestLoss.js";
import type { Choice } from "./choice.js";
import { IndexPolicy } from "./indexPolicy.js";
import type { PolicySnapshot } from "./policy.js";
import { carry, type Rearrangement } from "./rearrangement.js";
import { requireNumbers } from "./snapshotState.js";

/** An index policy that keeps the plain mean of each arm's losses. */
export abstract class MeanPolicy extends IndexPolicy {
  protected readonly means = new Float64Array(this.arms);

  /** A running mean, because it cannot overflow as a sum of losses could. */
  protected override learn({ arm }: Choice, loss: number): void {
    this.means[arm]! += (loss - this.means[arm]!) / (this.samples[arm]! + 1);
  }

  protected override state(): Record<string, unknown> {
    return { ...super.state(), means: Array.from(this.means) };
  }

  protected override load(snapshot: PolicySnapshot): void {
    const { means } = snapshot.state;
    requireNumbers(means, "state.means", this.arms, LARGEST_LOSS);
    super.load(snapshot);
    this.means.set(means);
  }

  protected override resume(old: this, from: Rearrangement): void {
    super.resume(old, from);
    this.means.set(carry(old.means, from, 0));
  }
}
