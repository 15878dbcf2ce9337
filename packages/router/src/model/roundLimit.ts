/** The limit unless the options say otherwise: what is known of each upstream needs some rounds. */
export function defaultRoundsPerSecond(upstreams: number): number {
  return Math.max(1000, 200 * upstreams);
}

/** Limits how many rounds per second are played: a token bucket that holds the rounds of one second, so that neither a burst nor the first requests are limited. */
export class RoundLimit {
  #left: number;
  #filled = Number.NEGATIVE_INFINITY;

  constructor(public perSecond: number) {
    this.#left = perSecond;
  }

  /** Whether a round may be played now, which is then counted. */
  take(now: number): boolean {
    if (this.perSecond === Number.POSITIVE_INFINITY) return true;
    this.#left = Math.min(this.perSecond, this.#left + this.perSecond * (now - this.#filled));
    this.#filled = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }
}
