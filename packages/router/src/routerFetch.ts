import { type Dispatcher, fetch, type RequestInit, type Response } from "undici";
import type { Desk } from "./desk.js";
import { requirePath, requireWithin } from "./requestPath.js";
import type { RouterDispatcher } from "./routerDispatcher.js";

/**
 * undici's fetch, sent to an upstream that the router chooses. Only the first answer is measured, even if it is a redirect. The redirect is then
 * followed as fetch does: to the same upstream without a new choice, and anywhere else through an Agent.
 */
export class RouterFetch {
  constructor(
    readonly desk: Desk,
    readonly dispatcher: RouterDispatcher,
  ) {}

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    requirePath(path);
    const { upstreams } = this.desk.ledger.options;
    if (upstreams.some(({ base }) => base !== "")) requireWithin(path);
    // A closed dispatcher refuses the request, and fetch reports that as it reports a failure of the network.
    if (this.desk.isShut) return fetch(upstreams[0]!.origin + path, { ...init, dispatcher: this.dispatcher });
    const ticket = this.desk.choose();
    const { arm } = ticket.choice;
    const { origin, base } = upstreams[arm]!;
    let sent = false;
    const dispatch: Dispatcher.Dispatch = (request, handler) => {
      if (!sent) {
        sent = true;
        return this.dispatcher.send(ticket, request, handler);
      }
      return request.origin === origin ? this.dispatcher.pass(arm, request, handler) : this.dispatcher.passElsewhere(request, handler);
    };
    try {
      return await fetch(origin + base + path, { ...init, dispatcher: { dispatch } as Dispatcher });
    } catch (error) {
      // Usually the request has closed the ticket by now. It is still open if the caller aborted, or if the request could not be sent at all.
      if (ticket.isOpen) ticket.abandoned();
      throw error;
    }
  }
}
