// The wealth of the bets of tsallis/evidence at the true means, after every loss: by its definition, in a way of its own. With the mean known, a rate's wealth is one product,
// prod (1 - l (x - c)) e^(l (m - c)), and since the rates double, one exponential gives those of all.

const COUNT = 24;
const RATES = Float64Array.from({ length: COUNT }, (_, i) => 0.9 * 2 ** (i - 14));
const LEAST = RATES.map((rate) => (rate < 1 ? 0 : 1 - 0.95 / rate));
const PARTS = RATES.map((_, i) => (i <= 14 ? 1 / ((15 - i) * (16 - i)) : 0.5 / ((i - 13) * (i - 12))));
const WHOLE = PARTS.reduce((sum, part) => sum + part);

/** Against "the mean is at least m", for outcomes in [0, 1]; m may be another in each round. */
class Side {
  readonly #wealth = PARTS.map((part) => part / WHOLE);
  #count = 0;
  #sum = 0;

  constructor(readonly first: number) {}

  add(x: number, m: number): number {
    const centre = this.#count === 0 ? this.first : this.#sum / this.#count;
    let paid = Math.exp(RATES[0]! * (m - centre));
    let total = 0;
    for (let k = 0; k < COUNT; k++) {
      const rate = RATES[k]!;
      const isPlain = centre >= LEAST[k]!;
      const c = isPlain ? centre : LEAST[k]!;
      this.#wealth[k]! *= (1 - rate * (x - c)) * (isPlain ? paid : Math.exp(rate * (m - c)));
      total += this.#wealth[k]!;
      paid *= paid;
    }
    this.#count++;
    this.#sum += x;
    return Math.log(total);
  }
}

/** Both sides of a stream of losses within floor and cap. */
export class WealthAtTruth {
  /** The evidence against "at least the true mean", and against "at most". */
  below = 0;
  above = 0;
  readonly #below: Side;
  readonly #above: Side;

  constructor(
    readonly cap: number,
    readonly floor: number,
  ) {
    this.#below = new Side(-floor / (cap - floor));
    this.#above = new Side(cap / (cap - floor));
  }

  /** A loss, and its true capped mean. */
  add(loss: number, mean: number): void {
    const { cap, floor } = this;
    const x = Math.min(cap, Math.max(floor, loss));
    this.below = this.#below.add((x - floor) / (cap - floor), (mean - floor) / (cap - floor));
    this.above = this.#above.add((cap - x) / (cap - floor), (cap - mean) / (cap - floor));
  }
}
