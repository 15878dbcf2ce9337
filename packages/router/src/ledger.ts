import { type Choice, isSkipped, LARGEST_LOSS, type Policy, stream, TsallisError, type Xoshiro128 } from "tsallis";
import { chooseChannel, closeChannel, regimeChannel } from "./channels.js";
import type { CompletedOptions } from "./completeOptions.js";
import { KnownUpstream } from "./knownUpstream.js";
import { LoadCurve } from "./loadCurve.js";
import type { OpenTicket } from "./openTicket.js";
import { Outlook } from "./outlook.js";
import { RestMean } from "./restMean.js";
import { Route } from "./route.js";
import type { Router } from "./router.js";
import { RouterError, show } from "./routerError.js";
import { placeOf, type Upstream } from "./upstream.js";
import type { Outcome } from "./upstreamRecord.js";

/** More routes than this are not kept: the least recently used one is forgotten. */
export const MOST_ROUTES = 100;

/** The mean of an upstream at rest is an estimate from this many losses on. */
const ENOUGH_REST = 8;
/** The number of answers after which the curves are believed as they are. */
const DOUBTFUL = 1000;
/** Under load, when the law of an upstream at rest has to be computed apart, one round in this many is looked at for a change of regime. */
const REGIME_SAMPLE = 8;

/** What the router knows: its upstreams, what it has learned about each route, and the random stream. */
export class Ledger {
  upstreams: readonly KnownUpstream[];
  /** The least recently used one comes first. */
  readonly routes = new Map<string, Route>();
  /** How latency depends on load at any upstream: each latency is relative to that of its upstream at rest. */
  peers = new LoadCurve();
  rng: Xoshiro128;
  /** Increases with every change. */
  revision = 0;
  #outlook: Outlook;

  constructor(
    readonly options: CompletedOptions,
    readonly router: Router,
  ) {
    this.upstreams = options.upstreams.map((upstream) => new KnownUpstream(upstream));
    this.rng = stream(options.seed, "router");
    this.#outlook = new Outlook(this);
    // Now, so that a policy that cannot be made is refused when the router is.
    if (options.route === null) this.#routeOf(options.defaultRoute);
    else new Route("", options, this.upstreams.length);
  }

