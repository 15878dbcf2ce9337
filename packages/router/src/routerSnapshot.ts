import { createHash } from "node:crypto";
import { LARGEST_LOSS, type Policy, type PolicySnapshot, restorePolicy, TsallisError, Xoshiro128 } from "tsallis";
import { type Answers, FailureRate, type FailureRateSnapshot } from "./failureRate.js";
import { type Ledger, MOST_ROUTES, rearranged } from "./ledger.js";
import { LoadCurve, type LoadCurveSnapshot, MEMORY } from "./loadCurve.js";
import { lossName } from "./lossRule.js";
import type { RegimesSnapshot } from "./regimes.js";
import { RestMean, type RestMeanSnapshot } from "./restMean.js";
import { Route } from "./route.js";
import { RouterError, show } from "./routerError.js";
import { placeOf } from "./upstream.js";
import { BUCKETS, COUNTERS, type Counter, OUTCOMES, RECENT } from "./upstreamRecord.js";

/** The version of the snapshot format that this package reads and writes. */
export const ROUTER_SNAPSHOT_VERSION = 2;
/** The logarithm of no loss is larger in size, whatever level it is measured from. */
const LARGEST_LOG = 1000;
/** More bins than any number of requests in flight needs. */
const MOST_BINS = 128;
const MOST_RATES = 512;

/** Everything that a router has learned and counted, JSON-safe. Open tickets appear only as counts. */
export interface RouterSnapshot {
  readonly version: number;
  readonly loss: string;
  readonly baseline: { readonly quantile: number; readonly window: number } | null;
  /** The state of the random stream. */
  readonly rng: readonly number[];
  readonly upstreams: readonly UpstreamSnapshot[];
  /** The load curve of all upstreams together. */
  readonly peers: LoadCurveSnapshot;
  /** From the least to the most recently used one. */
  readonly routes: readonly RouteSnapshot[];
}

interface UpstreamSnapshot extends Readonly<Record<Counter, number>> {
  readonly name: string;
  readonly sum: number;
  /** The losses that were learned, counted by size. */
  readonly buckets: readonly number[];
  readonly losses: readonly number[];
  /** 1 for each of the losses that was the cost of a failure, 0 for the others. */
  readonly failures: readonly number[];
  readonly curve: LoadCurveSnapshot;
  readonly failureRate: FailureRateSnapshot;
  readonly peak: number;
}

interface RouteSnapshot {
  readonly name: string;
  readonly policy: PolicySnapshot;
  readonly regimes: RegimesSnapshot;
  /** The losses that the baseline is computed from. */
  readonly losses: readonly number[];
  readonly rest: readonly RestMeanSnapshot[];
  readonly level: RestMeanSnapshot;
}

export function takeSnapshot({ options, rng, upstreams, peers, routes }: Ledger): RouterSnapshot {
  return {
    version: ROUTER_SNAPSHOT_VERSION,
    loss: lossName(options.loss),
    baseline: options.baseline,
    rng: rng.state(),
    upstreams: upstreams.map(({ name, record, curve, failures, peak }) => ({
      name,
      ...(Object.fromEntries(COUNTERS.map((counter) => [counter, record[counter]])) as Record<Counter, number>),
      sum: record.sum,
      buckets: [...record.buckets],
      losses: record.losses.values(),
      failures: record.failures.values(),
      curve: curve.snapshot(),
      failureRate: failures.snapshot(),
      peak,
    })),
    peers: peers.snapshot(),
    routes: [...routes.values()].map(({ name, policy, regimes, baseline, rest, level }) => ({
      name,
      // JSON turns the typed arrays of a policy's snapshot into plain ones.
      policy: JSON.parse(JSON.stringify(policy.snapshot())) as PolicySnapshot,
      regimes: regimes.snapshot(),
      losses: baseline?.losses() ?? [],
      rest: rest.map((mean) => mean.snapshot()),
      level: { ...level },
    })),
  };
}

/**
 * Continues a fresh ledger from the snapshot of a router with the same policy and losses. Upstreams go by their names: those that the snapshot knows keep what was learned,
 * others start as new. Tickets that were open count as forgotten.
 */
