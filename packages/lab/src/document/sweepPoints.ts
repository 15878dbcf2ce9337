import { LabError } from "../labError.js";
import type { SweepAxis } from "./experiment.js";
import type { SweepPoint } from "./run.js";
import { splitPath } from "./splitPath.js";

/** Every value of every axis. */
export function sweepPoints(axes: readonly SweepAxis[]): SweepPoint[] {
  return axes.flatMap(({ path, values }) => values.map((value) => ({ path, value })));
}

/**
 * Whether a value at the path can change the runs of an environment. Each environment compares all policies. A path into another environment changes
 * nothing here; every other path (horizon, a policy's parameter) does.
 */
export function touches(path: string, environment: string): boolean {
  const [room, label] = splitPath(path);
  return room !== "environments" || label === "*" || String(label) === environment;
}

/**
 * A document with one value replaced at the path; it shares the rest with the given one. The path must exist already, because a sweep varies what the
 * document says.
 */
export function withValue<T>(document: T, { path, value }: SweepPoint): T {
  const copy = replaced(document, splitPath(path), value);
  if (copy === document) throw new LabError("ERR_DOCUMENT", `sweep.path must lead to a value in the document, but ${path} does not exist there`);
  return copy as T;
}

/** The same object if the path does not exist in it. */
function replaced(here: unknown, [part, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (part === undefined) return value;
  if (typeof here !== "object" || here === null) return here;
  const inside = here as Readonly<Record<string | number, unknown>>;
  const keys = part === "*" ? Object.keys(inside) : Object.hasOwn(inside, part) ? [part] : [];
  const changed = keys
    .map((key) => [key, replaced(inside[key], rest, value)] as const)
    .filter(([key, after]) => rest.length === 0 || after !== inside[key]);
  return changed.length === 0 ? here : Object.assign(Array.isArray(here) ? [...here] : { ...here }, Object.fromEntries(changed));
}
