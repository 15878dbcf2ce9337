import { channel } from "node:diagnostics_channel";
import type { Chosen } from "../model/routerModel.js";
import type { Router } from "../router.js";
import type { OpenTicket } from "../tickets/openTicket.js";
import type { NoRetry } from "./retry.js";

/** Published on `tsallis:router:retry`, when a request has failed that `retry` is for. */
export interface RetryEvent {
  readonly router: Router;
  /** Where it has failed. */
  readonly upstream: string;
  readonly route: string;
  readonly request: number;
  /** Where it is sent next; null if it is not. */
  readonly next: string | null;
  /** Why it is not sent again; null if it is. */
  readonly reason: NoRetry | null;
}

const retryChannel = channel("tsallis:router:retry");

export function publishRetry(router: Router, { known, route, request }: Chosen, next: OpenTicket | null, reason: NoRetry | null): void {
  if (!retryChannel.hasSubscribers) return;
  retryChannel.publish({ router, upstream: known.name, route: route.name, request, next: next === null ? null : next.upstream, reason });
}
