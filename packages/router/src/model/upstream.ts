import { RouterError, show } from "../routerError.js";

/** A destination for requests. */
export interface Upstream {
  /** A string as the user gave it, a URL object as its origin and path. */
  readonly name: string;
  /** The origin of its URL; null if the upstream is only a name. */
  readonly origin: string | null;
  /** The prefix of every request's path: "" or "/base". */
  readonly base: string;
  /** The same for two spellings of one upstream, and for no others. */
  readonly place: string;
}

/** Reads the user's upstreams: one or more different http(s) URLs, or one or more different names; a single one needs no list. */
export function readUpstreams(given: unknown): readonly Upstream[] {
  const list: unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw refusal(given, "upstreams must be at least one URL or name, got none");
  const upstreams = list.map((item, i) => readUpstream(item, Array.isArray(given) ? `upstreams[${i}]` : "upstreams"));
  requireDifferent(upstreams);
  return upstreams;
}

/** Refuses a list in which an upstream occurs twice, or in which URLs and names are mixed. */
export function requireDifferent(upstreams: readonly Upstream[]): void {
  const seen = new Map<string, string>();
  for (const [i, { name, origin, place }] of upstreams.entries()) {
    if ((origin === null) !== (upstreams[0]!.origin === null)) {
      throw refusal(name, `upstreams[${i}] is ${show(name)}, but upstreams[0] is ${show(upstreams[0]!.name)}: give URLs only, or names only`);
    }
    const twin = seen.get(place);
    if (twin !== undefined) throw refusal(name, `upstreams[${i}] is ${show(name)}, which is the same as ${show(twin)}; give each upstream once`);
    seen.set(place, name);
  }
}

/** The place of an upstream by any spelling; null if it cannot be one. */
export function placeOf(name: unknown): string | null {
  try {
    return readUpstream(name, "upstream").place;
  } catch {
    return null;
  }
}

function readUpstream(given: unknown, parameter: string): Upstream {
  const text = given instanceof URL ? given.href : given;
  if (typeof text !== "string" || text.trim() === "") throw refusal(given, `${parameter} must be a URL or a name, got ${show(given)}`, parameter);
  if (typeof given === "string" && !/^https?:/i.test(text)) return { name: text, origin: null, base: "", place: text };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    const message = `${parameter} must be a URL such as "https://a.example" or "https://a.example/base", without user, query or hash, got ${show(given)}`;
    throw refusal(given, message, parameter);
  }
  const base = url.pathname.replace(/\/+$/, "");
  return { name: typeof given === "string" ? given : url.origin + base, origin: url.origin, base, place: url.origin + base };
}

function refusal(value: unknown, message: string, parameter = "upstreams"): RouterError {
  return new RouterError("ERR_UPSTREAMS", parameter, value, message);
}
