/** What the address after # names: the list, or one bandit, perhaps one of its segments and one of its decisions. "" stands for none. */
export type Route =
  | { readonly page: "list" }
  | { readonly page: "bandit"; readonly name: string; readonly segment: string; readonly decision: string };

const LIST: Route = { page: "list" };

export function parseRoute(hash: string): Route {
  const found = /^#\/b\/([^?/]+)(?:\?(.*))?$/.exec(hash);
  if (found === null) return LIST;
  const query = new URLSearchParams(found[2] ?? "");
  try {
    return { page: "bandit", name: decodeURIComponent(found[1]!), segment: query.get("segment") ?? "", decision: query.get("decision") ?? "" };
  } catch {
    return LIST;
  }
}

export function banditAddress(name: string, { segment = "", decision = "" }: { segment?: string; decision?: string } = {}): string {
  const query = new URLSearchParams();
  if (segment !== "") query.set("segment", segment);
  if (decision !== "") query.set("decision", decision);
  const text = query.toString();
  return `#/b/${encodeURIComponent(name)}${text === "" ? "" : `?${text}`}`;
}
