import { type Dispatcher, fetch, Headers, type RequestInit, type Response } from "undici";
import type { OpenTickets } from "../tickets/openTickets.js";
import type { HttpOptions } from "./httpOptions.js";
import { replayableBody } from "./repeatable.js";
import { requirePath, requireWithin } from "./requestPath.js";
import type { RouterDispatcher } from "./routerDispatcher.js";

/** The methods that fetch writes in capitals, however they are given. */
const CAPITALS = /^(?:delete|get|head|options|patch|post|put)$/i;

/** What a route is told of a request that has not been made yet. */
function requestOf(path: string, { method = "GET", headers }: RequestInit): Dispatcher.DispatchOptions {
  const spelt = CAPITALS.test(method) ? method.toUpperCase() : method;
  return { method: spelt as Dispatcher.HttpMethod, path, headers: Object.fromEntries(new Headers(headers)) };
}

/**
 * undici's fetch, sent to an upstream that the router chooses. Only the first answer is measured, even if it is a redirect. The redirect is then
 * followed as fetch does: to the same upstream without a new choice, and anywhere else through an Agent.
 */
export class RouterFetch {
  constructor(
    readonly tickets: OpenTickets,
    readonly dispatcher: RouterDispatcher,
    readonly options: HttpOptions,
  ) {}

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    requirePath(path);
    const { upstreams } = this.tickets.model;
    if (this.dispatcher.hasBase) requireWithin(path);
    // A closed dispatcher refuses the request, and fetch reports that as it reports a failure of the network.
    if (this.tickets.isShut) return fetch((upstreams[0]?.upstream.origin ?? "http://upstream") + path, { ...init, dispatcher: this.dispatcher });
    const { route, sticky } = this.options;
    const ticket = route === null && sticky === null ? this.tickets.choose() : this.dispatcher.choose(requestOf(path, init));
    const { origin, base } = ticket.chosen.known.upstream;
    const body = !this.dispatcher.repeats ? undefined : replayableBody(init.body);
    // fetch takes an answer for one of the upstream that was tried first, and resolves a redirect by that.
    let answeredBy = ticket.chosen.known.upstream;
    let sent = false;
    const dispatch: Dispatcher.Dispatch = (request, handler) => {
      if (sent) {
        if (request.origin !== origin || answeredBy.place === origin + base) return this.dispatcher.pass(String(request.origin), request, handler);
        const path = request.path.startsWith(base) ? answeredBy.base + request.path.slice(base.length) : request.path;
        return this.dispatcher.pass(answeredBy.origin!, { ...request, path }, handler);
      }
      sent = true;
      const first = { ...request, path: request.path.slice(base.length), ...(body !== undefined && { body }) };
      return this.dispatcher.send(ticket, first, handler, true, ({ chosen }) => {
        answeredBy = chosen.known.upstream;
      });
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
