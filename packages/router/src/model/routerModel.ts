import { type Choice, isSkipped, LARGEST_LOSS, type Policy, stream, TsallisError, type Xoshiro128 } from "tsallis";
import { RouterError, show } from "../routerError.js";
import { KnownUpstream, PATIENCE } from "./knownUpstream.js";
import { LastRound } from "./lastRound.js";
import { Latency } from "./latency.js";
import type { ModelOptions } from "./modelOptions.js";
import { Outlook } from "./outlook.js";
import { defaultRoundsPerSecond, RoundLimit } from "./roundLimit.js";
import { Route } from "./route.js";
import { placeOf, type Upstream } from "./upstream.js";
import type { Outcome } from "./upstreamRecord.js";

/** More routes than this are not kept: the least recently used one is forgotten. */
export const MOST_ROUTES = 100;

/** The mean of an upstream at rest is an estimate from this many losses on. */
const ENOUGH_REST = 8;
/** A session leaves an upstream that is this many times as probable as the favourite, or less. */
const CLEARLY_WORSE = 0.1;
/** An upstream has room while its latency is at most this many times that at rest. */
const ROOM = 1.05;
/** The number of answers after which the curves are believed as they are. */
const DOUBTFUL = 1000;
const NONE: readonly number[] = [];

/** Where a request goes, and all that has to be known to learn from its outcome. */
export interface Chosen {
  readonly known: KnownUpstream;
  readonly route: Route;
  /** The number of the request, from 1 on. */
  readonly request: number;
  /** In seconds of the router's clock. */
  readonly at: number;
  /** Null if it was drawn between two rounds of the policy, which then learns nothing from it, or if the upstream has been removed since. */
  readonly choice: Choice | null;
  /** The round of the route's policy, or its last one. */
  readonly round: number;
  readonly probability: number | null;
  /** Whether it goes where its session is. Its answer teaches what is known of the upstream, but is no round of the policy. */
  readonly stays: boolean;
  /** The other requests that were under way there at the choice, by what factor they raised its latency (in a round), and the seconds that such a request usually takes. */
  readonly load: number;
  readonly factor: number;
  readonly usual: number;
  /** What the user says that the upstream costs besides, in units of the loss. */
  readonly cost: number;
  /** Whether answers of the upstream were missing. */
  readonly wasSilent: boolean;
  /** How many requests were sent there before. */
  readonly sent: number;
}

/** How a request ended. */
export interface Ending {
  readonly outcome: Outcome;
  /** In seconds of the router's clock. */
  readonly at: number;
  readonly loss: number | null;
  /** Whether the policy has learned from the request before. */
  readonly isLearned: boolean;
}

/** What became of an outcome. */
export interface Learned {
  readonly outcome: Outcome;
  /** Whether the policy skipped the loss. */
  readonly skipped: boolean;
  /** Whether it has made the policy find that the upstream, its favourite, has become worse. */
  readonly alarm: boolean;
  /** Why the loss was refused; undefined if it was not. */
  readonly refusal: unknown;
}

/** What the router knows: its upstreams, what it has learned about each route, and the random stream. */
export class RouterModel {
  upstreams: readonly KnownUpstream[];
  /** The least recently used one comes first. */
  readonly routes = new Map<string, Route>();
  /** How latency depends on load at any upstream: each latency is relative to that of its upstream at rest. */
  peers = new Latency();
  rng: Xoshiro128;
  /** Increases with every change. */
  revision = 0;
  #requests = 0;
  #outlook: Outlook;
  readonly #limit: RoundLimit;

