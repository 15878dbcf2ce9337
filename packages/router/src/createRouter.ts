import type { BalancedPool, RequestInit, Response } from "undici";
import { completeOptions, readChooseOptions } from "./completeOptions.js";
import { Hedge } from "./http/hedge.js";
import type { HttpOptions } from "./http/httpOptions.js";
import { Retry } from "./http/retry.js";
import { RouterDispatcher } from "./http/routerDispatcher.js";
import { RouterFetch } from "./http/routerFetch.js";
import { type Explanation, explain } from "./insight/explanation.js";
import { hedgeMetrics, logMetrics, metrics, retryMetrics } from "./insight/metrics.js";
import { DecisionLog } from "./log/decisionLog.js";
import { RouterModel } from "./model/routerModel.js";
import { readUpstreams, requireDifferent, type Upstream, type UrlLike } from "./model/upstream.js";
import type { ChooseOptions, Router } from "./router.js";
import { RouterError, show } from "./routerError.js";
import type { RouterOptions } from "./routerOptions.js";
import { adoptSnapshot, type RouterSnapshot, takeSnapshot } from "./state/routerSnapshot.js";
import { StateKeeper } from "./state/stateKeeper.js";
import { OpenTickets } from "./tickets/openTickets.js";
import type { Ticket } from "./tickets/ticket.js";

/** Creates a router over its upstreams. */
export function createRouter(options: RouterOptions): Router {
  return new LearningRouter(options);
}

class LearningRouter implements Router {
  readonly #model: RouterModel;
  readonly #tickets: OpenTickets;
  readonly #options: HttpOptions;
  readonly #state: StateKeeper | null;
  readonly #log: DecisionLog | null;
  readonly #retry: Retry | null;
  readonly #hedge: Hedge | null;
  #http: { dispatcher: RouterDispatcher; fetch: RouterFetch } | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: RouterOptions) {
    const completed = completeOptions(options);
    this.#options = completed;
    this.#model = new RouterModel(completed);
    const { state, log } = completed;
    this.#log = log === null ? null : new DecisionLog(log, completed.inSeconds);
    this.#retry = completed.retry === null ? null : new Retry(completed.retry);
    this.#hedge = completed.hedge === null ? null : new Hedge(completed.hedge);
    this.#tickets = new OpenTickets(this.#model, completed, this, this.#log);
    if (state !== null && "snapshot" in state) adoptSnapshot(this.#model, state.snapshot);
    this.#state = state !== null && "file" in state ? new StateKeeper(this.#model, state) : null;
  }

  async fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.#overHttp("fetch()").fetch.fetch(path, init);
  }

  dispatcher(): BalancedPool {
    return this.#overHttp("dispatcher()").dispatcher;
  }

  choose(options: ChooseOptions = {}): Ticket {
    const { route, except, session } = readChooseOptions(options);
    return this.#tickets.choose(route, except, null, session);
  }

  get upstreams(): readonly string[] {
    return this.#model.upstreams.map(({ name }) => name);
  }

  add(given: string | URL | UrlLike): void {
    const present = this.#model.upstreams.map(({ upstream }) => upstream);
    const added = readUpstreams([given])[0]!;
    requireDifferent([...present, added]);
    if ((added.origin !== null) !== this.#options.areUrls) throw otherKind(added, this.#options.areUrls);
    this.#rearrange([...present, added], [...present.keys(), null]);
  }

  remove(given: string | URL | UrlLike): void {
    const present = this.#model.upstreams.map(({ upstream }) => upstream);
    const { name, place } = readUpstreams([given])[0]!;
    const gone = present.findIndex((upstream) => upstream.place === place);
    if (gone < 0) {
      const message = `${show(name)} is not among the upstreams, which are ${show(this.upstreams)}`;
      throw new RouterError("ERR_UPSTREAMS", "upstream", given, message);
    }
    const kept = [...present.keys()].filter((arm) => arm !== gone);
    this.#rearrange(
      kept.map((arm) => present[arm]!),
      kept,
    );
  }

  #rearrange(upstreams: readonly Upstream[], from: readonly (number | null)[]): void {
    if (this.#tickets.isShut) throw new RouterError("ERR_CLOSED", "router", "closed", "the router has been closed; create another one");
    this.#tickets.rearrange(upstreams, from);
    this.#http?.dispatcher.takeUpstreams();
  }

  explain(options: { readonly route?: string } = {}): Explanation {
    const { route } = readChooseOptions(options, ["route"]);
    return explain(this.#model, this.#model.peek(route), this.#tickets.now(), {
      state: this.#state?.status() ?? null,
      log: this.#log?.status() ?? null,
      retry: this.#retry?.status() ?? null,
      hedge: this.#hedge?.status() ?? null,
      sticky: this.#tickets.sessions.status(),
    });
  }

  metrics(): string {
    let text = metrics(this.#model, this.#tickets.now());
    if (this.#retry !== null) text += retryMetrics(this.#retry.status());
    if (this.#hedge !== null) text += hedgeMetrics(this.#hedge.status());
    return this.#log === null ? text : text + logMetrics(this.#log.status());
  }

  snapshot(): RouterSnapshot {
    return takeSnapshot(this.#model);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#tickets.shut();
    await this.#http?.dispatcher.closePools();
    this.#tickets.clear();
    await this.#log?.close();
    await this.#state?.close();
  }

  /** Created at the first use, because tickets need no connections. */
  #overHttp(door: string): { dispatcher: RouterDispatcher; fetch: RouterFetch } {
    if (this.#http !== null) return this.#http;
    if (!this.#options.areUrls) {
      const [name] = this.upstreams;
      const message = `${door} needs upstreams that are URLs, but they are names${name === undefined ? "" : ` such as ${show(name)}`}; give http(s) URLs, or take tickets from choose()`;
      throw new RouterError("ERR_NOT_HTTP", "upstreams", name, message);
    }
    const dispatcher = new RouterDispatcher(this.#tickets, this, this.#options, this.#retry, this.#hedge);
    if (this.#closing !== null) void dispatcher.closePools();
    this.#http = { dispatcher, fetch: new RouterFetch(this.#tickets, dispatcher, this.#options) };
    return this.#http;
  }
}

/** A router that has no upstream at the moment still takes either URLs or names, as at the start. */
function otherKind({ name }: Upstream, areUrls: boolean): RouterError {
  const message = `this router's upstreams are ${areUrls ? "URLs" : "names"}, and ${show(name)} is not one; ${areUrls ? "give an http(s) URL" : "give a name"}`;
  return new RouterError("ERR_UPSTREAMS", "upstream", name, message);
}
