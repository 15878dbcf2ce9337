import { createHash } from "node:crypto";
import { type PolicySnapshot, restorePolicy, TsallisError, Xoshiro128 } from "tsallis";
import type { Ledger } from "./ledger.js";
import { lossName } from "./lossRule.js";
import type { RegimesSnapshot } from "./regimes.js";
import { RouterError, show } from "./routerError.js";
import { BUCKETS, COUNTERS, type Counter, OUTCOMES, RECENT } from "./upstreamRecord.js";

/** The version of the snapshot format that this package reads and writes. */
export const ROUTER_SNAPSHOT_VERSION = 2;

/** Everything that a router has learned and counted, JSON-safe. Open tickets appear only as counts. */
export interface RouterSnapshot {
  readonly version: number;
  readonly upstreams: readonly string[];
  readonly loss: string;
  readonly baseline: { readonly quantile: number; readonly window: number; readonly losses: readonly number[] } | null;
  readonly policy: PolicySnapshot;
  /** The state of the random stream. */
  readonly rng: readonly number[];
  readonly regimes: RegimesSnapshot;
  readonly records: readonly RecordSnapshot[];
}

interface RecordSnapshot extends Readonly<Record<Counter, number>> {
  readonly sum: number;
  /** The losses that were learned, counted by size. */
  readonly buckets: readonly number[];
  readonly losses: readonly number[];
  /** 1 for each of the losses that was the cost of a failure, 0 for the others. */
  readonly failures: readonly number[];
}

export function takeSnapshot({ names, options, policy, rng, regimes, records, baseline }: Ledger): RouterSnapshot {
  return {
    version: ROUTER_SNAPSHOT_VERSION,
    upstreams: names,
    loss: lossName(options.loss),
    baseline: baseline && { ...baseline.options, losses: baseline.losses() },
    // JSON turns the typed arrays of a policy's snapshot into plain ones.
    policy: JSON.parse(JSON.stringify(policy.snapshot())) as PolicySnapshot,
    rng: rng.state(),
    regimes: regimes.snapshot(),
    records: records.map((record) => ({
      ...(Object.fromEntries(COUNTERS.map((counter) => [counter, record[counter]])) as Record<Counter, number>),
      sum: record.sum,
      buckets: [...record.buckets],
      losses: record.losses.values(),
      failures: record.failures.values(),
    })),
  };
}

/** Continues a fresh ledger from the snapshot of a router with the same upstreams, policy and losses. Tickets that were open count as forgotten. */
export function adoptSnapshot(ledger: Ledger, given: unknown): void {
  const { names, options } = ledger;
  const snapshot = object(given, "snapshot") as unknown as RouterSnapshot;
  check(
    snapshot.version === ROUTER_SNAPSHOT_VERSION,
    "version",
    snapshot.version,
    `${ROUTER_SNAPSHOT_VERSION}, the version that this package writes`,
  );
  requireSame("upstreams", snapshot.upstreams, names);
  requireSame("loss", snapshot.loss, lossName(options.loss));
  const { losses = [], ...baseline } = snapshot.baseline === null ? {} : object(snapshot.baseline, "baseline");
  requireSame("baseline", snapshot.baseline === null ? null : baseline, options.baseline);
  const policy = restored(snapshot.policy, (policySnapshot) => restorePolicy(policySnapshot), "policy");
  requireSame("policy", policy.spec, ledger.policy.spec);
  check(policy.arms === names.length, "policy.arms", policy.arms, `${names.length}, the number of upstreams`);
  const rng = restored(snapshot.rng, (words) => new Xoshiro128(words as number[]), "rng");
  const common = numbers(losses, "baseline.losses", options.baseline?.window ?? 0);
  const regimes = readRegimes(snapshot.regimes, names);
  check(
    Array.isArray(snapshot.records) && snapshot.records.length === names.length,
    "records",
    snapshot.records,
    `a list of ${names.length} records`,
  );
  const records = snapshot.records.map((record, i) => readRecord(record, `records[${i}]`));

  // All checks come before this line: nothing has changed so far, and nothing can fail below.
  ledger.policy = policy;
  ledger.rng = rng;
  ledger.regimes.restore(regimes);
  for (const loss of common) ledger.baseline!.push(loss);
  for (const [arm, saved] of records.entries()) {
    const record = ledger.records[arm]!;
    for (const [i, loss] of saved.losses.entries()) record.learned(loss, saved.failures[i] === 1);
    for (const counter of COUNTERS) record[counter] = saved[counter];
    record.sum = saved.sum;
    record.buckets.splice(0, record.buckets.length, ...saved.buckets);
    record.forgotten += record.open;
    record.open = 0;
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

function readRecord(given: unknown, path: string): RecordSnapshot {
  const record = object(given, path) as unknown as RecordSnapshot;
  for (const counter of COUNTERS) {
    check(Number.isSafeInteger(record[counter]) && record[counter] >= 0, `${path}.${counter}`, record[counter], "a count");
  }
  const ended = OUTCOMES.reduce((sum, outcome) => sum + record[outcome], record.open);
  check(ended === record.chosen, `${path}.chosen`, record.chosen, `the sum of the outcomes and the open ones, ${ended}`);
  check(Number.isFinite(record.sum), `${path}.sum`, record.sum, "a finite number");
  const learned = record.done + record.failed + record.timedOut;
  const isCounted =
    Array.isArray(record.buckets) &&
    record.buckets.length === BUCKETS.length + 1 &&
    record.buckets.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    record.buckets.reduce((sum, count) => sum + count, 0) === learned;
  check(isCounted, `${path}.buckets`, record.buckets, `${BUCKETS.length + 1} counts whose sum is the number of losses learned, ${learned}`);
  const losses = numbers(record.losses, `${path}.losses`, RECENT);
  const failures = numbers(record.failures, `${path}.failures`, RECENT);
  const fits = failures.length === losses.length && failures.every((item) => item === 0 || item === 1);
  check(fits, `${path}.failures`, failures, "0 or 1 for each loss");
  return record;
}

function readRegimes(given: unknown, names: readonly string[]): RegimesSnapshot {
  const regimes = object(given, "regimes") as unknown as RegimesSnapshot;
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  const isArm = (value: unknown) => value === null || (isCount(value) && (value as number) < names.length);
  const { favourite, candidate, confirmations, changes, last } = regimes;
  check(isArm(favourite), "regimes.favourite", favourite, "an arm or null");
  check(isArm(candidate), "regimes.candidate", candidate, "an arm or null");
  check(isCount(confirmations), "regimes.confirmations", confirmations, "a count");
  check(isCount(changes), "regimes.changes", changes, "a count");
  if (last !== null) {
    const { round, time, from, to } = object(last, "regimes.last");
    const isChange = isCount(round) && typeof time === "string" && names.includes(from as string) && names.includes(to as string);
    check(isChange, "regimes.last", last, "a change of regime or null");
  }
  return regimes;
}

function numbers(given: unknown, parameter: string, most: number): readonly number[] {
  const fits = Array.isArray(given) && given.length <= most && given.every((item) => Number.isFinite(item));
  check(fits, parameter, given, `at most ${most} finite numbers`);
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