  /** The route of a name; if there is none yet, one that knows nothing. */
  #routeOf(name: string): Route {
    const known = this.routes.get(name);
    if (known !== undefined && this.routes.size === 1) return known;
    const route = known ?? new Route(name, this.options, this.upstreams.length);
    this.routes.delete(name);
    this.routes.set(name, route);
    if (this.routes.size > MOST_ROUTES) this.routes.delete(this.routes.keys().next().value!);
    return route;
  }

  /** A route as it is now, without using it: the one of that name, or the one that was used last. */
  peek(name?: string): Route {
    const route = name === undefined ? [...this.routes.values()].at(-1) : this.routes.get(name);
    return route ?? new Route(name ?? this.options.defaultRoute, this.options, this.upstreams.length);
  }

  /** From 1 to 0 with the first answers: how far load is taken to matter before that is known. Whoever believes first answers fills one upstream, and others after it. */
  doubt(): number {
    let answers = 0;
    for (const { record } of this.upstreams) answers += record.done;
    return Math.max(0, 1 - answers / DOUBTFUL);
  }

  /** What is known ahead about the next request of a route. It is valid until the next call. */
  outlook(route: Route, now: number): Outlook {
    this.#outlook.look(route, now);
    return this.#outlook;
  }

  /** Chooses the upstream of a ticket. */
  choose(ticket: OpenTicket, routeName: string, except: readonly string[]): void {
    const excluded = this.#excluded(except);
    const route = this.#routeOf(routeName);
    const outlook = this.outlook(route, ticket.started);
    const choice = outlook.draw(route, this.rng, excluded);
    const { arm, round, probability } = choice;
    const known = this.upstreams[arm]!;
    ticket.known = known;
    ticket.route = route;
    ticket.choice = choice;
    ticket.round = round;
    ticket.probability = probability;
    ticket.load = known.inFlight;
    ticket.factor = outlook.factors[arm]!;
    ticket.sent = known.record.chosen;
    ticket.succeeded = known.record.done;
    known.record.chosen++;
    known.record.open++;
    this.revision++;
    const isSampled = excluded.length === 0 && (!outlook.isLoaded || round % REGIME_SAMPLE === 0);
    const change = isSampled ? route.regimes.observe(known.name, outlook.atRest(route, choice), round) : null;
    if (chooseChannel.hasSubscribers) {
      chooseChannel.publish({ router: this.router, upstream: known.name, route: route.name, round, probability });
    }
    if (change !== null && regimeChannel.hasSubscribers) regimeChannel.publish({ router: this.router, route: route.name, ...change });
  }

  /** The arms of names; a name that is not among the upstreams, since it was removed, excludes nothing. */
  #excluded(except: readonly string[]): readonly number[] {
    if (except.length === 0) return [];
    const places = except.map(placeOf);
    const arms = [...this.upstreams.keys()].filter((arm) => places.includes(this.upstreams[arm]!.upstream.place));
    if (arms.length < this.upstreams.length) return arms;
    const message = `except must leave at least one upstream, but it names all of them: ${show(except)}; the request has been tried everywhere`;
    throw new RouterError("ERR_UPSTREAMS", "except", except, message);
  }

  /** Ends a ticket and learns from its outcome. A loss that cannot be learned makes the outcome "refused". */
  settle(ticket: OpenTicket, outcome: Outcome, loss: number | null, error?: unknown): void {
    const { known } = ticket;
    known.record.open--;
    if (ticket.stuck) known.stuck--;
    this.revision++;
    let ended = outcome;
    let skipped = false;
    let reason = error;
    const isFailure = outcome === "failed" || outcome === "timedOut";
    if (isFailure || outcome === "done") {
      try {
        skipped = this.#learn(ticket, loss, isFailure);
      } catch (refusal) {
        ended = "refused";
        reason = refusal;
      }
    }
    if (isFailure || ended === "done" || ended === "ignored") known.failures.observe(isFailure, ticket.load, ticket.sent);
    if (ended === "done") known.succeeded(ticket.seconds());
    known.record[ended]++;
    if (closeChannel.hasSubscribers) {
      closeChannel.publish({
        router: this.router,
        upstream: known.name,
        route: ticket.route.name,
        round: ticket.round,
        outcome: ended,
        loss: ended === "refused" ? null : loss,
        seconds: ticket.seconds(),
        skipped,
        error: reason,
      });
    }
  }

  /** Counts a call on a ticket that has ended; `late` if the ticket was forgotten and this is the first call since. */
  closedAgain({ known }: OpenTicket, late: boolean): void {
    known.record[late ? "late" : "repeated"]++;
    this.revision++;
  }

  /** Counts a request that still waits no longer as load, if the upstream has gone on without it. */
  passBy(ticket: OpenTicket, waitedSeconds: number): void {
    if (ticket.stuck || !ticket.known.overtakes(waitedSeconds, ticket.succeeded)) return;
    ticket.stuck = true;
    ticket.known.stuck++;
  }

  /** Learns from a request that still waits, if any longer wait would teach the policy the same. */
  learnOverdue({ known, route, choice, factor }: OpenTicket, waitedSeconds: number): boolean {
    if (choice === null) return false;
    const shifted = shiftedLoss(route, waitedSeconds / factor);
    if (!route.policy.isSettled?.(choice, shifted)) return false;
    route.policy.update(choice, shifted);
    known.record.overdue++;
    this.revision++;
    return true;
  }

  /** Returns whether the policy skipped the loss. Throws before anything changes if `loss` is not a valid number. */
  #learn({ known, route, choice, overdue, load, factor }: OpenTicket, loss: number | null, isFailure: boolean): boolean {
    // The policy checks the loss too, but only after the baseline is subtracted, which could hide a loss that is too large.
    if (!(typeof loss === "number" && Math.abs(loss) <= LARGEST_LOSS)) {
      throw new TsallisError("ERR_LOSS", "loss", loss, `loss must be a number of size at most ${LARGEST_LOSS}, got ${show(loss)}`);
    }
    let skipped = false;
    // What a failure costs is known ahead, by its rate. A policy without foresight has to learn it.
    if (choice !== null && !(isFailure && route.foresees)) {
      const shifted = shiftedLoss(route, loss / factor);
      if (!overdue) route.policy.update(choice, shifted);
      skipped = isSkipped(choice, shifted);
      route.baseline?.push(loss / factor);
      if (!isFailure) this.#learnLoad(known, route, choice, load, loss, loss / factor);
    }
    if (skipped) known.record.skipped++;
    known.record.learned(loss, isFailure);
    return skipped;
  }

  #learnLoad(known: KnownUpstream, route: Route, { arm }: Choice, load: number, loss: number, rest: number): void {
    if (!this.options.inSeconds) return;
    route.rest[arm]!.observe(rest);
    known.curve.observe(load, route.relative(loss));
    const { count, mean } = route.rest[arm]!;
    if (count >= ENOUGH_REST && mean > 0) this.peers.observe(load, loss / mean);
  }

  /** Takes over another list of upstreams: those of `from` go on as they are, null is a new one. */
  rearrange(upstreams: readonly Upstream[], from: readonly (number | null)[]): void {
    const policies = [...this.routes.values()].map(({ policy }) => rearranged(policy, from));
    for (const [i, route] of [...this.routes.values()].entries()) {
      route.policy = policies[i]!;
      route.rest = from.map((arm) => (arm === null ? new RestMean() : route.rest[arm]!));
    }
    this.upstreams = upstreams.map((upstream, arm) => (from[arm] === null ? new KnownUpstream(upstream) : this.upstreams[from[arm]!]!));
    this.#outlook = new Outlook(this);
    this.revision++;
  }
}

/** A policy that goes on with other upstreams; throws ERR_REARRANGE if it cannot. */
export function rearranged(policy: Policy, from: readonly (number | null)[]): Policy {
  try {
    if (policy.rearrange !== undefined) return policy.rearrange(from);
  } catch (error) {
    if (!(error instanceof TsallisError && error.code === "ERR_REARRANGE")) throw error;
  }
  const name = policy.spec.policy;
  const message = `the policy ${show(name)} cannot have other upstreams; make another router, or take matched-tinf`;
  throw new RouterError("ERR_REARRANGE", "policy", name, message);
}

/** The loss minus the baseline. The very first loss is its own baseline. */
function shiftedLoss({ baseline }: Route, loss: number): number {
  return baseline === null ? loss : loss - (baseline.value() ?? loss);
}
