import { channel } from "node:diagnostics_channel";
import type { RegimeChange } from "../model/regimes.js";
import type { Chosen, Learned } from "../model/routerModel.js";
import type { Outcome } from "../model/upstreamRecord.js";
import type { Router } from "../router.js";
import type { OpenTicket } from "./openTicket.js";

/** Published on `tsallis:router:choose`, when a ticket has been opened. */
export interface ChooseEvent {
  readonly router: Router;
  readonly upstream: string;
  readonly route: string;
  /** The round of the route's policy. */
  readonly round: number;
  /** Null if the policy does not report probabilities. */
  readonly probability: number | null;
}

/** Published on `tsallis:router:close`, when a ticket has ended. */
export interface CloseEvent {
  readonly router: Router;
  readonly upstream: string;
  readonly route: string;
  readonly round: number;
  readonly outcome: Outcome;
  /** The loss that was learned; null if nothing was learned. */
  readonly loss: number | null;
  /** Seconds since the choice. */
  readonly seconds: number;
  readonly skipped: boolean;
  /** The error that was thrown; undefined if there was none. */
  readonly error: unknown;
}

/** Published on `tsallis:router:regime`, when the favourite has changed for good. */
export interface RegimeEvent extends RegimeChange {
  readonly router: Router;
  readonly route: string;
}

/** The router's channels of node:diagnostics_channel. */
const chooseChannel = channel("tsallis:router:choose");
const closeChannel = channel("tsallis:router:close");
const regimeChannel = channel("tsallis:router:regime");

export function publishChoice(router: Router, { known, route, round, probability, change }: Chosen): void {
  if (chooseChannel.hasSubscribers) chooseChannel.publish({ router, upstream: known.name, route: route.name, round, probability });
  if (change !== null && regimeChannel.hasSubscribers) regimeChannel.publish({ router, route: route.name, ...change });
}

export function publishEnd(router: Router, ticket: OpenTicket, { outcome, skipped, refusal }: Learned, loss: number | null, error: unknown): void {
  if (!closeChannel.hasSubscribers) return;
  const { known, route, round } = ticket.chosen;
  const isRefused = outcome === "refused";
  closeChannel.publish({
    router,
    upstream: known.name,
    route: route.name,
    round,
    outcome,
    loss: isRefused ? null : loss,
    seconds: ticket.seconds(),
    skipped,
    error: refusal ?? error,
  });
}
