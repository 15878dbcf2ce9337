/**
 * Every code that the library throws, with its meaning. It is public: docs/reference/errors.md has the same table, and a test keeps both equal.
 *
 * @example
 * ```ts
 * import { ERROR_CODES } from "tsallis";
 *
 * console.log(ERROR_CODES.ERR_LOSS); // a loss is not a number of size at most 1e300
 * ```
 */
export const ERROR_CODES = {
  ERR_PARAMETER: "a parameter is outside its range or of the wrong type",
  ERR_MISSING: "a required parameter is missing",
  ERR_UNKNOWN_KEY: "a spec has an unknown key",
  ERR_UNKNOWN_NAME: "no policy, distribution, environment or bound has that name",
  ERR_ARM: "an arm is not an integer from 0 to arms - 1",
  ERR_ROUND: "a round is not a positive integer, or lies beyond a recorded table",
  ERR_LOSS: "a loss is not a number of size at most 1e300",
  ERR_PROBABILITY: "a forced arm has a probability below 1e-300",
  ERR_KNOWN_COSTS: "the policy has no probabilities that `knownCosts` or `except` could change",
  ERR_HORIZON: "the policy has played all the rounds it was made for",
  ERR_CHOICE: "a Choice has a broken field",
  ERR_FOREIGN_CHOICE: "a Choice was made by a policy with another spec, number of arms or arm-set version",
  ERR_FUTURE_CHOICE: "a Choice carries a round that the policy has not reached",
  ERR_OVERFLOW: "an accumulated loss estimate would leave the range of a double",
  ERR_REARRANGE: "the policy cannot go on with other arms",
  ERR_SNAPSHOT_VERSION: "a snapshot was written in another format version",
  ERR_SNAPSHOT: "a snapshot has a broken field",
} as const;

/** A code of a TsallisError. */
export type ErrorCode = keyof typeof ERROR_CODES;

/**
 * The library's only error: a public code, the name of the offending parameter, its value, and a message that says what to do.
 *
 * @example
 * ```ts
 * import { HTINF, TsallisError } from "tsallis";
 *
 * try {
 *   new HTINF({ arms: 3, alpha: 3, sigma: 1 });
 * } catch (error) {
 *   if (error instanceof TsallisError) console.log(error.code, error.message); // ERR_PARAMETER alpha must be in (1, 2], got 3
 * }
 * ```
 */
export class TsallisError extends Error {
  override readonly name = "TsallisError";

  constructor(
    readonly code: ErrorCode,
    /** The offending parameter, with its path inside a spec: `arms[2].shape`. */
    readonly parameter: string,
    readonly value: unknown,
    message: string,
    /** The names that would be right, where there is a list of them. */
    readonly known: readonly string[] = [],
  ) {
    super(message);
  }
}

/** A value as a message shows it: short, and with "1" distinct from 1. */
export function show(value: unknown): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  let text: string | undefined;
  try {
    text = JSON.stringify(value, (_key, item) => (typeof item === "number" && !Number.isFinite(item) ? String(item) : item));
  } catch {
    text = undefined;
  }
  text ??= String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