export function adoptSnapshot(ledger: Ledger, given: unknown): void {
  const { options } = ledger;
  const snapshot = object(given, "snapshot") as unknown as RouterSnapshot;
  check(
    snapshot.version === ROUTER_SNAPSHOT_VERSION,
    "version",
    snapshot.version,
    `${ROUTER_SNAPSHOT_VERSION}, the version that this package writes`,
  );
  requireSame("loss", snapshot.loss, lossName(options.loss));
  requireSame("baseline", snapshot.baseline, options.baseline);
  const rng = restored(snapshot.rng, (words) => new Xoshiro128(words as number[]), "rng");
  const peers = readCurve(snapshot.peers, "peers");
  const saved = list(snapshot.upstreams, "upstreams").map((upstream, i) => readUpstream(upstream, `upstreams[${i}]`));
  const names = saved.map(({ name }) => name);
  const places = names.map(placeOf);
  check(names.length > 0 && new Set(places).size === names.length, "upstreams", names, "upstreams with names of their own");
  const from = ledger.upstreams.map(({ upstream }) => (places.includes(upstream.place) ? places.indexOf(upstream.place) : null));
  const isSame = from.length === names.length && from.every((arm, i) => arm === i);
  const wanted = ledger.upstreams.map(({ name }) => name);
  const taken = (policy: Policy, arms: typeof from): Policy => {
    try {
      return rearranged(policy, arms);
    } catch (error) {
      if (error instanceof RouterError) requireSame("upstreams", names, wanted);
      throw error;
    }
  };
  const routes = list(snapshot.routes, "routes").map((route, i) => {
    const read = readRoute(route, `routes[${i}]`, names.length, ledger);
    if (isSame) return read;
    const rest = from.map((arm) => (arm === null ? new RestMean() : read.rest[arm]!));
    return { ...read, policy: taken(read.policy, from), rest };
  });

  const routeNames = routes.map(({ name }) => name);
  const isSet = routeNames.length <= MOST_ROUTES && new Set(routeNames).size === routeNames.length;
  check(isSet, "routes", routeNames, `at most ${MOST_ROUTES} routes with names of their own`);

  // All checks come before this line: nothing has changed so far, and nothing can fail below.
  ledger.rng = rng;
  ledger.peers = new LoadCurve(peers);
  if (routes.length > 0) ledger.routes.clear();
  for (const { name, policy, rest, regimes, losses, level } of routes) {
    const route = new Route(name, options, from.length);
    route.policy = policy;
    route.rest = rest;
    route.regimes.restore(regimes);
    for (const loss of losses) route.baseline!.push(loss);
    Object.assign(route.level, level);
    ledger.routes.set(name, route);
  }
  for (const [arm, known] of ledger.upstreams.entries()) {
    if (from[arm] === null) continue;
    const upstream = saved[from[arm]!]!;
    const { record } = known;
    for (const [i, loss] of upstream.losses.entries()) record.learned(loss, upstream.failures[i] === 1);
    for (const counter of COUNTERS) record[counter] = upstream[counter];
    record.sum = upstream.sum;
    record.buckets.splice(0, record.buckets.length, ...upstream.buckets);
    record.forgotten += record.open;
    record.open = 0;
    known.curve = new LoadCurve(upstream.curve);
    known.failures = new FailureRate(upstream.failureRate);
    known.peak = upstream.peak;
  }
}

/** The text of a state file: a snapshot with its checksum. */
export function encodeSnapshot(snapshot: RouterSnapshot): string {
  return `${JSON.stringify({ checksum: checksum(snapshot), snapshot })}\n`;
}

/** Reads the snapshot from the text of a state file; throws if a single character has changed. */
export function decodeSnapshot(text: string): unknown {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw damaged("file", text, `it is not JSON (${(error as Error).message})`);
  }
  const { checksum: stated, snapshot } = object(file, "file");
  if (stated !== checksum(snapshot)) throw damaged("checksum", stated, "its checksum does not match its content");
  return snapshot;
}

function checksum(snapshot: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(snapshot) ?? "")
    .digest("hex");
}

