import { show, TsallisError } from "../errors.js";

/** The version of the snapshots of evidence. A snapshot of another version is refused. */
export const EVIDENCE_SNAPSHOT_VERSION = 1;

/** A snapshot from outside, of the present version; throws ERR_SNAPSHOT or ERR_SNAPSHOT_VERSION. */
export function requireSnapshot(snapshot: unknown): void {
  if (typeof snapshot !== "object" || snapshot === null) {
    throw new TsallisError("ERR_SNAPSHOT", "snapshot", snapshot, `snapshot must be an object, got ${show(snapshot)}`);
  }
  const { version } = snapshot as { version?: unknown };
  if (version === EVIDENCE_SNAPSHOT_VERSION) return;
  const remedy = "restore it with the version of tsallis that wrote it, or fold the log again";
  throw new TsallisError("ERR_SNAPSHOT_VERSION", "version", version, `version must be ${EVIDENCE_SNAPSHOT_VERSION}, got ${show(version)}; ${remedy}`);
}

/** What `restored` returns; what it throws is an error of the snapshot. */
export function fromSnapshot<T>(restored: () => T): T {
  try {
    return restored();
  } catch (error) {
    if (!(error instanceof TsallisError) || error.code.startsWith("ERR_SNAPSHOT")) throw error;
    throw new TsallisError("ERR_SNAPSHOT", error.parameter, error.value, `in the snapshot, ${error.message}`);
  }
}

/** Checks counts by their names; throws ERR_SNAPSHOT. */
export function requireCounts(counts: Readonly<Record<string, unknown>>): void {
  for (const [name, count] of Object.entries(counts)) {
    if (Number.isSafeInteger(count) && (count as number) >= 0) continue;
    throw new TsallisError("ERR_SNAPSHOT", name, count, `${name} must be an integer of at least 0, got ${show(count)}`);
  }
}

/** Checks a list of numbers; throws ERR_SNAPSHOT. */
export function requireNumbers(values: unknown, name: string, length: number, atLeast: number, atMost: number): void {
  const good = (value: unknown) => typeof value === "number" && value >= atLeast && value <= atMost;
  if (Array.isArray(values) && values.length === length && values.every(good)) return;
  throw new TsallisError("ERR_SNAPSHOT", name, values, `${name} must be ${length} numbers from ${atLeast} to ${atMost}, got ${show(values)}`);
}