  constructor(readonly options: ModelOptions) {
    this.upstreams = options.upstreams.map((upstream) => new KnownUpstream(upstream));
    this.rng = stream(options.seed, "router");
    this.#outlook = new Outlook(this);
    this.#limit = new RoundLimit(options.roundsPerSecond ?? defaultRoundsPerSecond(this.upstreams.length));
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

  /** From 1 to 0 with the first answers: how far load is taken to matter before that is known. A rule that trusts the first answers fills one upstream after another. */
  doubt(): number {
    let answers = 0;
    for (const { record } of this.upstreams) answers += record.done;
    return Math.max(0, 1 - answers / DOUBTFUL);
  }

  /** What the user says that an upstream costs besides latency and failures. The policy learns it with the loss. */
  costOf({ upstream }: KnownUpstream): number {
    return this.options.cost === null ? 0 : this.options.cost(upstream);
  }

  /** Whether an upstream is little slower with what is in flight there than at rest, and no answers are missing. */
  hasRoom(known: KnownUpstream, now: number): boolean {
    const { latency, inFlight } = known;
    const isSilent = inFlight > 0 && known.missing(now) > PATIENCE;
    return !isSilent && (!this.options.inSeconds || latency.factor(inFlight, this.peers, this.doubt()) <= ROOM);
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
    this.revision++;
    return this.#limit.take(now) || excluded.length > 0 ? this.#playRound(route, now, excluded) : this.#drawBetween(route, now);
  }

  /** Sends a request where its session is, without a draw. Returns why it must not stay there, otherwise. */
  stay(routeName: string, place: string, now: number): Chosen | "removed" | "worse" {
    const arm = this.upstreams.findIndex(({ upstream }) => upstream.place === place);
    if (arm < 0) return "removed";
    const route = this.#routeOf(routeName);
    const outlook = this.outlook(route, now);
    const probabilities = outlook.probabilities(route);
    if (probabilities !== null && probabilities[arm]! < CLEARLY_WORSE * Math.max(...probabilities)) return "worse";
    this.revision++;
    return this.#send(route, arm, now, null, 1, outlook.factors[arm]!, outlook.usual[arm]!, true);
  }

  #playRound(route: Route, now: number, excluded: readonly number[]): Chosen {
    route.beginRound(now);
    const outlook = this.outlook(route, now);
    const choice = outlook.draw(route, this.rng, excluded);
    const { arm, probability } = choice;
    return this.#send(route, arm, now, choice, probability, outlook.factors[arm]!, outlook.usual[arm]!);
  }