function readUpstream(given: unknown, path: string): UpstreamSnapshot {
  const record = object(given, path) as unknown as UpstreamSnapshot;
  check(typeof record.name === "string" && placeOf(record.name) !== null, `${path}.name`, record.name, "a URL or a name");
  for (const counter of COUNTERS) check(isCount(record[counter]), `${path}.${counter}`, record[counter], "a count");
  const ended = OUTCOMES.reduce((sum, outcome) => sum + record[outcome], record.open);
  check(ended === record.chosen, `${path}.chosen`, record.chosen, `the sum of the outcomes and the open ones, ${ended}`);
  check(Number.isFinite(record.sum), `${path}.sum`, record.sum, "a finite number");
  const learned = record.done + record.failed + record.timedOut;
  const isCounted =
    Array.isArray(record.buckets) &&
    record.buckets.length === BUCKETS.length + 1 &&
    record.buckets.every(isCount) &&
    record.buckets.reduce((sum, count) => sum + count, 0) === learned;
  check(isCounted, `${path}.buckets`, record.buckets, `${BUCKETS.length + 1} counts whose sum is the number of losses learned, ${learned}`);
  const losses = numbers(record.losses, `${path}.losses`, RECENT);
  const failures = numbers(record.failures, `${path}.failures`, RECENT);
  const fits = failures.length === losses.length && failures.every((item) => item === 0 || item === 1);
  check(fits, `${path}.failures`, failures, "0 or 1 for each loss");
  readCurve(record.curve, `${path}.curve`);
  const { scattered, inRuns, runLoad, lastFailure, lastSuccess } = object(record.failureRate, `${path}.failureRate`);
  const isAnswers = (answers: unknown) =>
    isSized(answers, "answers") && isSized(answers, "failures") && (answers as Answers).failures <= (answers as Answers).answers;
  const counts = list(scattered, `${path}.failureRate.scattered`);
  check(
    counts.length <= MOST_RATES &&
      counts.every(isAnswers) &&
      isAnswers(inRuns) &&
      isSized(record.failureRate, "failed") &&
      [runLoad, lastFailure, lastSuccess].every((n) => n === null || isCount(n)) &&
      [lastFailure, lastSuccess].every((n) => n === null || (n as number) < record.chosen),
    `${path}.failureRate`,
    record.failureRate,
    "counts of answers and of failures among them, and numbers of requests that were sent",
  );
  check(isSized(record, "peak"), `${path}.peak`, record.peak, "a number of at least 0");
  return record;
}

function readCurve(given: unknown, path: string): LoadCurveSnapshot {
  const { bins, rises, unfitted } = object(given, path);
  const isBin = (bin: unknown) => isSized(bin, "weight", MEMORY) && isSized(bin, "variance", LARGEST_LOG ** 2) && isLog(bin);
  const seen = list(bins, `${path}.bins`);
  check(seen.length <= MOST_BINS && seen.every(isBin), `${path}.bins`, seen, "a list of weights, means and variances");
  const fitted = numbers(rises, `${path}.rises`, MOST_BINS);
  const isCurve = fitted.length > 0 && fitted.every((rise, k) => rise <= LARGEST_LOG && rise >= (fitted[k - 1] ?? 0));
  check(isCurve, `${path}.rises`, fitted, "numbers from 0 on that do not fall");
  check(isCount(unfitted), `${path}.unfitted`, unfitted, "a count");
  return given as LoadCurveSnapshot;
}

