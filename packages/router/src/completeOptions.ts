import { randomInt } from "node:crypto";
import { DEFAULT_POLICY, LARGEST_LOSS, type PolicySpec } from "tsallis";
import type { Pool } from "undici";
import type { FailureRule } from "./failureRule.js";
import type { LossRule } from "./lossRule.js";
import { withForgetting } from "./policySpec.js";
import { type RouteRule, requireRoute } from "./routeRule.js";
import { RouterError, show } from "./routerError.js";
import type { BaselineOptions, RouterOptions, StateOptions } from "./routerOptions.js";
import { readUpstreams, type Upstream } from "./upstream.js";

const KEYS = [
  "upstreams",
  "policy",
  "loss",
  "failure",
  "route",
  "timeout",
  "penalty",
  "baseline",
  "forgetting",
  "waiting",
  "seed",
  "state",
  "clock",
  "pool",
];
/** Without a timeout, a request that takes longer counts as timed out, but it is not ended. */
const DEFAULT_TIMEOUT_SECONDS = 30;
/** A timeout above a quarter of an hour is most likely milliseconds mistaken for seconds. */
const LONGEST_TIMEOUT_SECONDS = 900;
const DEFAULT_INTERVAL_SECONDS = 10;

export interface CompletedOptions {
  readonly upstreams: readonly Upstream[];
  readonly policy: PolicySpec;
  readonly loss: LossRule;
  /** Null: by the status alone. */
  readonly failure: FailureRule | null;
  /** Null: all requests are of one kind. */
  readonly route: RouteRule | null;
  /** The route of a ticket that names none. */
  readonly defaultRoute: string;
  /** Whether the options say that all losses are seconds. */
  readonly inSeconds: boolean;
  readonly timeout: number;
  /** Whether requests over HTTP are ended at the timeout; otherwise they only count as timed out. */
  readonly endsRequests: boolean;
  readonly penalty: number;
  readonly baseline: Required<BaselineOptions> | null;
  readonly waiting: { readonly exchanges: boolean; readonly tickets: boolean };
  readonly seed: number;
  readonly state: Required<StateOptions> | { readonly snapshot: unknown } | null;
  readonly clock: () => number;
  readonly pool: Pool.Options;
}

/** Checks and completes the user's options, once: unknown keys and bad values throw, and nothing is missing afterwards. */
export function completeOptions(given: RouterOptions): CompletedOptions {
  const options = record(given, "options");
  requireKeys(options, KEYS, "");
  const timeout = number(
    options.timeout ?? DEFAULT_TIMEOUT_SECONDS,
    "timeout",
    (x) => x > 0 && x <= LONGEST_TIMEOUT_SECONDS,
    `in (0, ${LONGEST_TIMEOUT_SECONDS}] seconds`,
  );
  const loss = readLoss(options.loss ?? "first-byte");
  const upstreams = readUpstreams(options.upstreams);
  const waiting = readWaiting(options.waiting, loss, upstreams);
  return {
    upstreams,
    policy: withForgetting(options.policy ?? DEFAULT_POLICY, options.forgetting),
    loss,
    failure: readFunction(options.failure, "failure", "true if an answer is a failure"),
    route: readFunction(options.route, "route", "the name of a route"),
    defaultRoute: "default",
    // The losses of tickets may be in any unit, unless `waiting` says that they are seconds.
    inSeconds: typeof loss !== "function" && (upstreams[0]!.origin !== null || waiting.tickets),
    timeout,
    endsRequests: options.timeout !== undefined,
    penalty: number(options.penalty ?? timeout, "penalty", (x) => x >= 0 && x <= LARGEST_LOSS, "in [0, 1e300]"),
    baseline: readBaseline(options.baseline ?? false),
    waiting,
    seed: number(options.seed ?? randomInt(2 ** 48 - 1), "seed", (x) => Number.isSafeInteger(x) && x >= 0, "an integer in [0, 2^53 - 1]"),
    state: readState(options.state),
    clock: readClock(options.clock ?? (() => performance.now() / 1000)),
    pool: record(options.pool ?? {}, "pool") as Pool.Options,
  };
}