  /** Draws from the probabilities that the last round has left, without a round: the policy learns nothing from the request. */
  #drawBetween(route: Route, now: number): Chosen {
    if (!route.takesKnownCosts) return this.#playRound(route, now, NONE);
    route.lastRound ??= new LastRound(this.upstreams);
    const last = route.lastRound;
    let drawn = last.draw(this.rng, now);
    if (drawn === null) {
      const outlook = this.outlook(route, now);
      last.take(outlook.probabilities(route)!, outlook.usual, now);
      drawn = last.draw(this.rng, now)!;
    }
    const { arm, probability, usual } = drawn;
    return this.#send(route, arm, now, null, probability, 1, usual);
  }

  #send(
    route: Route,
    arm: number,
    at: number,
    choice: Choice | null,
    probability: number | null,
    factor: number,
    usual: number,
    stays = false,
  ): Chosen {
    const known = this.upstreams[arm]!;
    const cost = this.costOf(known);
    const load = known.inFlight;
    const sent = known.record.chosen;
    const wasSilent = known.missing(at) > PATIENCE;
    known.sent(at, usual);
    const { round } = choice ?? route.policy;
    return { known, route, request: ++this.#requests, at, choice, round, probability, stays, load, factor, usual, cost, wasSilent, sent };
  }

  /** The arms of names; a name that is not among the upstreams, since it was removed, excludes nothing. */
  #excluded(except: readonly string[]): readonly number[] {
    if (except.length === 0) return NONE;
    const places = except.map(placeOf);
    const arms = [...this.upstreams.keys()].filter((arm) => places.includes(this.upstreams[arm]!.upstream.place));
    if (arms.length < this.upstreams.length) return arms;
    const message = `except must leave at least one upstream, but it names all of them: ${show(except)}; the request has been tried everywhere`;
    throw new RouterError("ERR_UPSTREAMS", "except", except, message);
  }

  /** Learns how a request ended. A loss that cannot be learned makes the outcome "refused". */
  learn(chosen: Chosen, ending: Ending): Learned {
    const { known, load, sent, usual } = chosen;
    const { outcome } = ending;
    known.ended(ending.at, usual);
    this.revision++;
    const alarms = chosen.choice === null ? null : chosen.route.alarms;
    let ended = outcome;
    let skipped = false;
    let refusal: unknown;
    const isFailure = outcome === "failed" || outcome === "timedOut";
    if (isFailure || outcome === "done") {
      try {
        skipped = this.#learnLoss(chosen, ending, isFailure);
      } catch (error) {
        ended = "refused";
        refusal = error;
      }
    }
    if (isFailure) this.#learnWait(chosen, ending.at);
    if (isFailure || ended === "done" || ended === "ignored") known.failures.observe(isFailure, load, sent);
    if (ended === "done" || ended === "ignored") known.answered(sent);
    known.record[ended]++;
    return { outcome: ended, skipped, alarm: alarms !== null && chosen.route.alarms! > alarms, refusal };
  }

  /** Counts a call for a request that has ended; `late` if it was forgotten and this is the first call since. */
  closedAgain({ known }: Chosen, late: boolean): void {
    known.record[late ? "late" : "repeated"]++;
    this.revision++;
  }

  /** Learns from a request that still waits, if any longer wait would teach the policy the same. */
  learnOverdue({ known, route, choice, factor, cost }: Chosen, waitedSeconds: number): boolean {
    if (choice === null) return false;
    const rest = waitedSeconds / factor + cost;
    if (!route.policy.isSettled?.(choice, rest)) return false;
    route.policy.update(choice, rest);
    known.record.overdue++;
    this.revision++;
    return true;
  }

  /**
   * Learns from a request that is given up after a wait, because another upstream was faster: its latency is more than that. What it usually takes, if that is more, is the
   * better guess; otherwise an upstream would look the faster the sooner others answer. Returns whether the policy has learned.
   */
  learnAtLeast(chosen: Chosen, waitedSeconds: number): boolean {
    const { known, route, choice, load, factor, usual, cost } = chosen;
    if (!this.options.inSeconds || choice === null || !(usual > 0)) return false;
    route.policy.update(choice, Math.min(Math.max(waitedSeconds, usual) / factor + cost, LARGEST_LOSS));
    if (waitedSeconds > usual) known.latency.observeAtLeast(load, route.relative(waitedSeconds));
    known.record.overdue++;
    this.revision++;
    return true;
  }

  /** Returns whether the policy skipped the loss. Throws before anything changes if `loss` is not a valid number. */
  #learnLoss(chosen: Chosen, { loss, isLearned }: Ending, isFailure: boolean): boolean {
    const { known, route, choice, factor, cost } = chosen;
    // A policy that is not asked to learn a failure does not check its loss.
    if (!(typeof loss === "number" && Math.abs(loss) <= LARGEST_LOSS)) {
      throw new TsallisError("ERR_LOSS", "loss", loss, `loss must be a number of size at most ${LARGEST_LOSS}, got ${show(loss)}`);
    }
    let skipped = false;
    // What a failure costs is known ahead, by its rate. A policy without known costs has to learn it.
    if (chosen.stays && !isFailure) this.#learnLatency(chosen, loss);
    if (choice !== null && !(isFailure && route.takesKnownCosts)) {
      const learned = Math.min(loss / factor + cost, LARGEST_LOSS);
      if (!isLearned) route.policy.update(choice, learned);
      skipped = isSkipped(choice, learned);
      if (!isFailure) this.#learnLatency(chosen, loss);
    }
    if (skipped) known.record.skipped++;
    known.record.learned(loss, isFailure);
    return skipped;
  }

  #learnLatency({ known, route, load, factor }: Chosen, loss: number): void {
    if (!this.options.inSeconds) return;
    const latency = route.relative(loss);
    known.latency.observe(load, latency, factor);
    const { count, mean } = known.latency.rest;
    if (count >= ENOUGH_REST) this.peers.observe(load, latency / mean, 1);
  }

  /**
   * A request that was given up after a wait has a latency, which is at least that, if the upstream works: it has answered a later request since. Otherwise load would be judged by
   * those that survive it.
   */
  #learnWait({ known, route, choice, stays, at, load, usual, wasSilent, sent }: Chosen, now: number): void {
    if (!this.options.inSeconds || (choice === null && !stays) || wasSilent || !(now - at > usual) || !known.failures.hasSucceededSince(sent)) return;
    const latency = route.relative(now - at);
    known.latency.observeAtLeast(load, latency);
    const { count, mean } = known.latency.rest;
    if (count >= ENOUGH_REST) this.peers.observeAtLeast(load, latency / mean);
  }

  /** Takes over another list of upstreams: those of `from` go on as they are, null is a new one. */
  rearrange(upstreams: readonly Upstream[], from: readonly (number | null)[]): void {
    // No policy has 0 arms: what was learned goes with the last upstream, and the first one starts as new.
    if (from.every((arm) => arm === null)) this.routes.clear();
    const policies = [...this.routes.values()].map(({ policy }) => rearranged(policy, from));
    for (const [i, route] of [...this.routes.values()].entries()) {
      route.policy = policies[i]!;
      route.lastRound = null;
    }
    this.upstreams = upstreams.map((upstream, arm) => (from[arm] === null ? new KnownUpstream(upstream) : this.upstreams[from[arm]!]!));
    this.#outlook = new Outlook(this);
    this.#limit.perSecond = this.options.roundsPerSecond ?? defaultRoundsPerSecond(upstreams.length);
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
