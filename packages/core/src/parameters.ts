import type { DetailedDistribution } from "./distributions/distribution.js";
import { show, TsallisError } from "./errors.js";

/** @inline */
interface Bounds {
  /** Exclusive lower bound. */
  readonly above?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** What one parameter of a policy, distribution or environment accepts. It is data, so that errors, listings and schemas all read the same table. */
export type Parameter = { readonly description: string } & (
  | ({ readonly type: "number"; readonly default?: number; readonly optional?: true } & Bounds)
  | ({ readonly type: "integer"; readonly default?: number } & Bounds)
  | { readonly type: "name"; readonly names: readonly string[]; readonly default?: string; readonly optional?: true }
  | { readonly type: "distribution" }
  | { readonly type: "distributions"; readonly minimum: number }
  | ({ readonly type: "numbers"; readonly minimum: number } & Bounds)
  | { readonly type: "table"; readonly minimum: number }
);

/** A table of parameters, by name. */
export type Parameters = Readonly<Record<string, Parameter>>;

interface ValueTypes {
  number: number;
  integer: number;
  distribution: DetailedDistribution;
  distributions: readonly DetailedDistribution[];
  numbers: readonly number[];
  table: readonly (readonly number[])[];
}

/** The options after completion: every parameter that is not optional is present, checked and typed. @inline */
export type Completed<P extends Parameters> = { readonly [K in Exclude<keyof P, OptionalIn<P>>]: ValueOf<P[K]> } & {
  readonly [K in OptionalIn<P>]?: ValueOf<P[K]>;
};

/** The options before completion: a parameter that is optional or has a default may be left out. @inline */
export type Given<P extends Parameters> = { readonly [K in Exclude<keyof P, OmissibleIn<P>>]: ValueOf<P[K]> } & {
  readonly [K in OmissibleIn<P>]?: ValueOf<P[K]>;
};

type OptionalIn<P extends Parameters> = { [K in keyof P]: P[K] extends { optional: true } ? K : never }[keyof P];

type OmissibleIn<P extends Parameters> = { [K in keyof P]: P[K] extends { optional: true } | { default: unknown } ? K : never }[keyof P];

type ValueOf<P extends Parameter> = P extends { type: "name"; names: readonly (infer Name)[] } ? Name : ValueTypes[Exclude<P["type"], "name">];

/**
 * Checks untyped options against their table, once, where they enter the library. Unknown keys, missing values and values
 * outside their range throw; nothing is repaired. `path` is put before each name in messages.
 */
export function completeOptions<P extends Parameters>(parameters: P, options: unknown, path = ""): Completed<P> {
  const given = requireRecord(options, path);
  requireKeys(given, Object.keys(parameters), path);
  const completed: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const fallback = "default" in parameter ? parameter.default : undefined;
    const value = given[name] === undefined ? fallback : given[name];
    if (value === undefined && "optional" in parameter) continue;
    if (value === undefined) {
      throw new TsallisError(
        "ERR_MISSING",
        path + name,
        undefined,
        `${path}${name} is missing: it must be ${range(parameter)} (${parameter.description})`,
      );
    }
    completed[name] = readValue(parameter, value, path + name);
  }
  return completed as Completed<P>;
}

/** Refuses a key that is not among the known ones. */
export function requireKeys(given: Readonly<Record<string, unknown>>, known: readonly string[], path = ""): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const remedy = known.length > 0 ? `known keys: ${known.join(", ")}` : "no keys are known here";
    throw new TsallisError("ERR_UNKNOWN_KEY", path + key, given[key], `unknown key ${path}${key}; ${remedy}`, known);
  }
}

/** A plain object from outside, or an error that says what was given instead. */
export function requireRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const name = path.replace(/\.$/, "") || "options";
    throw new TsallisError("ERR_PARAMETER", name, value, `${name} must be an object, got ${show(value)}`);
  }
  return value as Record<string, unknown>;
}

function readValue(parameter: Parameter, value: unknown, name: string): unknown {
  if (parameter.type === "distributions" && Array.isArray(value)) {
    const distribution = { type: "distribution", description: parameter.description } as const;
    for (const [i, item] of value.entries()) readValue(distribution, item, `${name}[${i}]`);
  }
  if (accepts(parameter, value)) {
    return Array.isArray(value) ? Object.freeze(value.map((item) => (Array.isArray(item) ? Object.freeze([...item]) : item))) : value;
  }
  throw new TsallisError("ERR_PARAMETER", name, value, `${name} must be ${range(parameter)}, got ${show(value)}`);
}

export function accepts(parameter: Parameter, value: unknown): boolean {
  switch (parameter.type) {
    case "number":
      return Number.isFinite(value) && within(parameter, value as number);
    case "integer":
      return Number.isSafeInteger(value) && within(parameter, value as number);
    case "name":
      return typeof value === "string" && parameter.names.includes(value);
    case "distribution":
      return isDetailedDistribution(value);
    case "distributions":
      return Array.isArray(value) && value.length >= parameter.minimum && value.every(isDetailedDistribution);
    case "numbers":
      return Array.isArray(value) && value.length >= parameter.minimum && value.every((item) => Number.isFinite(item) && within(parameter, item));
    case "table":
      return (
        Array.isArray(value) &&
        value.length >= parameter.minimum &&
        value.every(
          (row) =>
            Array.isArray(row) && row.length > 0 && row.length === (value[0] as unknown[]).length && row.every((item) => Number.isFinite(item)),
        )
      );
  }
}

function within({ above, atLeast, atMost }: Bounds, value: number): boolean {
  return !(above !== undefined && value <= above) && !(atLeast !== undefined && value < atLeast) && !(atMost !== undefined && value > atMost);
}

/**
 * Whether a value is a distribution that this library made. A foreign object with the same public methods would have no spec that rebuilds it, and no tails from which the
 * combinators compute moments.
 */
export function isDetailedDistribution(value: unknown): value is DetailedDistribution {
  return typeof value === "object" && value !== null && "momentAbout" in value && "truncatedNonNegativity" in value;
}

/** The values that a parameter accepts, in words: "in (1, 2]". */
export function range(parameter: Parameter): string {
  switch (parameter.type) {
    case "number":
      return interval(parameter) ?? "a finite number";
    case "integer":
      return parameter.atMost === undefined ? `an integer of at least ${parameter.atLeast}` : `an integer ${interval(parameter)}`;
    case "name":
      return `one of ${parameter.names.join(", ")}`;
    case "distribution":
      return "a distribution made by this library, such as pareto({ shape, scale })";
    case "distributions":
      return `a list of at least ${parameter.minimum} distributions`;
    case "numbers": {
      const each = interval(parameter);
      return `a list of at least ${parameter.minimum} finite numbers${each === undefined ? "" : `, each ${each}`}`;
    }
    case "table":
      return `a list of at least ${parameter.minimum} rows of finite numbers, all of one length`;
  }
}

function interval({ above, atLeast, atMost }: Bounds): string | undefined {
  const low = above ?? atLeast;
  if (low === undefined) return undefined;
  if (atMost === undefined) return above === undefined ? `a finite number of at least ${low}` : `a finite number above ${low}`;
  return `in ${above === undefined ? "[" : "("}${low}, ${atMost}]`;
}
