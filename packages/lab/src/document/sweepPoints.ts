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

/** A copy of a document with one value replaced at the path. The path must exist already, because a sweep varies what the document says. */
export function withValue<T>(document: T, { path, value }: SweepPoint): T {
  const copy = structuredClone(document);
  let places: [holder: Record<string | number, unknown>, key: string | number][] = [[{ root: copy }, "root"]];
  for (const part of splitPath(path)) {
    places = places.flatMap(([holder, key]) => {
      const here = holder[key];
      if (typeof here !== "object" || here === null) return [];
      const inside = here as Record<string | number, unknown>;
      const keys = part === "*" ? Object.keys(inside) : Object.hasOwn(inside, part) ? [part] : [];
      return keys.map((each): [Record<string | number, unknown>, string | number] => [inside, each]);
    });
  }
  if (places.length === 0) throw new LabError("ERR_DOCUMENT", `sweep.path must lead to a value in the document, but ${path} does not exist there`);
  for (const [holder, key] of places) holder[key] = value;
  return copy;
}
