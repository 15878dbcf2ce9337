import { randomInt } from "node:crypto";
import { DEFAULT_POLICY, LARGEST_LOSS } from "tsallis";
import type { Pool } from "undici";
import type { HedgeOptions } from "./http/hedge.js";
import type { HttpOptions } from "./http/httpOptions.js";
import type { LossRule } from "./http/lossRule.js";
import type { CompletedRetry } from "./http/retry.js";
import { type RouteRule, requireRoute } from "./http/routeRule.js";
import { requireSession } from "./http/sticky.js";
import type { LogOptions } from "./log/decisionLog.js";
import { readCost } from "./model/cost.js";
import type { ModelOptions } from "./model/modelOptions.js";
import { readUpstreams } from "./model/upstream.js";
import { halfLifeSecondsOf, withForgetting } from "./policySpec.js";
import type { ChooseOptions } from "./router.js";
import { RouterError, show } from "./routerError.js";
import type { RouterOptions } from "./routerOptions.js";
import type { StateOptions } from "./state/stateKeeper.js";
import type { TicketOptions } from "./tickets/openTickets.js";

const KEYS = [
  "upstreams",
  "policy",
  "loss",
  "failure",
  "route",
  "sticky",
  "retry",
  "hedge",
  "timeoutMs",
  "penalty",
  "cost",
  "maxEjectionTimeMs",
  "maxEjectionPercent",
  "forgetting",
  "roundsPerSecond",
  "lossIsElapsedSeconds",
  "seed",
  "state",
  "log",
  "clockSeconds",
  "pool",
];
/** Without a timeout, a request that takes longer counts as timed out, but it is not ended. */
const DEFAULT_TIMEOUT_MS = 30_000;
const LONGEST_TIMEOUT_MS = 900_000;
/** Envoy's default. */
const DEFAULT_EJECTION_MS = 300_000;
const DEFAULT_EJECTION_PERCENT = 50;
const LONGEST_EJECTION_MS = 86_400_000;
const DEFAULT_SESSION_MS = 600_000;
const LONGEST_SESSION_MS = 86_400_000;
const DEFAULT_SESSIONS = 10_000;
const MOST_SESSIONS = 1_000_000;
const DEFAULT_ATTEMPTS = 2;
const MOST_ATTEMPTS = 10;
const DEFAULT_RETRY_BUDGET = 0.1;
const DEFAULT_HEDGE_QUANTILE = 0.95;
const DEFAULT_HEDGE_BUDGET = 0.05;
const DEFAULT_INTERVAL_MS = 10_000;
const LONGEST_INTERVAL_MS = 86_400_000;
const DEFAULT_FILE_BYTES = 16_777_216;
const DEFAULT_FILES = 16;
const SMALLEST_FILE_BYTES = 65_536;

export interface CompletedOptions extends ModelOptions, TicketOptions, HttpOptions {
  readonly route: RouteRule | null;
  readonly state: Required<StateOptions> | { readonly snapshot: unknown } | null;
  readonly log: Required<LogOptions> | null;
}

