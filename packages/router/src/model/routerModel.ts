import { type Choice, isSkipped, LARGEST_LOSS, type Policy, stream, TsallisError, type Xoshiro128 } from "tsallis";
import { RouterError, show } from "../routerError.js";
import { KnownUpstream } from "./knownUpstream.js";
import { LoadCurve } from "./loadCurve.js";
import type { ModelOptions } from "./modelOptions.js";
import { Outlook } from "./outlook.js";
import type { RegimeChange } from "./regimes.js";
import { RestMean } from "./restMean.js";
import { Route } from "./route.js";
import { placeOf, type Upstream } from "./upstream.js";
import type { Outcome } from "./upstreamRecord.js";

/** More routes than this are not kept: the least recently used one is forgotten. */
export const MOST_ROUTES = 100;

/** The mean of an upstream at rest is an estimate from this many losses on. */
const ENOUGH_REST = 8;
/** The number of answers after which the curves are believed as they are. */
const DOUBTFUL = 1000;
/** Under load, when the probability of an upstream at rest has to be computed separately, one round in this many is looked at for a change of regime. */
const REGIME_SAMPLE = 8;

/** Where a request goes, and all that has to be known to learn from its outcome. */
export interface Chosen {
  readonly known: KnownUpstream;
  readonly route: Route;
  /** Null if the upstream has been removed since. */
  readonly choice: Choice | null;
  readonly round: number;
  readonly probability: number | null;
  /** The other requests that were under way there at the choice, and by what factor they raised its latency. */
  readonly load: number;
  readonly factor: number;
  /** How many requests were sent there before. */
  readonly sent: number;
  /** The change of regime that this choice has completed. */
  readonly change: RegimeChange | null;
}

/** What became of an outcome. */
export interface Learned {
  readonly outcome: Outcome;
  /** Whether the policy skipped the loss. */
  readonly skipped: boolean;
  /** Why the loss was refused; undefined if it was not. */
  readonly refusal: unknown;
}

/** What the router knows: its upstreams, what it has learned about each route, and the random stream. */
export class RouterModel {
  upstreams: readonly KnownUpstream[];
  /** The least recently used one comes first. */
  readonly routes = new Map<string, Route>();
  /** How latency depends on load at any upstream: each latency is relative to that of its upstream at rest. */
  peers = new LoadCurve();
  rng: Xoshiro128;
  /** Increases with every change. */
  revision = 0;
  #outlook: Outlook;

  constructor(readonly options: ModelOptions) {
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

  /** Chooses the upstream of a request. */
  choose(routeName: string, now: number, except: readonly string[]): Chosen {
    if (this.upstreams.length === 0) throw new RouterError("ERR_UPSTREAMS", "upstreams", [], "there is no upstream to choose; add one first");
    const excluded = this.#excluded(except);
    const route = this.#routeOf(routeName);
    const outlook = this.outlook(route, now);
    const choice = outlook.draw(route, this.rng, excluded);
    const { arm, round, probability } = choice;
    const known = this.upstreams[arm]!;
    const isSampled = excluded.length === 0 && (!outlook.isLoaded || round % REGIME_SAMPLE === 0);
    const change = isSampled ? route.regimes.observe(known.name, outlook.atRest(route, choice), round) : null;
    const load = known.inFlight;
    const sent = known.record.chosen;
    known.record.chosen++;
    known.record.open++;
    this.revision++;
    return { known, route, choice, round, probability, load, factor: outlook.factors[arm]!, sent, change };
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

  /** Learns the outcome of a request. A loss that cannot be learned makes the outcome "refused". */
  learn(chosen: Chosen, outcome: Outcome, loss: number | null, isLearned: boolean): Learned {
    const { known, load, sent } = chosen;
    known.record.open--;
    this.revision++;
    let ended = outcome;
    let skipped = false;
    let refusal: unknown;
    const isFailure = outcome === "failed" || outcome === "timedOut";
    if (isFailure || outcome === "done") {
      try {
        skipped = this.#learnLoss(chosen, loss, isFailure, isLearned);
      } catch (error) {
        ended = "refused";
        refusal = error;
      }
    }
    if (isFailure || ended === "done" || ended === "ignored") known.failures.observe(isFailure, load, sent);
    if (ended === "done" || ended === "ignored") known.answered(sent);
    known.record[ended]++;
    return { outcome: ended, skipped, refusal };
  }

  /** Counts a call for a request that has ended; `late` if it was forgotten and this is the first call since. */
  closedAgain({ known }: Chosen, late: boolean): void {
    known.record[late ? "late" : "repeated"]++;
    this.revision++;
  }

  /** Learns from a request that still waits, if any longer wait would teach the policy the same. */
  learnOverdue({ known, route, choice, factor }: Chosen, waitedSeconds: number): boolean {
    if (choice === null) return false;
    const rest = waitedSeconds / factor;
    if (!route.policy.isSettled?.(choice, rest)) return false;
    route.policy.update(choice, rest);
    known.record.overdue++;
    this.revision++;
    return true;
  }

  /** Returns whether the policy skipped the loss. Throws before anything changes if `loss` is not a valid number. */
  #learnLoss({ known, route, choice, load, factor }: Chosen, loss: number | null, isFailure: boolean, isLearned: boolean): boolean {
    // A policy that is not asked to learn a failure does not check its loss.
    if (!(typeof loss === "number" && Math.abs(loss) <= LARGEST_LOSS)) {
      throw new TsallisError("ERR_LOSS", "loss", loss, `loss must be a number of size at most ${LARGEST_LOSS}, got ${show(loss)}`);
    }
    let skipped = false;
    // What a failure costs is known ahead, by its rate. A policy without known costs has to learn it.
    if (choice !== null && !(isFailure && route.takesKnownCosts)) {
      const rest = loss / factor;
      if (!isLearned) route.policy.update(choice, rest);
      skipped = isSkipped(choice, rest);
      if (!isFailure) this.#learnLoad(known, route, choice, load, loss, rest);
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
    // No policy has 0 arms: what was learned goes with the last upstream, and the first one starts as new.
    if (from.every((arm) => arm === null)) this.routes.clear();
    const policies = [...this.routes.values()].map(({ policy }) => rearranged(policy, from));
    for (const [i, route] of [...this.routes.values()].entries()) {
      route.policy = policies[i]!;
      route.rest = from.map((arm) => (arm === null ? new RestMean() : route.rest[arm]!));
    }
    this.upstreams = upstreams.map((upstream, arm) => (from[arm] === null ? new KnownUpstream(upstream) : this.upstreams[from[arm]!]!));
    this.#outlook = new Outlook(this);
    if (this.routes.size === 0 && this.options.route === null) this.#routeOf(this.options.defaultRoute);
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
