// The fields of a saved state, which may have been damaged: each is checked before anything is built from it.
import { LARGEST_LOSS, type PolicySnapshot, restorePolicy, TsallisError } from "tsallis";
import type { Answers, FailureRateSnapshot } from "../model/failureRate.js";
import { type CountedMean, LARGEST_RISE, type LatencySnapshot, MEMORY } from "../model/latency.js";
import type { RouterModel } from "../model/routerModel.js";
import { placeOf } from "../model/upstream.js";
import { BUCKETS, COUNTERS, type Counter, OUTCOMES, RECENT } from "../model/upstreamRecord.js";
import { RouterError, show } from "../routerError.js";

/** The logarithm of no loss is larger in size, whatever level it is measured from. */
const LARGEST_LOG = 1000;
/** More bins than any number of requests in flight needs. */
const MOST_BINS = 128;
const MOST_RATES = 2048;

/** What a snapshot holds for an upstream. */
export interface UpstreamSnapshot extends Readonly<Record<Counter, number>> {
  readonly name: string;
  readonly sum: number;
  /** The losses that were learned, counted by size. */
  readonly buckets: readonly number[];
  readonly losses: readonly number[];
  /** 1 for each of the losses that was the cost of a failure, 0 for the others. */
  readonly failures: readonly number[];
  readonly latency: LatencySnapshot;
  readonly failureRate: FailureRateSnapshot;
}

/** What a snapshot holds for a route. */
export interface RouteSnapshot {
  readonly name: string;
  readonly policy: PolicySnapshot;
  readonly level: CountedMean;
}

export function readUpstream(given: unknown, path: string): UpstreamSnapshot {
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
  readLatency(record.latency, `${path}.latency`);
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
  return record;
}

export function readLatency(given: unknown, path: string): LatencySnapshot {
  const { rest, bins, rises, unfitted } = object(given, path);
  check(isSized(rest, "count") && isSized(rest, "mean"), `${path}.rest`, rest, "a count and a mean");
  const isBin = (bin: unknown) => isSized(bin, "weight", MEMORY) && isSized(bin, "variance", LARGEST_LOG ** 2) && isLog(bin);
  const seen = list(bins, `${path}.bins`);
  check(seen.length <= MOST_BINS && seen.every(isBin), `${path}.bins`, seen, "a list of weights, means and variances");
  const fitted = numbers(rises, `${path}.rises`, MOST_BINS);
  const isCurve = fitted.length > 0 && fitted.every((rise, k) => rise <= LARGEST_RISE && rise >= (fitted[k - 1] ?? 0));
  check(isCurve, `${path}.rises`, fitted, `numbers from 0 to ${LARGEST_RISE} that do not fall`);
  check(isCount(unfitted), `${path}.unfitted`, unfitted, "a count");
  return given as LatencySnapshot;
}

export function readRoute(given: unknown, path: string, upstreams: number, model: RouterModel) {
  const route = object(given, path) as unknown as RouteSnapshot;
  check(typeof route.name === "string", `${path}.name`, route.name, "a name");
  // Before the policy is made: one of a billion arms would take all memory.
  const { arms } = object(route.policy, `${path}.policy`);
  check(arms === upstreams, `${path}.policy.arms`, arms, `${upstreams}, the number of upstreams`);
  const policy = restored(route.policy, (snapshot) => restorePolicy(snapshot), `${path}.policy`);
  requireSame("policy", policy.spec, model.peek().policy.spec);
  check(isSized(route.level, "count") && isLog(route.level), `${path}.level`, route.level, "a count and a mean");
  return { name: route.name, policy, level: route.level };
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
  return isNumber(record, "mean") && Math.abs((record as CountedMean).mean) <= LARGEST_LOG;
}

export function list(given: unknown, parameter: string): readonly unknown[] {
  check(Array.isArray(given), parameter, given, "a list");
  return given as unknown[];
}

function numbers(given: unknown, parameter: string, most: number): readonly number[] {
  const fits = Array.isArray(given) && given.length <= most && given.every((item) => Number.isFinite(item) && Math.abs(item) <= LARGEST_LOSS);
  check(fits, parameter, given, `at most ${most} numbers of size at most ${LARGEST_LOSS}`);
  return given as number[];
}

export function restored<T>(given: unknown, restore: (given: unknown) => T, parameter: string): T {
  try {
    return restore(given);
  } catch (error) {
    if (error instanceof TsallisError) throw damaged(parameter, given, `${parameter} is invalid: ${error.message}`, error);
    throw error;
  }
}

export function object(value: unknown, parameter: string): Record<string, unknown> {
  check(typeof value === "object" && value !== null && !Array.isArray(value), parameter, value, "an object");
  return value as Record<string, unknown>;
}

export function check(holds: boolean, parameter: string, value: unknown, wanted: string): void {
  if (!holds) throw damaged(parameter, value, `${parameter} must be ${wanted}, got ${show(value)}`);
}

export function damaged(parameter: string, value: unknown, what: string, cause?: unknown): RouterError {
  return new RouterError("ERR_STATE", parameter, value, `the saved state is damaged: ${what}`, { cause });
}

export function requireSame(parameter: string, saved: unknown, wanted: unknown): void {
  if (JSON.stringify(saved) === JSON.stringify(wanted)) return;
  const message = `the saved state belongs to another router: its ${parameter} is ${show(saved)}, not ${show(wanted)}; give this one another file`;
  throw new RouterError("ERR_STATE_OTHER", parameter, saved, message);
}
