/** The means at several places of curves that come one after the other, without keeping them: to the last bit those of `mean` over all values of a place. */
export class RunningMeans {
  readonly #sums: Float64Array;
  readonly #lost: Float64Array;
  #count = 0;

  constructor(places: number) {
    this.#sums = new Float64Array(places);
    this.#lost = new Float64Array(places);
  }

  /** The number of curves so far. */
  get count(): number {
    return this.#count;
  }

  add(valueAt: (place: number) => number): void {
    const [sums, lost] = [this.#sums, this.#lost];
    for (let place = 0; place < sums.length; place++) {
      const [sum, value] = [sums[place]!, valueAt(place)];
      const next = sum + value;
      lost[place]! += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sums[place] = next;
    }
    this.#count++;
  }

  means(): number[] {
    return Array.from(this.#sums, (sum, place) => (Math.abs(sum) < Infinity ? sum + this.#lost[place]! : sum) / this.#count);
  }
}