/** Checks the options of one choice. */
export function readChooseOptions(given: unknown): { readonly route?: string; readonly except?: readonly string[] } {
  const options = record(given, "options");
  requireKeys(options, ["route", "except"], "");
  const { route, except } = options;
  if (route !== undefined) requireRoute(route);
  if (except !== undefined && !(Array.isArray(except) && except.every((name) => typeof name === "string"))) {
    throw refusal("except", except, "a list of upstreams");
  }
  return options;
}

/** Checks the options of an explanation. */
export function readExplainOptions(given: unknown): { readonly route?: string } {
  const options = record(given, "options");
  requireKeys(options, ["route"], "");
  if (options.route !== undefined) requireRoute(options.route);
  return options;
}

function readLoss(given: unknown): LossRule {
  if (given === "first-byte" || given === "total" || typeof given === "function") return given as LossRule;
  throw refusal("loss", given, '"first-byte", "total" or a function');
}

function readWaiting(given: unknown, loss: LossRule, upstreams: readonly Upstream[]): CompletedOptions["waiting"] {
  if (given === undefined) return { exchanges: typeof loss !== "function" && upstreams[0]!.origin !== null, tickets: false };
  if (typeof given !== "boolean") throw refusal("waiting", given, "true or false");
  return { exchanges: given, tickets: given };
}

function readFunction<T>(given: unknown, parameter: string, returns: string): T | null {
  if (given === undefined) return null;
  if (typeof given === "function") return given as T;
  throw refusal(parameter, given, `a function that returns ${returns}`);
}

function readClock(given: unknown): () => number {
  if (typeof given === "function") return given as () => number;
  throw refusal("clock", given, "a function that returns seconds");
}

function readBaseline(given: unknown): Required<BaselineOptions> | null {
  if (given === false) return null;
  const options = given === true ? {} : record(given, "baseline");
  requireKeys(options, ["quantile", "window"], "baseline.");
  const { quantile = 0.05, window = 1000 } = options;
  return {
    quantile: number(quantile, "baseline.quantile", (x) => x > 0 && x < 1, "in (0, 1)"),
    window: number(window, "baseline.window", (x) => Number.isInteger(x) && x >= 1 && x <= 100_000, "an integer in [1, 100000]"),
  };
}

function readState(given: unknown): CompletedOptions["state"] {
  if (given === undefined) return null;
  const state = typeof given === "string" ? { file: given } : record(given, "state");
  if ("snapshot" in state) {
    requireKeys(state, ["snapshot"], "state.");
    return { snapshot: state.snapshot };
  }
  requireKeys(state, ["file", "interval", "damaged"], "state.");
  const { file, interval = DEFAULT_INTERVAL_SECONDS, damaged = "refuse" } = state;
  if (typeof file !== "string" || file === "") throw refusal("state.file", file, "the name of a file");
  if (damaged !== "refuse" && damaged !== "fresh") throw refusal("state.damaged", damaged, '"refuse" or "fresh"');
  return { file, interval: number(interval, "state.interval", (x) => x > 0 && x <= 86_400, "in (0, 86400] seconds"), damaged };
}

function number(value: unknown, parameter: string, accepts: (value: number) => boolean, wanted: string): number {
  if (typeof value === "number" && accepts(value)) return value;
  throw refusal(parameter, value, wanted);
}

function record(value: unknown, parameter: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw refusal(parameter, value, "an object");
}

function requireKeys(given: Record<string, unknown>, allowed: readonly string[], path: string): void {
  for (const key of Object.keys(given)) {
    if (allowed.includes(key)) continue;
    throw new RouterError("ERR_OPTION", path + key, given[key], `unknown option ${path}${key}; known options: ${allowed.join(", ")}`);
  }
}

function refusal(parameter: string, value: unknown, wanted: string): RouterError {
  return new RouterError("ERR_OPTION", parameter, value, `${parameter} must be ${wanted}, got ${show(value)}`);
}
