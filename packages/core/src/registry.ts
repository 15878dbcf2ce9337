import { show, TsallisError } from "./errors.js";
import { accepts, type Parameter, type Parameters, range, requireKeys, requireRecord } from "./parameters.js";

/** Splits a spec such as `{ policy: "htinf", alpha: 1.5 }` into the table's entry of that name and the remaining options. */
export function lookUp<Entry>(
  kind: string,
  table: Readonly<Record<string, Entry>>,
  spec: unknown,
  path: string,
): { entry: Entry; options: Record<string, unknown> } {
  const { [kind]: name, ...options } = requireRecord(spec, path === "" ? "spec" : path);
  const names = Object.keys(table);
  const known = names.join(", ");
  if (name === undefined) throw new TsallisError("ERR_MISSING", path + kind, undefined, `${path}${kind} is missing: name one of ${known}`);
  if (!(typeof name === "string" && Object.hasOwn(table, name))) {
    throw new TsallisError("ERR_UNKNOWN_NAME", path + kind, name, `${path}${kind} must be one of ${known}, got ${show(name)}`, names);
  }
  return { entry: table[name]!, options };
}

/** The part of an entry that policies and environments have in common. */
interface OwnEntry {
  readonly parameters: Parameters;
  readonly description: string;
  create(...given: never[]): unknown;
}

const TYPES: readonly Parameter["type"][] = ["number", "integer", "name", "distribution", "distributions", "numbers", "table"];

const KEYS = ["type", "description", "default", "optional", "above", "atLeast", "atMost", "names", "minimum"];

/** Adds a user's entry to a registry's table, under a name that is still free, as what `complete` makes of it. `more` are the keys of its kind alone. */
export function register<Own extends OwnEntry, Entry>(
  kind: string,
  table: Readonly<Record<string, Entry>>,
  name: string,
  entry: Own,
  more: readonly string[],
  complete: (entry: Own) => Entry,
): void {
  if (!(typeof name === "string" && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))) {
    throw new TsallisError("ERR_PARAMETER", "name", name, `name must be in kebab-case, such as my-${kind}, got ${show(name)}`);
  }
  if (Object.hasOwn(table, name)) {
    throw new TsallisError("ERR_PARAMETER", "name", name, `the ${kind} ${name} exists already; choose another name`);
  }
  const of = `the ${kind} ${name}`;
  const members = requireRecord(entry, of);
  const { parameters, description, create } = members;
  requireKeys(members, ["parameters", "description", "create", ...more], `${name}.`);
  requireMember(of, "parameters", parameters, isRecord(parameters), "a table of parameters by name, {} if there are none");
  for (const [key, parameter] of Object.entries(parameters as Parameters)) {
    requireMember(of, `parameters.${key}`, parameter, isRecord(parameter), "an object with a type and a description");
    const given: Record<string, unknown> = { ...parameter };
    requireKeys(given, KEYS, `${name}.parameters.${key}.`);
    const { type, description: text, names, default: fallback } = given;
    requireMember(of, `parameters.${key}.type`, type, TYPES.includes(type as Parameter["type"]), `one of ${TYPES.join(", ")}`);
    requireMember(of, `parameters.${key}.description`, text, typeof text === "string", "a text");
    requireMember(of, `parameters.${key}.names`, names, type !== "name" || Array.isArray(names), "a list of the names");
    if (fallback !== undefined) requireMember(of, `parameters.${key}.default`, fallback, accepts(parameter, fallback), range(parameter));
  }
  requireMember(of, "description", description, typeof description === "string", "a text");
  requireMember(of, "create", create, typeof create === "function", `a function that makes the ${kind}`);
  (table as Record<string, Entry>)[name] = complete(entry);
}

/** Refuses a member of something that a user wrote. `of` says what it is a member of. */
export function requireMember(of: string, member: string, value: unknown, isGood: boolean, wanted: string): void {
  if (!isGood) throw refusal(of, member, value, wanted);
}

export function refusal(of: string, member: string, value: unknown, wanted: string): TsallisError {
  return value === undefined
    ? new TsallisError("ERR_MISSING", member, undefined, `${of} has no ${member}: it must be ${wanted}`)
    : new TsallisError("ERR_PARAMETER", member, value, `${member} of ${of} must be ${wanted}, got ${show(value)}`);
}

/** Calls a user's code. An error that is not the library's says whose it is and where it was thrown, so that it is not taken for a bug of the library. */
export function calling<T>(of: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof TsallisError) throw error;
    const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    // Without its folder: results are the same on every machine, and an error may become one of them.
    const place = /\n\s+(at .*)/.exec(stack)?.[1]?.replace(/(file:|\/|[A-Z]:\\).*[\\/]/, "") ?? "at an unknown place";
    throw new TsallisError("ERR_PARAMETER", "create()", error, `${of} threw ${name}: ${message} (${place})`);
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
