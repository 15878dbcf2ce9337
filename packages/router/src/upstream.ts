import { RouterError, show } from "./routerError.js";

/** A destination for requests. */
export interface Upstream {
  /** As the user gave it. */
  readonly name: string;
  /** The origin of its URL; null if the upstream is only a name. */
  readonly origin: string | null;
  /** The prefix of every request's path: "" or "/base". */
  readonly base: string;
}

/** Reads the user's upstreams: two or more different http(s) URLs, or two or more different names. */
export function readUpstreams(given: unknown): readonly Upstream[] {
  if (!Array.isArray(given)) throw refusal(given, `upstreams must be a list of URLs or names, got ${show(given)}`);
  if (given.length < 2) {
    throw refusal(
      given,
      `upstreams must be at least two, got ${given.length}; with ${given.length === 0 ? "none" : "one"} there is nothing to choose`,
    );
  }
  const upstreams = given.map((item, i) => readUpstream(item, `upstreams[${i}]`));
  const seen = new Map<string, string>();
  for (const [i, { name, origin, base }] of upstreams.entries()) {
    if ((origin === null) !== (upstreams[0]!.origin === null)) {
      throw refusal(given, `upstreams[${i}] is ${show(name)}, but upstreams[0] is ${show(given[0])}: give URLs only, or names only`);
    }
    const place = origin === null ? name : origin + base;
    const twin = seen.get(place);
    if (twin !== undefined) throw refusal(given, `upstreams[${i}] is ${show(name)}, which is the same as ${show(twin)}; give each upstream once`);
    seen.set(place, name);
  }
  return upstreams;
}

function readUpstream(given: unknown, parameter: string): Upstream {
  if (typeof given !== "string" || given.trim() === "") throw refusal(given, `${parameter} must be a URL or a name, got ${show(given)}`, parameter);
  if (!/^https?:/i.test(given)) return { name: given, origin: null, base: "" };
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    const message = `${parameter} must be a URL such as "https://a.example" or "https://a.example/base", without user, query or hash, got ${show(given)}`;
    throw refusal(given, message, parameter);
  }
  return { name: given, origin: url.origin, base: url.pathname.replace(/\/+$/, "") };
}

function refusal(value: unknown, message: string, parameter = "upstreams"): RouterError {
  return new RouterError("ERR_UPSTREAMS", parameter, value, message);
}
