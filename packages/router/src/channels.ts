import { channel } from "node:diagnostics_channel";
import type { RegimeChange } from "./regimes.js";
import type { Router } from "./router.js";
import type { Outcome } from "./upstreamRecord.js";

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
  /** The loss that was learned, before any baseline is subtracted; null if nothing was learned. */
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
export const chooseChannel = channel("tsallis:router:choose");
export const closeChannel = channel("tsallis:router:close");
export const regimeChannel = channel("tsallis:router:regime");
