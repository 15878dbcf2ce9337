/** Shorter lists stay as they are. */
const FEWEST = 64;

/** What is JSON, with its long lists of numbers as typed arrays: of a plain one that stays in memory, the garbage collector looks at every number. */
export function toTyped(value: unknown): unknown {
  if (Array.isArray(value) && value.length >= FEWEST && value.every((one) => typeof one === "number")) return Float64Array.from(value as number[]);
  return mapped(value, toTyped);
}

/** What `toTyped` was given. */
export function toPlain(value: unknown): unknown {
  return value instanceof Float64Array ? Array.from(value) : mapped(value, toPlain);
}

/** A list or an object with `change` done to what is in it; anything else as it is. */
function mapped(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}
