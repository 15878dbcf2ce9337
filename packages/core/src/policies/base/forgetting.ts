import { exp } from "../../elementary/exp.js";
import { expm1 } from "../../elementary/expm1.js";
import { pow } from "../../elementary/pow.js";
import { show, TsallisError } from "../../errors.js";
import type { Parameters } from "../../parameters.js";
import { requireNumber } from "./snapshotState.js";

export const FORGETTING_PARAMETERS = {
  halfLife: {
    type: "number",
    atLeast: 1,
    atMost: 1e15,
    optional: true,
    description: "rounds after which a loss counts half; by default nothing is forgotten",
  },
} as const satisfies Parameters;

/** The number of weights that are cached: a power of two. */
const CACHE = 256;
/** The origin moves after this many half-lives, so weights stay below about 2^256. */
const SPAN = 256;
/** The factor by which all weights shrink then: a power of two, so that multiplying by it is exact. */
const SHRINKING = pow(2, -SPAN);

/**
 * The weight of a round's loss when a loss counts half after every half-life: w_s = 2^((s - origin) / H).
 *
 * Nothing is ever multiplied down. A policy that is fed w_s loss_s plays a world whose losses grow, and its probabilities there depend on ratios only: they are
 * those of a policy that halves all it knows every H rounds. Its regret in that world, divided by w_T, is its discounted regret, the sum of 2^(-(T - s) / H)
 * (loss of the arm it played - loss of the arm it is compared with). So every bound for losses whose scale changes from round to round bounds that too.
 * Late feedback has the weight of its own round: it counts as much as if it had come at once.
 */
export class Forgetting {
  /** The round whose weight is 1. */
  #origin = 0;
  /** The weights used last, by the low bits of their rounds: most are used again when the feedback comes. */
  readonly #rounds = new Float64Array(CACHE).fill(-1);
  readonly #weights = new Float64Array(CACHE);

  /** The half-life of the spec, and that of the present. */
  readonly #first: number;
  #halfLife: number;

  constructor(halfLife: number) {
    this.#first = halfLife;
    this.#halfLife = halfLife;
  }

  get halfLife(): number {
    return this.#halfLife;
  }

  get origin(): number {
    return this.#origin;
  }

  weight(round: number): number {
    const place = round & (CACHE - 1);
    if (this.#rounds[place] !== round) {
      this.#rounds[place] = round;
      this.#weights[place] = exp((Math.LN2 * (round - this.#origin)) / this.#halfLife);
    }
    return this.#weights[place]!;
  }

  /** What t is to a policy that forgets nothing: the sum over the last `rounds` rounds of their weights, relative to the present one, to the power alpha. */
  elapsed(rounds: number, alpha: number): number {
    const rate = (-alpha * Math.LN2) / this.#halfLife;
    return expm1(rate * rounds) / expm1(rate);
  }

  /** Moves the origin if a round is far from it. Returns the factor by which all weights then shrink; it is mostly 1. */
  advance(round: number): number {
    const next = this.#origin + SPAN * this.#halfLife;
    if (round < next) return 1;
    this.startAt(next);
    return SHRINKING;
  }

  startAt(origin: number): void {
    this.#origin = origin;
    this.#rounds.fill(-1);
  }

  /** Goes on with another half-life: the weight of the present round stays as it is. */
  change(halfLife: number, round: number): void {
    this.startAt(round - ((round - this.#origin) * halfLife) / this.#halfLife);
    this.#halfLife = halfLife;
  }

  /** Goes on as another one does. */
  follow(other: Forgetting): void {
    this.#halfLife = other.halfLife;
    this.startAt(other.origin);
  }

  /** What a snapshot holds: the half-life only if it was changed. */
  state(): Readonly<Record<string, number>> {
    return { origin: this.#origin, ...(this.#halfLife !== this.#first && { halfLife: this.#halfLife }) };
  }

  /** Checks what a snapshot holds that was taken after `round` rounds; throws ERR_SNAPSHOT. */
  requireState({ origin, halfLife = this.#first }: Readonly<Record<string, unknown>>, round: number): Forgetting {
    requireNumber(halfLife, "state.halfLife", FORGETTING_PARAMETERS.halfLife.atLeast, FORGETTING_PARAMETERS.halfLife.atMost);
    // A change may have moved the origin before the first round.
    const least = halfLife === this.#first ? 0 : Number.NEGATIVE_INFINITY;
    if (!(typeof origin === "number" && origin >= least && origin <= round && (round - origin) / halfLife <= SPAN)) {
      const message = `state.origin must be a round of the last ${SPAN} half-lives, got ${show(origin)} after ${round} rounds`;
      throw new TsallisError("ERR_SNAPSHOT", "state.origin", origin, message);
    }
    const forgetting = new Forgetting(halfLife);
    forgetting.startAt(origin);
    return forgetting;
  }
}
