import { show, TsallisError } from "./errors.js";
import { requireRecord } from "./parameters.js";

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

/** Adds a user's entry to a registry's table, under a name that is still free. */
export function register<Entry>(kind: string, table: Readonly<Record<string, Entry>>, name: string, entry: Entry): void {
  if (!(typeof name === "string" && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))) {
    throw new TsallisError("ERR_PARAMETER", "name", name, `name must be in kebab-case, such as my-${kind}, got ${show(name)}`);
  }
  if (Object.hasOwn(table, name)) {
    throw new TsallisError("ERR_PARAMETER", "name", name, `the ${kind} ${name} exists already; choose another name`);
  }
  (table as Record<string, Entry>)[name] = entry;
}
