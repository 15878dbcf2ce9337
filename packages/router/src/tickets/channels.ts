import { channel } from "node:diagnostics_channel";
import type { Chosen, Learned } from "../model/routerModel.js";
import type { Outcome } from "../model/upstreamRecord.js";
import type { Router } from "../router.js";
import type { OpenTicket } from "./openTicket.js";

/** Published on `tsallis:router:choose`, when a ticket has been opened. */
export interface ChooseEvent {
  readonly router: Router;
  readonly upstream: string;
  readonly route: string;
  /** The number of the request, from 1 on. */
  readonly request: number;
  /** The round of the route's policy. At high rates, several requests are drawn from the probabilities that one round has left. */
  readonly round: number;
  /** Null if the policy does not report probabilities. */
  readonly probability: number | null;
}

/** Published on `tsallis:router:close`, when a ticket has ended. */
export interface CloseEvent {
  readonly router: Router;
  readonly upstream: string;
  readonly route: string;
  readonly request: number;
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

/** Published on `tsallis:router:alarm`, when the policy has found that its favourite has become worse. It then asks the others whether they have too. */
export interface AlarmEvent {
  readonly router: Router;
  readonly upstream: string;
  readonly route: string;
  readonly round: number;
}

/** The router's channels of node:diagnostics_channel. */
const chooseChannel = channel("tsallis:router:choose");
const closeChannel = channel("tsallis:router:close");
const alarmChannel = channel("tsallis:router:alarm");

export function publishChoice(router: Router, { known, route, request, round, probability }: Chosen): void {
  if (chooseChannel.hasSubscribers) chooseChannel.publish({ router, upstream: known.name, route: route.name, request, round, probability });
}

export function publishEnd(
  router: Router,
  ticket: OpenTicket,
  { outcome, skipped, alarm, refusal }: Learned,
  loss: number | null,
  error: unknown,
): void {
  const { known, route, request, round } = ticket.chosen;
  if (alarm && alarmChannel.hasSubscribers) alarmChannel.publish({ router, upstream: known.name, route: route.name, round });
  if (!closeChannel.hasSubscribers) return;
  const isRefused = outcome === "refused";
  closeChannel.publish({
    router,
    upstream: known.name,
    route: route.name,
    request,
    round,
    outcome,
    loss: isRefused ? null : loss,
    seconds: ticket.seconds(),
    skipped,
    error: refusal ?? error,
  });
}
