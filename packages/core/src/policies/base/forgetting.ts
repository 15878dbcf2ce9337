import { exp } from "../../elementary/exp.js";
import { expm1 } from "../../elementary/expm1.js";
import { pow } from "../../elementary/pow.js";
import { show, TsallisError } from "../../errors.js";
import type { Parameters } from "../../parameters.js";

export const FORGETTING_PARAMETERS = {
  halfLife: {
    type: "number",
    atLeast: 1,
    atMost: 1e15,
    optional: true,
    description: "rounds after which a loss counts half; left out: nothing is forgotten",
  },
} as const satisfies Parameters;

/** How many weights are remembered: a power of two. */
const CACHE = 256;
/** After so many half-lives the origin moves: weights stay below about 2^256. */
const SPAN = 256;
/** By what all weights shrink then: a power of two, so that multiplying with it rounds nothing. */
const SHRINKING = pow(2, -SPAN);

/**
 * The weight of a round's loss when a loss counts half after every half-life: w_s = 2^((s - origin) / H).
 *
 * Nothing is ever multiplied down. A policy that is fed w_s loss_s plays a world whose losses grow, and its law there depends on ratios only: it is
 * the law of one that had halved all it knew every H rounds. Its regret in that world, over w_T, is its discounted regret, the sum of 2^(-(T - s) / H)
 * (loss of what it played - loss of the arm it is compared with), so what is proved for losses whose scale changes from round to round is proved for that.
 * A loss that comes late has the weight of its round: it counts as much as if it had come at once.
 */
export class Forgetting {
  /** The round whose weight is 1. */
  #origin = 0;
  /** The weights that were asked for last, by the last digits of their rounds: most are asked for again when the feedback comes. */
  readonly #rounds = new Float64Array(CACHE).fill(-1);
  readonly #weights = new Float64Array(CACHE);

  constructor(readonly halfLife: number) {}

  get origin(): number {
    return this.#origin;
  }

  weight(round: number): number {
    const place = round & (CACHE - 1);
    if (this.#rounds[place] !== round) {
      this.#rounds[place] = round;
      this.#weights[place] = exp((Math.LN2 * (round - this.#origin)) / this.halfLife);
    }
    return this.#weights[place]!;
  }

  /** What so many rounds up to the present one count in all, each by its weight to the power alpha: what t is to a policy that forgets nothing. */
  elapsed(rounds: number, alpha: number): number {
    const rate = (-alpha * Math.LN2) / this.halfLife;
    return expm1(rate * rounds) / expm1(rate);
  }

  /** Moves the origin if a round is far from it. Returns the factor by which all weights shrink with that: mostly 1. */
  advance(round: number): number {
    const next = this.#origin + SPAN * this.halfLife;
    if (round < next) return 1;
    this.startAt(next);
    return SHRINKING;
  }

  startAt(origin: number): void {
    this.#origin = origin;
    this.#rounds.fill(-1);
  }

  /** The origin in a snapshot that was taken after some rounds, or ERR_SNAPSHOT. */
  requireOrigin(origin: unknown, round: number): number {
    if (!(typeof origin === "number" && origin >= 0 && origin <= round && (round - origin) / this.halfLife <= SPAN)) {
      const message = `state.origin must be a round of the last ${SPAN} half-lives, got ${show(origin)} after ${round} rounds`;
      throw new TsallisError("ERR_SNAPSHOT", "state.origin", origin, message);
    }
    return origin;
  }
}
