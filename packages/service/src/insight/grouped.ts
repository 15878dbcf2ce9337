/** Numbers in groups, each in its own piece of one array, in the order in which they were given. */
export class Grouped {
  readonly #values: Float64Array;
  readonly #ends: Uint32Array;

  /** `groupOf` tells the group of the i-th of `count` numbers, or -1 to leave it out. It is asked twice. */
  constructor(groups: number, count: number, groupOf: (i: number) => number, numberOf: (i: number) => number) {
    this.#ends = new Uint32Array(groups + 1);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const group = groupOf(i);
      if (group < 0) continue;
      this.#ends[group + 1]!++;
      kept++;
    }
    for (let group = 1; group <= groups; group++) this.#ends[group]! += this.#ends[group - 1]!;
    this.#values = new Float64Array(kept);
    const next = this.#ends.slice();
    for (let i = 0; i < count; i++) {
      const group = groupOf(i);
      if (group >= 0) this.#values[next[group]!++] = numberOf(i);
    }
  }

  of(group: number): Float64Array {
    return this.#values.subarray(this.#ends[group]!, this.#ends[group + 1]!);
  }
}