function readRoute(given: unknown, path: string, upstreams: number, ledger: Ledger) {
  const { options } = ledger;
  const route = object(given, path) as unknown as RouteSnapshot;
  check(typeof route.name === "string", `${path}.name`, route.name, "a name");
  // Before the policy is made: one of a billion arms would take all memory.
  const { arms } = object(route.policy, `${path}.policy`);
  check(arms === upstreams, `${path}.policy.arms`, arms, `${upstreams}, the number of upstreams`);
  const policy = restored(route.policy, (snapshot) => restorePolicy(snapshot), `${path}.policy`);
  requireSame("policy", policy.spec, ledger.peek().policy.spec);
  const losses = numbers(route.losses, `${path}.losses`, options.baseline?.window ?? 0);
  const isMean = (mean: unknown) => isSized(mean, "count") && isSized(mean, "mean");
  const rest = list(route.rest, `${path}.rest`) as RestMeanSnapshot[];
  check(rest.length === upstreams && rest.every(isMean), `${path}.rest`, rest, `a count and a mean for each of ${upstreams} upstreams`);
  check(isSized(route.level, "count") && isLog(route.level), `${path}.level`, route.level, "a count and a mean");
  const regimes = readRegimes(route.regimes, `${path}.regimes`);
  return { name: route.name, policy, regimes, losses, rest: rest.map((mean) => new RestMean(mean)), level: route.level };
}

function readRegimes(given: unknown, path: string): RegimesSnapshot {
  const regimes = object(given, path) as unknown as RegimesSnapshot;
  const isName = (value: unknown) => value === null || typeof value === "string";
  const { favourite, candidate, confirmations, changes, last } = regimes;
  check(isName(favourite), `${path}.favourite`, favourite, "a name or null");
  check(isName(candidate), `${path}.candidate`, candidate, "a name or null");
  check(isCount(confirmations), `${path}.confirmations`, confirmations, "a count");
  check(isCount(changes), `${path}.changes`, changes, "a count");
  if (last !== null) {
    const { round, time, from, to } = object(last, `${path}.last`);
    check(isCount(round) && [time, from, to].every((text) => typeof text === "string"), `${path}.last`, last, "a change of regime or null");
  }
  return regimes;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isNumber(record: unknown, field: string): boolean {
  return typeof record === "object" && record !== null && Number.isFinite((record as Record<string, unknown>)[field]);
}

/** Whether a field is a number from 0 to the size of the largest loss, or to `most`. */
function isSized(record: unknown, field: string, most = LARGEST_LOSS): boolean {
  return isNumber(record, field) && (record as Record<string, number>)[field]! >= 0 && (record as Record<string, number>)[field]! <= most;
}

/** Whether the field `mean` can be the mean of logarithms of losses. */
function isLog(record: unknown): boolean {
  return isNumber(record, "mean") && Math.abs((record as RestMeanSnapshot).mean) <= LARGEST_LOG;
}

function list(given: unknown, parameter: string): readonly unknown[] {
  check(Array.isArray(given), parameter, given, "a list");
  return given as unknown[];
}

function numbers(given: unknown, parameter: string, most: number): readonly number[] {
  const fits = Array.isArray(given) && given.length <= most && given.every((item) => Number.isFinite(item) && Math.abs(item) <= LARGEST_LOSS);
  check(fits, parameter, given, `at most ${most} numbers of size at most ${LARGEST_LOSS}`);
  return given as number[];
}

function restored<T>(given: unknown, restore: (given: unknown) => T, parameter: string): T {
  try {
    return restore(given);
  } catch (error) {
    if (error instanceof TsallisError) throw damaged(parameter, given, `${parameter} is invalid: ${error.message}`, error);
    throw error;
  }
}

function object(value: unknown, parameter: string): Record<string, unknown> {
  check(typeof value === "object" && value !== null && !Array.isArray(value), parameter, value, "an object");
  return value as Record<string, unknown>;
}

function check(holds: boolean, parameter: string, value: unknown, wanted: string): void {
  if (!holds) throw damaged(parameter, value, `${parameter} must be ${wanted}, got ${show(value)}`);
}

function damaged(parameter: string, value: unknown, what: string, cause?: unknown): RouterError {
  return new RouterError("ERR_STATE", parameter, value, `the saved state is damaged: ${what}`, { cause });
}

function requireSame(parameter: string, saved: unknown, wanted: unknown): void {
  if (JSON.stringify(saved) === JSON.stringify(wanted)) return;
  const message = `the saved state belongs to another router: its ${parameter} is ${show(saved)}, not ${show(wanted)}; give this one another file`;
  throw new RouterError("ERR_STATE_OTHER", parameter, saved, message);
}
