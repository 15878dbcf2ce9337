import { Budget } from "./budget.js";
import { Lateness } from "./lateness.js";

/** When a request that is late is sent to a second upstream as well. */
export interface HedgeOptions {
  /** A request is late when it has waited longer than this share of the requests of its route. Default: 0.95. */
  readonly quantile?: number;
  /** At most this share of the requests so far is sent twice. Default: 0.05. */
  readonly budget?: number;
}

/** What has become of late requests since the router was created. */
export interface HedgeStatus {
  /** The requests of callers, by which the budget is measured. */
  readonly requests: number;
  readonly hedged: number;
  /** Those of them that the second upstream answered first. */
  readonly won: number;
  /** Late requests that were not sent twice: `slow` means that all other upstreams were late themselves, or loaded. */
  readonly notHedged: Readonly<Record<"slow" | "budget", number>>;
}

/** As many routes as the router keeps. */
const MOST_ROUTES = 100;

/** Decides when a request is late, and whether it is sent to a second upstream. */
export class Hedge {
  readonly budget: Budget;
  readonly #quantile: number;
  readonly #routes = new Map<string, Lateness>();
  #hedged = 0;
  #won = 0;
  readonly #notHedged = { slow: 0, budget: 0 };

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
    const reason = upstreams === 0 ? "slow" : this.budget.isSpent ? "budget" : null;
    if (reason !== null) {
      this.#notHedged[reason]++;
      return false;
    }
    this.#hedged++;
    this.budget.spend();
    return true;
  }

  won(): void {
    this.#won++;
  }

  status(): HedgeStatus {
    return { requests: this.budget.requests, hedged: this.#hedged, won: this.#won, notHedged: { ...this.#notHedged } };
  }
}
