import { type Policy, type PolicySnapshot, Xoshiro128 } from "tsallis";
import { FailureRate } from "../model/failureRate.js";
import { Latency, type LatencySnapshot } from "../model/latency.js";
import { Route } from "../model/route.js";
import { MOST_ROUTES, type RouterModel, rearranged } from "../model/routerModel.js";
import { placeOf } from "../model/upstream.js";
import { COUNTERS, type Counter } from "../model/upstreamRecord.js";
import { RouterError } from "../routerError.js";
import {
  check,
  list,
  object,
  type RouteSnapshot,
  readLatency,
  readRoute,
  readUpstream,
  requireSame,
  restored,
  type UpstreamSnapshot,
} from "./savedFields.js";

/** The version of the snapshot format that this package reads and writes. */
export const ROUTER_SNAPSHOT_VERSION = 1;

/** Everything that a router has learned and counted, JSON-safe. Open tickets appear only as counts. */
export interface RouterSnapshot {
  readonly version: number;
  readonly loss: string;
  /** The state of the random stream. */
  readonly rng: readonly number[];
  /** @internal */
  readonly upstreams: readonly UpstreamSnapshot[];
  /** The latency of all upstreams together. @internal */
  readonly peers: LatencySnapshot;
  /** From the least to the most recently used one. @internal */
  readonly routes: readonly RouteSnapshot[];
}

export function takeSnapshot({ options, rng, upstreams, peers, routes }: RouterModel): RouterSnapshot {
  return {
    version: ROUTER_SNAPSHOT_VERSION,
    loss: options.lossName,
    rng: rng.state(),
    upstreams: upstreams.map(({ name, record, latency, failures }) => ({
      name,
      ...(Object.fromEntries(COUNTERS.map((counter) => [counter, record[counter]])) as Record<Counter, number>),
      sum: record.sum,
      buckets: [...record.buckets],
      losses: record.losses.values(),
      failures: record.failures.values(),
      latency: latency.snapshot(),
      failureRate: failures.snapshot(),
    })),
    peers: peers.snapshot(),
    // Without upstreams nothing has been learned.
    routes: (upstreams.length === 0 ? [] : [...routes.values()]).map(({ name, policy, level }) => ({
      name,
      // JSON turns the typed arrays of a policy's snapshot into plain ones.
      policy: JSON.parse(JSON.stringify(policy.snapshot())) as PolicySnapshot,
      level: { ...level },
    })),
  };
}

/**
 * Continues a fresh model from the snapshot of a router with the same policy and losses. Upstreams go by their names: those that the snapshot knows keep what was learned,
 * others start as new. Tickets that were open count as forgotten.
 */
export function adoptSnapshot(model: RouterModel, given: unknown): void {
  const { options } = model;
  const snapshot = object(given, "snapshot") as unknown as RouterSnapshot;
  check(
    snapshot.version === ROUTER_SNAPSHOT_VERSION,
    "version",
    snapshot.version,
    `${ROUTER_SNAPSHOT_VERSION}, the version that this package writes`,
  );
  requireSame("loss", snapshot.loss, options.lossName);
  const rng = restored(snapshot.rng, (words) => new Xoshiro128(words as number[]), "rng");
  const peers = readLatency(snapshot.peers, "peers");
  const saved = list(snapshot.upstreams, "upstreams").map((upstream, i) => readUpstream(upstream, `upstreams[${i}]`));
  const names = saved.map(({ name }) => name);
  const places = names.map(placeOf);
  check(new Set(places).size === names.length, "upstreams", names, "upstreams with names of their own");
  const from = model.upstreams.map(({ upstream }) => (places.includes(upstream.place) ? places.indexOf(upstream.place) : null));
  const isSame = from.length === names.length && from.every((arm, i) => arm === i);
  const wanted = model.upstreams.map(({ name }) => name);
  const taken = (policy: Policy, arms: typeof from): Policy => {
    try {
      return rearranged(policy, arms);
    } catch (error) {
      if (error instanceof RouterError) requireSame("upstreams", names, wanted);
      throw error;
    }
  };
  const routes = list(snapshot.routes, "routes").map((route, i) => {
    const read = readRoute(route, `routes[${i}]`, names.length, model);
    return isSame ? read : { ...read, policy: taken(read.policy, from) };
  });

  const routeNames = routes.map(({ name }) => name);
  const isSet = routeNames.length <= MOST_ROUTES && new Set(routeNames).size === routeNames.length;
  check(isSet, "routes", routeNames, `at most ${MOST_ROUTES} routes with names of their own`);

  // All checks come before this line: nothing has changed so far, and nothing can fail below.
  model.rng = rng;
  model.peers = new Latency(peers);
  if (routes.length > 0) model.routes.clear();
  for (const { name, policy, level } of routes) {
    const route = new Route(name, options, from.length);
    route.policy = policy;
    Object.assign(route.level, level);
    model.routes.set(name, route);
  }
  for (const [arm, known] of model.upstreams.entries()) {
    if (from[arm] === null) continue;
    const upstream = saved[from[arm]!]!;
    const { record } = known;
    for (const [i, loss] of upstream.losses.entries()) record.learned(loss, upstream.failures[i] === 1);
    for (const counter of COUNTERS) record[counter] = upstream[counter];
    record.sum = upstream.sum;
    record.buckets.splice(0, record.buckets.length, ...upstream.buckets);
    record.forgotten += record.open;
    record.open = 0;
    known.latency = new Latency(upstream.latency);
    known.failures = new FailureRate(upstream.failureRate);
  }
}
