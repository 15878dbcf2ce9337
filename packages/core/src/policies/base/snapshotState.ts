import { show, TsallisError } from "../../errors.js";

/** Checks that a snapshot's state has one number per arm, each from `atLeast` to `atMost`; throws ERR_SNAPSHOT. */
export function requireNumbers(
  values: unknown,
  name: string,
  arms: number,
  atMost = Number.MAX_VALUE,
  atLeast = -atMost,
): asserts values is number[] {
  const good = (value: unknown) => typeof value === "number" && value >= atLeast && value <= atMost;
  if (Array.isArray(values) && values.length === arms && [...values].every(good)) return;
  const range = atLeast === -atMost ? `of size at most ${atMost}` : `from ${atLeast} to ${atMost}`;
  throw new TsallisError("ERR_SNAPSHOT", name, values, `${name} must be ${arms} numbers ${range}, got ${show(values)}`);
}

/** Checks one number of a snapshot's state; throws ERR_SNAPSHOT. */
export function requireNumber(value: unknown, name: string, atLeast: number, atMost: number): asserts value is number {
  if (typeof value === "number" && value >= atLeast && value <= atMost) return;
  throw new TsallisError("ERR_SNAPSHOT", name, value, `${name} must be a number from ${atLeast} to ${atMost}, got ${show(value)}`);
}

/** Checks one integer of a snapshot's state; throws ERR_SNAPSHOT. */
export function requireInteger(value: unknown, name: string, atLeast: number, atMost: number): asserts value is number {
  if (Number.isInteger(value) && (value as number) >= atLeast && (value as number) <= atMost) return;
  throw new TsallisError("ERR_SNAPSHOT", name, value, `${name} must be an integer from ${atLeast} to ${atMost}, got ${show(value)}`);
}

/** Checks that a snapshot's state has one count per arm; throws ERR_SNAPSHOT. */
export function requireCounts(values: unknown, name: string, arms: number): asserts values is number[] {
  if (Array.isArray(values) && values.length === arms && [...values].every((value) => Number.isSafeInteger(value) && value >= 0)) return;
  throw new TsallisError("ERR_SNAPSHOT", name, values, `${name} must be ${arms} integers of at least 0, got ${show(values)}`);
}
