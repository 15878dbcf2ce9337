import { show, TsallisError } from "../errors.js";
import { power } from "./power.js";

/**
 * The start of a kernel's next search: the root nu of the last round that was played, moved by one Newton step for each estimate that has changed
 * since, and linearly with h. It is part of a snapshot, because it decides the last bit of what the search finds.
 */
export class Start {
  root = 0;
  /** G = sum_i x_i h / g_i at the root: d nu = -d h / G. */
  slope = 1;
  inverseRate = 0;

  set(root: number, slope: number, inverseRate: number): void {
    this.root = root;
    this.slope = slope;
    this.inverseRate = inverseRate;
  }

  /** Forgets the root. If min L is 0, the prediction is then min L - h, which is on the safe side. */
  reset(): void {
    this.set(0, 1, 0);
  }

  /** Follows one estimate from one value to another. If late feedback moves it out of the neighbourhood of the root, the search is left to find it. */
  follow(before: number, after: number, q: number): void {
    const oldRatio = this.inverseRate / (before - this.root);
    const newRatio = this.inverseRate / (after - this.root);
    if (!(newRatio > 0 && newRatio < 2 && oldRatio > 0 && oldRatio < 2)) return;
    const oldWeight = q === 2 ? oldRatio * oldRatio : power(oldRatio, q);
    const newWeight = q === 2 ? newRatio * newRatio : power(newRatio, q);
    const excess = newWeight - oldWeight;
    const slope = this.slope + newWeight * newRatio - oldWeight * oldRatio;
    if (!(slope > 0)) return;
    this.root -= (this.inverseRate * (1 + excess) * excess) / (slope * (q + ((q - 1) / 2) * excess));
    this.slope = slope;
  }

  snapshot(): { readonly root: number; readonly slope: number; readonly inverseRate: number } {
    return { root: this.root, slope: this.slope, inverseRate: this.inverseRate };
  }

  restore(block: Readonly<Record<string, unknown>>): void {
    const { root, slope, inverseRate } = block as { root: number; slope: number; inverseRate: number };
    if (!(Number.isFinite(root) && Number.isFinite(slope) && slope > 0 && Number.isFinite(inverseRate) && inverseRate >= 0)) {
      const message = `kernel must hold a finite root, a slope above 0 and an inverseRate of at least 0, got ${show({ root, slope, inverseRate })}`;
      throw new TsallisError("ERR_SNAPSHOT", "kernel", block, message);
    }
    this.set(root, slope, inverseRate);
  }
}
