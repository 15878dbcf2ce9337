import { power } from "./power.js";

/** The degree of a band's series. */
export const ORDER = 14;

/**
 * Arms whose gaps lie within one factor 4^(1/q) of each other, so that their weights lie within a factor of 4.
 * Gaps are measured from the band's own centre, near the root nu: gamma_i = L_i - centre, in [low, high) when the centre was set.
 * moments_j = sum over the members of (low / gamma_i)^(q - 1 + j). The first serves `spread` alone, the others serve the weights.
 */
export class Band {
  centre = 0.5;
  readonly moments = new Float64Array(ORDER + 2);
  members = new Int32Array(4);
  size = 0;
  /** The largest moments_1 since the moments were last recomputed, and the changes since then. */
  peak = 0.5;
  changes = 0;
  /** A lower bound of the members' gammas. */
  least = 0.5;
  /** At the nu under test: the sum of the members' (low / g_i)^q, and the coefficients of its second-order expansion in nu / low. */
  value = 0.5;
  first = 0.5;
  second = 0.5;

  constructor(
    readonly index: number,
    readonly low: number,
    readonly high: number,
  ) {}

  /** Appends an arm; returns its place. */
  push(arm: number): number {
    if (this.size === this.members.length) {
      const members = new Int32Array(2 * this.size);
      members.set(this.members);
      this.members = members;
    }
    this.members[this.size] = arm;
    return this.size++;
  }

  /** Removes the member at a place; returns the arm that takes that place, if any. */
  pull(place: number): number | undefined {
    const last = this.members[--this.size]!;
    this.members[place] = last;
    return place < this.size ? last : undefined;
  }

  /** Empties the moments and sets a centre. */
  clear(centre: number): void {
    this.centre = centre;
    this.moments.fill(0);
    this.peak = 0;
    this.changes = 0;
    this.least = this.high;
  }

  /** Adds `count` members with the same estimate to the moments; a negative count removes them. */
  count(loss: number, q: number, count: number): void {
    const moments = this.moments;
    const gamma = loss - this.centre;
    const ratio = this.low / gamma;
    let weight = count * (q === 2 ? ratio * ratio : power(ratio, q));
    moments[0] = moments[0]! + (q === 2 ? count * ratio : weight / ratio);
    for (let j = 1; j <= ORDER + 1; j++) {
      moments[j] = moments[j]! + weight;
      weight *= ratio;
    }
    if (moments[1]! > this.peak) this.peak = moments[1]!;
    if (count > 0 && gamma < this.least) this.least = gamma;
    this.changes++;
  }

  /** Moves one member's estimate, in one pass with the bits of removing it and adding it again. */
  replace(before: number, after: number, q: number): void {
    const moments = this.moments;
    const gamma = after - this.centre;
    const oldRatio = this.low / (before - this.centre);
    const newRatio = this.low / gamma;
    let oldWeight = q === 2 ? oldRatio * oldRatio : power(oldRatio, q);
    let newWeight = q === 2 ? newRatio * newRatio : power(newRatio, q);
    moments[0] = moments[0]! - (q === 2 ? oldRatio : oldWeight / oldRatio) + (q === 2 ? newRatio : newWeight / newRatio);
    for (let j = 1; j <= ORDER + 1; j++) {
      moments[j] = moments[j]! - oldWeight + newWeight;
      oldWeight *= oldRatio;
      newWeight *= newRatio;
    }
    if (moments[1]! > this.peak) this.peak = moments[1]!;
    if (gamma < this.least) this.least = gamma;
    this.changes += 2;
  }

  /** Whether subtractions may have left rounding that matters: the sum fell to a quarter, or changed many times. */
  get worn(): boolean {
    return this.moments[1]! < 0.25 * this.peak || this.changes > 1000 + 16 * this.size;
  }
}
