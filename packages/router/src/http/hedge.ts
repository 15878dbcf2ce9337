import { Budget } from "./budget.js";
import { Lateness } from "./lateness.js";

/** When a request that is late is sent to a second upstream as well. */
export interface HedgeOptions {
  /** A request is late when it has waited longer than this share of the requests of its route. Default: 0.95. */
  readonly quantile?: number;
  /** At most this share of the requests so far is sent twice. Default: 0.05. */
  readonly budget?: number;
}

/** Why a late request was not hedged. */
export const NO_HEDGE = ["slow", "lost", "budget"] as const;
/** Why a late request was not hedged. @useDeclaredType */
export type NoHedge = (typeof NO_HEDGE)[number];

/** What has become of late requests since the router was created. */
export interface HedgeStatus {
  /** The requests of callers, by which the budget is measured. */
  readonly requests: number;
  readonly hedged: number;
  /** Those of them that the second upstream answered first. */
  readonly won: number;
  /** Late requests that were not sent twice: all other upstreams were late themselves or loaded (`slow`), or second attempts have mostly lost of late (`lost`). */
  readonly notHedged: Readonly<Record<NoHedge, number>>;
}

/** The share of second attempts that must have won, of about so many of the last ones; otherwise only one late request in PROBE is hedged. */
const LEAST_WON = 0.3;
const MEMORY = 20;
const PROBE = 50;
/** As many routes as the router keeps. */
const MOST_ROUTES = 100;

/** Decides when a request is late, and whether it is sent to a second upstream. */
export class Hedge {
  readonly budget: Budget;
  readonly #quantile: number;
  readonly #routes = new Map<string, Lateness>();
  #hedged = 0;
  #won = 0;
  readonly #notHedged: Record<NoHedge, number> = { slow: 0, lost: 0, budget: 0 };
  /** The share of second attempts that have won, of the last ones. */
  #winning = 1;
  #late = 0;

  constructor({ quantile, budget }: Required<HedgeOptions>) {
    this.#quantile = quantile;
    this.budget = new Budget(budget);
  }

  lateness(route: string): Lateness {
    const known = this.#routes.get(route);
    if (known !== undefined) return known;
    if (this.#routes.size >= MOST_ROUTES) this.#routes.delete(this.#routes.keys().next().value!);
    const lateness = new Lateness(this.#quantile);
    this.#routes.set(route, lateness);
    return lateness;
  }

  /** Pays for sending a late request to one of some upstreams; false if it must not be. */
  take(upstreams: number): boolean {
    // Where second attempts are of no use, as when a request is slow everywhere, some go on finding out.
    const isTried = this.#winning >= LEAST_WON || ++this.#late % PROBE === 0;
    const reason = upstreams === 0 ? "slow" : !isTried ? "lost" : this.budget.isSpent ? "budget" : null;
    if (reason !== null) {
      this.#notHedged[reason]++;
      return false;
    }
    this.#hedged++;
    this.budget.spend();
    return true;
  }

  /** A request that was sent twice has been answered, by the second attempt or by the first. */
  ended(won: boolean): void {
    if (won) this.#won++;
    this.#winning += ((won ? 1 : 0) - this.#winning) / MEMORY;
  }

  status(): HedgeStatus {
    return { requests: this.budget.requests, hedged: this.#hedged, won: this.#won, notHedged: { ...this.#notHedged } };
  }
}
