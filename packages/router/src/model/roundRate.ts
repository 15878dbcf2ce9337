/** How often rounds are played: a fading count of them, and the fading time that they took. */
export class RoundRate {
  #rounds = 0;
  #seconds = 0;
  #last: number | null = null;

  constructor(readonly halfLifeSeconds: number) {}

  /** Counts a round, and returns how many of them come in a half-life, at the present rate; Infinity after the first one. */
  count(now: number): number {
    const fade = this.#last === null ? 1 : 2 ** ((this.#last - now) / this.halfLifeSeconds);
    this.#last = now;
    this.#rounds = this.#rounds * fade + 1;
    this.#seconds = this.#seconds * fade + (this.halfLifeSeconds / Math.LN2) * (1 - fade);
    return this.#seconds > 0 ? (this.halfLifeSeconds * this.#rounds) / this.#seconds : Number.POSITIVE_INFINITY;
  }
}
