import { RouterError, show } from "../routerError.js";

/** What undici takes in place of a URL. */
export interface UrlLike {
  /** "http:" or "https:". */
  readonly protocol: string;
  readonly hostname: string;
  /** Default: that of the protocol. */
  readonly port?: number | string | null;
  /** The base path. Default: none. */
  readonly path?: string | null;
  /** The Unix socket of this upstream. Each such upstream needs a host name of its own, which is sent as the header `host`. */
  readonly socketPath?: string;
}

/** A destination for requests. */
export interface Upstream {
  /** A string as the user gave it, an object as its origin and path. */
  readonly name: string;
  /** The origin of its URL; null if the upstream is only a name. */
  readonly origin: string | null;
  /** Null: a host and a port. */
  readonly socketPath: string | null;
  /** The prefix of every request's path: "" or "/base". */
  readonly base: string;
  /** The same for two spellings of one upstream, and for no others. */
  readonly place: string;
}

/** Reads the user's upstreams: different http(s) URLs, or different names; a single one needs no list. */
export function readUpstreams(given: unknown): readonly Upstream[] {
  const list: unknown[] = Array.isArray(given) ? given : [given];
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
  const text = given instanceof URL ? given.href : isUrlLike(given) ? textOf(given) : given;
  if (typeof text !== "string" || text.trim() === "") throw refusal(given, `${parameter} must be a URL or a name, got ${show(given)}`, parameter);
  if (typeof given === "string" && !/^https?:/i.test(text)) return { name: text, origin: null, socketPath: null, base: "", place: text };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    const message = `${parameter} must be a URL such as "https://a.example" or "https://a.example/base", without user, query or hash, got ${show(given)}`;
    throw refusal(given, message, parameter);
  }
  const base = url.pathname.replace(/\/+$/, "");
  const socketPath = isUrlLike(given) ? (given.socketPath ?? null) : null;
  return { name: typeof given === "string" ? given : url.origin + base, origin: url.origin, socketPath, base, place: url.origin + base };
}

function isUrlLike(given: unknown): given is UrlLike {
  if (typeof given !== "object" || given === null || given instanceof URL) return false;
  const { protocol, hostname, port, path, socketPath } = given as Record<string, unknown>;
  const isOptional = (value: unknown) => value === undefined || value === null || typeof value === "string";
  return (
    typeof protocol === "string" &&
    typeof hostname === "string" &&
    (typeof port === "number" || isOptional(port)) &&
    isOptional(path) &&
    isOptional(socketPath)
  );
}

function textOf({ protocol, hostname, port, path }: UrlLike): string {
  return `${protocol}//${hostname}${port === undefined || port === null ? "" : `:${port}`}${path ?? ""}`;
}

function refusal(value: unknown, message: string, parameter = "upstreams"): RouterError {
  return new RouterError("ERR_UPSTREAMS", parameter, value, message);
}