/** Checks and completes the user's options, once: unknown keys and bad values throw, and nothing is missing afterwards. */
export function completeOptions(given: RouterOptions): CompletedOptions {
  const options = record(given, "options");
  requireKeys(options, KEYS, "");
  const timeoutMs = number(
    options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    "timeoutMs",
    (x) => x > 0 && x <= LONGEST_TIMEOUT_MS,
    `in (0, ${LONGEST_TIMEOUT_MS}]`,
  );
  const timeoutSeconds = timeoutMs / 1000;
  const loss = readLoss(options.loss ?? "first-byte");
  const upstreams = readUpstreams(options.upstreams);
  // A list that is filled later is one of URLs, since BalancedPool can be made without any.
  const areUrls = upstreams.length === 0 || upstreams[0]!.origin !== null;
  const learnsEarly = readLearnsEarly(options.lossIsElapsedSeconds, loss, areUrls);
  if (upstreams.length === 0 && options.state !== undefined) {
    const message = "a saved state goes to the upstreams that the router is made with: give them in upstreams, not later, or leave state out";
    throw new RouterError("ERR_UPSTREAMS", "upstreams", options.upstreams, message);
  }
  return {
    upstreams,
    areUrls,
    policy: withForgetting(options.policy ?? DEFAULT_POLICY, options.forgetting),
    halfLifeSeconds: halfLifeSecondsOf(options.forgetting),
    loss,
    lossName: typeof loss === "function" ? "function" : loss,
    failure: readFunction(options.failure, "failure", "true if an answer is a failure"),
    route: readFunction(options.route, "route", "the name of a route"),
    ...readSticky(options.sticky, areUrls),
    retry: readRetry(options.retry, areUrls),
    hedge: readHedge(options.hedge, areUrls),
    defaultRoute: "default",
    // The losses of tickets may be in any unit, unless the option says that they are seconds.
    inSeconds: typeof loss !== "function" && (areUrls || learnsEarly.tickets),
    timeoutMs,
    timeoutSeconds,
    endsRequests: options.timeoutMs !== undefined,
    penalty: number(options.penalty ?? timeoutSeconds, "penalty", (x) => x >= 0 && x <= LARGEST_LOSS, "in [0, 1e300]"),
    cost: readCost(options.cost, upstreams),
    maxEjectionSeconds:
      number(options.maxEjectionTimeMs ?? DEFAULT_EJECTION_MS, "maxEjectionTimeMs", isEjection, `in [0, ${LONGEST_EJECTION_MS}]`) / 1000,
    maxEjectionPercent: number(options.maxEjectionPercent ?? DEFAULT_EJECTION_PERCENT, "maxEjectionPercent", isPercent, "in [0, 100]"),
    learnsEarly,
    // Names cost nothing but their rounds.
    roundsPerSecond:
      options.roundsPerSecond === undefined && areUrls
        ? null
        : number(options.roundsPerSecond ?? Number.POSITIVE_INFINITY, "roundsPerSecond", (x) => x >= 1, "at least 1; Infinity for no limit"),
    seed: number(options.seed ?? randomInt(2 ** 48 - 1), "seed", (x) => Number.isSafeInteger(x) && x >= 0, "an integer in [0, 2^53 - 1]"),
    state: readState(options.state),
    log: readLog(options.log),
    clockSeconds: readClock(options.clockSeconds ?? (() => performance.now() / 1000)),
    pool: record(options.pool ?? {}, "pool") as Pool.Options,
  };
}

/** Checks the options of one choice, or of an explanation, which has a route only. */
export function readChooseOptions(given: unknown, keys = ["route", "except", "session"]): ChooseOptions {
  const options = record(given, "options");
  requireKeys(options, keys, "");
  const { route, except, session } = options;
  if (session !== undefined) requireSession(session, "session");
  if (route !== undefined) requireRoute(route);
  if (except !== undefined && !(Array.isArray(except) && except.every((name) => typeof name === "string"))) {
    throw refusal("except", except, "a list of upstreams");
  }
  return options;
}

const isEjection = (ms: number) => ms >= 0 && ms <= LONGEST_EJECTION_MS;
const isPercent = (x: number) => x >= 0 && x <= 100;

function readLoss(given: unknown): LossRule {
  if (given === "first-byte" || given === "total" || typeof given === "function") return given as LossRule;
  throw refusal("loss", given, '"first-byte", "total" or a function');
}

function readLearnsEarly(given: unknown, loss: LossRule, areUrls: boolean): CompletedOptions["learnsEarly"] {
  if (given === undefined) return { exchanges: typeof loss !== "function" && areUrls, tickets: false };
  if (typeof given !== "boolean") throw refusal("lossIsElapsedSeconds", given, "true or false");
  return { exchanges: given, tickets: given };
}

function readFunction<T>(given: unknown, parameter: string, returns: string): T | null {
  if (given === undefined) return null;
  if (typeof given === "function") return given as T;
  throw refusal(parameter, given, `a function that returns ${returns}`);
}

function readSticky(given: unknown, areUrls: boolean): Pick<CompletedOptions, "sticky" | "sessionSeconds" | "maxSessions"> {
  const sticky = typeof given === "function" ? { key: given } : record(given ?? {}, "sticky");
  requireKeys(sticky, ["key", "lifetimeMs", "maxSessions"], "sticky.");
  const { key, lifetimeMs = DEFAULT_SESSION_MS, maxSessions = DEFAULT_SESSIONS } = sticky;
  if (key !== undefined) requireHttp("sticky", given, areUrls);
  const isLifetime = (ms: number) => ms > 0 && ms <= LONGEST_SESSION_MS;
  const isCount = (sessions: number) => Number.isInteger(sessions) && sessions >= 1 && sessions <= MOST_SESSIONS;
  return {
    sticky: readFunction(key, "sticky.key", "the key of a session"),
    sessionSeconds: number(lifetimeMs, "sticky.lifetimeMs", isLifetime, `in (0, ${LONGEST_SESSION_MS}]`) / 1000,
    maxSessions: number(maxSessions, "sticky.maxSessions", isCount, `an integer from 1 to ${MOST_SESSIONS}`),
  };
}

