import { show, TsallisError } from "../errors.js";

/** The numbers per arm of a snapshot's state, each of size at most `atMost`, or ERR_SNAPSHOT. */
export function requireNumbers(values: unknown, name: string, arms: number, atMost = Number.MAX_VALUE): asserts values is number[] {
  if (Array.isArray(values) && values.length === arms && [...values].every((value) => typeof value === "number" && Math.abs(value) <= atMost)) return;
  throw new TsallisError("ERR_SNAPSHOT", name, values, `${name} must be ${arms} numbers of size at most ${atMost}, got ${show(values)}`);
}

/** The counts per arm of a snapshot's state, or ERR_SNAPSHOT. */
export function requireCounts(values: unknown, name: string, arms: number): asserts values is number[] {
  if (Array.isArray(values) && values.length === arms && [...values].every((value) => Number.isSafeInteger(value) && value >= 0)) return;
  throw new TsallisError("ERR_SNAPSHOT", name, values, `${name} must be ${arms} integers of at least 0, got ${show(values)}`);
}
