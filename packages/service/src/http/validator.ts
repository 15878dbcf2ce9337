import type { FastifySchemaCompiler } from "fastify";
import { TsallisError } from "tsallis";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import Value from "typebox/value";
import { MOST_ARMS } from "../schemas.js";
import { ServiceError } from "../serviceError.js";

/** No document needs more, and what walks through a value calls itself for each level. */
const DEEPEST = 20;
/** No list and no object has more entries, and complaints take their time with each. */
const MOST_ENTRIES = MOST_ARMS;

/** Checks bodies, names and queries by their schemas. Only the text of a query is turned into numbers. */
export const validator: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  const shape = schema as TSchema;
  const problemOf = shapeCheck(shape);
  return (data: unknown) => {
    const value = httpPart === "querystring" ? Value.Default(shape, withNumbers(shape, data as Record<string, unknown>)) : data;
    const error = problemOf(value);
    return error === undefined ? { value } : { error };
  };
};

/** What is wrong with a value by a schema, in words; undefined if nothing is. */
export function shapeCheck(schema: TSchema): (value: unknown) => Error | undefined {
  const [shape, distinct] = withoutDistinct(schema);
  const compiled = Compile(shape);
  return (value) => {
    const excess = excessOf(value, DEEPEST);
    if (excess !== undefined) return new ServiceError("ERR_BODY", excess);
    if (!compiled.Check(value)) return complaint(compiled.Errors(value), value);
    return repetition(value as Record<string, unknown>, distinct);
  };
}

/** A query with its numbers as such. Other spellings, such as 0x10, 1e3 or nothing at all, stay text, and are refused. */
function withNumbers(schema: TSchema, query: Record<string, unknown>): Record<string, unknown> {
  const { properties } = schema as unknown as { properties: Record<string, { type?: string }> };
  const forms: Readonly<Record<string, RegExp>> = { integer: /^\d+$/, number: /^\d+(\.\d+)?$/ };
  const read = (key: string, text: unknown) => (forms[properties[key]?.type ?? ""]?.test(String(text)) ? Number(text) : text);
  return Object.fromEntries(Object.entries(query).map(([key, text]) => [key, typeof text === "string" ? read(key, text) : text]));
}

/** What a value has too much of. */
function excessOf(value: unknown, deepest: number): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (deepest === 0) return `the body is nested more than ${DEEPEST} deep`;
  const entries = Object.values(value);
  if (entries.length > MOST_ENTRIES) return `the body has ${entries.length} entries in one place, and nothing takes more than ${MOST_ENTRIES}`;
  for (const inner of entries) {
    const excess = excessOf(inner, deepest - 1);
    if (excess !== undefined) return excess;
  }
  return undefined;
}

/** A schema without uniqueItems, and the keys that had it: the library looks for repetitions in a time that grows with the square of their number. */
function withoutDistinct(schema: TSchema): [shape: TSchema, keys: string[]] {
  const { properties } = schema as { properties?: Record<string, { uniqueItems?: boolean }> };
  const keys = Object.keys(properties ?? {}).filter((key) => properties![key]!.uniqueItems === true);
  if (keys.length === 0) return [schema, []];
  const without = keys.map((key) => {
    const { uniqueItems: _, ...rest } = properties![key]!;
    return [key, rest] as const;
  });
  return [{ ...schema, properties: { ...properties, ...Object.fromEntries(without) } } as TSchema, keys];
}

function repetition(value: Record<string, unknown>, keys: readonly string[]): ServiceError | undefined {
  for (const parameter of keys) {
    const items = (value[parameter] ?? []) as readonly unknown[];
    const seen = new Set();
    for (const item of items) {
      if (seen.has(item)) return new ServiceError("ERR_BODY", `${parameter} must not have an item twice, got ${show(item)} twice`, { parameter });
      seen.add(item);
    }
  }
  return undefined;
}

interface Found {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/** The first complaint, in words. */
function complaint(errors: readonly Found[], value: unknown): Error {
  // The one about a key that nobody reads comes after one that says only "false".
  const first = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0]!;
  const parameter = first.instancePath.slice(1).replaceAll("/", ".");
  const name = parameter === "" ? "the body" : parameter;
  const got = show(at(value, first.instancePath));
  if (/(^|\.)(loss|reward)$/.test(parameter)) {
    return new TsallisError("ERR_LOSS", parameter, undefined, `${parameter} must be a number of size at most 1e300, got ${got}`);
  }
  if (first.keyword === "additionalProperties") {
    const { additionalProperties: unknown } = first.params as { additionalProperties: readonly string[] };
    const known = parameter === "" ? unknown : unknown.map((key) => `${parameter}.${key}`);
    return new ServiceError("ERR_BODY", `${known.map(show).join(", ")}: unknown ${known.length === 1 ? "key" : "keys"}`, {
      parameter: known[0]!,
    });
  }
  const [wanted] = [...wants(errors, first)];
  return new ServiceError("ERR_BODY", `${name} ${wanted}, got ${got}`, parameter === "" ? {} : { parameter });
}

/** What a value must be. */
function* wants(errors: readonly Found[], { keyword, message, params, instancePath }: Found): Iterable<string> {
  if (keyword === "enum") yield `must be one of ${(params as { allowedValues: readonly unknown[] }).allowedValues.join(", ")}`;
  const here = errors.filter((error) => error.instancePath === instancePath && error.keyword !== "anyOf");
  const constant = here.find((error) => error.keyword === "const");
  // One word or a number: what is said last is about the number.
  if (constant !== undefined) yield `must be ${show((constant.params as { allowedValue: unknown }).allowedValue)}, or ${here.at(-1)!.message}`;
  if (keyword === "minProperties") yield "has too few keys";
  if (keyword === "maxProperties") yield "has too many keys: either loss or reward";
  yield message;
}

function at(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const key of path.split("/").slice(1)) found = (found as Record<string, unknown> | undefined)?.[key];
  return found;
}

function show(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing");
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
