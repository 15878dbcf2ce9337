import { RouterError, show } from "../routerError.js";

/** A step upwards before the query, in any spelling that somebody may take for one: encoded dots and slashes, backslashes. */
const UPWARDS = /^[^?#]*(?:[/\\]|%2f|%5c)(?:\.|%2e){2}(?:$|[/\\?#]|%2f|%5c)/i;

/**
 * Refuses a path that could leave the base path of an upstream. Whether it really would depends on who reads it: some servers decode slashes, and some
 * merge them. So every step upwards is refused, even one that would stay below the base path.
 */
export function requireWithin(path: string): void {
  // URLs ignore tabs and line breaks.
  if (UPWARDS.test(path.replace(/[\t\n\r]/g, ""))) throw refusal(path, 'must not contain a step upwards ("..") where an upstream has a base path');
}

/** Refuses what is not a path, such as a whole URL, which would replace the base path. */
export function requirePath(path: unknown): asserts path is string {
  if (typeof path !== "string" || path[0] !== "/") throw refusal(path, 'must begin with a slash, such as "/v1/items?page=2"');
}

function refusal(path: unknown, wanted: string): RouterError {
  return new RouterError("ERR_PATH", "path", path, `path ${wanted}, got ${show(path)}`);
}