function readRetry(given: unknown, areUrls: boolean): CompletedRetry | null {
  if (given === undefined) return null;
  requireHttp("retry", given, areUrls);
  const retry = record(given, "retry");
  requireKeys(retry, ["attempts", "when", "budget"], "retry.");
  const { attempts = DEFAULT_ATTEMPTS, when = null, budget = DEFAULT_RETRY_BUDGET } = retry;
  const isFailure = (each: unknown) =>
    (typeof each === "string" && each !== "") || (Number.isInteger(each) && Number(each) >= 400 && Number(each) <= 599);
  if (when !== null && !(Array.isArray(when) && when.length > 0 && when.every(isFailure))) {
    throw refusal("retry.when", when, 'a list of statuses from 400 to 599 and codes of errors, such as [503, "ECONNRESET"]');
  }
  return {
    attempts: number(attempts, "retry.attempts", (x) => Number.isInteger(x) && x >= 2 && x <= MOST_ATTEMPTS, `an integer from 2 to ${MOST_ATTEMPTS}`),
    when: when as readonly (number | string)[] | null,
    budget: number(budget, "retry.budget", (x) => x > 0 && x <= 1, "in (0, 1]"),
  };
}

function readHedge(given: unknown, areUrls: boolean): Required<HedgeOptions> | null {
  if (given === undefined) return null;
  requireHttp("hedge", given, areUrls);
  const hedge = record(given, "hedge");
  requireKeys(hedge, ["quantile", "budget"], "hedge.");
  const { quantile = DEFAULT_HEDGE_QUANTILE, budget = DEFAULT_HEDGE_BUDGET } = hedge;
  return {
    quantile: number(quantile, "hedge.quantile", (x) => x >= 0.5 && x < 1, "in [0.5, 1)"),
    budget: number(budget, "hedge.budget", (x) => x > 0 && x <= 1, "in (0, 1]"),
  };
}

/** Refuses an option of requests over HTTP where upstreams are names. */
function requireHttp(parameter: string, given: unknown, areUrls: boolean): void {
  if (areUrls) return;
  const message = `${parameter} is for requests over HTTP, but the upstreams are names; give http(s) URLs, or use choose({ except }) and leave ${parameter} out`;
  throw new RouterError("ERR_NOT_HTTP", parameter, given, message);
}

function readClock(given: unknown): () => number {
  if (typeof given === "function") return given as () => number;
  throw refusal("clockSeconds", given, "a function that returns seconds");
}

function readState(given: unknown): CompletedOptions["state"] {
  if (given === undefined) return null;
  const state = typeof given === "string" ? { file: given } : record(given, "state");
  if ("snapshot" in state) {
    requireKeys(state, ["snapshot"], "state.");
    return { snapshot: state.snapshot };
  }
  requireKeys(state, ["file", "intervalMs", "damaged"], "state.");
  const { file, intervalMs = DEFAULT_INTERVAL_MS, damaged = "refuse" } = state;
  if (typeof file !== "string" || file === "") throw refusal("state.file", file, "the name of a file");
  if (damaged !== "refuse" && damaged !== "fresh") throw refusal("state.damaged", damaged, '"refuse" or "fresh"');
  const isInterval = (ms: number) => ms > 0 && ms <= LONGEST_INTERVAL_MS;
  return { file, intervalMs: number(intervalMs, "state.intervalMs", isInterval, `in (0, ${LONGEST_INTERVAL_MS}]`), damaged };
}

function readLog(given: unknown): CompletedOptions["log"] {
  if (given === undefined) return null;
  const log = typeof given === "string" ? { folder: given } : record(given, "log");
  requireKeys(log, ["folder", "maxFileBytes", "maxFiles"], "log.");
  const { folder, maxFileBytes = DEFAULT_FILE_BYTES, maxFiles = DEFAULT_FILES } = log;
  if (typeof folder !== "string" || folder === "") throw refusal("log.folder", folder, "the name of a folder");
  const isSize = (bytes: number) => Number.isSafeInteger(bytes) && bytes >= SMALLEST_FILE_BYTES;
  const isCount = (files: number) => Number.isSafeInteger(files) && files >= 1;
  return {
    folder,
    maxFileBytes: number(maxFileBytes, "log.maxFileBytes", isSize, `an integer of ${SMALLEST_FILE_BYTES} or more`),
    maxFiles: number(maxFiles, "log.maxFiles", isCount, "an integer of 1 or more"),
  };
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
