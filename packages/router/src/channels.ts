import { channel } from "node:diagnostics_channel";
import type { RegimeChange } from "./regimes.js";
import type { Router } from "./router.js";
import type { Outcome } from "./upstreamRecord.js";

/** Published on `tsallis:router:choose`, when a ticket has been opened. */
export interface ChooseEvent {
  readonly router: Router;
  readonly upstream: string;
  readonly round: number;
  /** Null where the policy does not tell. */
  readonly probability: number | null;
}

/** Published on `tsallis:router:close`, when a ticket has ended. */
export interface CloseEvent {
  readonly router: Router;
  readonly upstream: string;
  readonly round: number;
  readonly outcome: Outcome;
  /** What was learned, before any baseline; null if nothing was. */
  readonly loss: number | null;
  /** Since the choice. */
  readonly seconds: number;
  readonly skipped: boolean;
  /** What went wrong, where something has been thrown; undefined otherwise. */
  readonly error: unknown;
}

/** Published on `tsallis:router:regime`, when the favourite has changed for good. */
export interface RegimeEvent extends RegimeChange {
  readonly router: Router;
}

/** The router's channels of node:diagnostics_channel. */
export const chooseChannel = channel("tsallis:router:choose");
export const closeChannel = channel("tsallis:router:close");
export const regimeChannel = channel("tsallis:router:regime");
