export const PERIODS = { "15m": "15 minutes", "1h": "1 hour", "24h": "24 hours", "7d": "7 days", "30d": "30 days" } as const;
export type Period = keyof typeof PERIODS;
const MINUTES: Readonly<Record<Period, number>> = { "15m": 15, "1h": 60, "24h": 1_440, "7d": 10_080, "30d": 43_200 };
const DEFAULT: Period = "1h";

/** One bandit, perhaps one of its segments and one of its decisions, and a period up to a moment. "" stands for none, or for now. */
export interface BanditRoute {
  readonly page: "bandit";
  readonly name: string;
  readonly segment: string;
  readonly decision: string;
  readonly period: Period;
  readonly to: string;
}

/** What the address after # names: the list, or one bandit. */
export type Route = { readonly page: "list" } | BanditRoute;

const LIST: Route = { page: "list" };

export function parseRoute(hash: string): Route {
  const found = /^#\/b\/([^?/]+)(?:\?(.*))?$/.exec(hash);
  if (found === null) return LIST;
  const query = new URLSearchParams(found[2] ?? "");
  try {
    const text = (key: string) => query.get(key) ?? "";
    const period = text("period") in PERIODS ? (text("period") as Period) : DEFAULT;
    const to = Number.isNaN(Date.parse(text("to"))) ? "" : new Date(text("to")).toISOString();
    return { page: "bandit", name: decodeURIComponent(found[1]!), segment: text("segment"), decision: text("decision"), period, to };
  } catch {
    return LIST;
  }
}

export function banditAddress(name: string, own: Partial<Omit<BanditRoute, "page" | "name">> = {}): string {
  const { segment = "", decision = "", period = DEFAULT, to = "" } = own;
  const query = new URLSearchParams();
  if (segment !== "") query.set("segment", segment);
  if (decision !== "") query.set("decision", decision);
  if (period !== DEFAULT) query.set("period", period);
  if (to !== "") query.set("to", to);
  const text = query.toString();
  return `#/b/${encodeURIComponent(name)}${text === "" ? "" : `?${text}`}`;
}

/** A quarter of an hour with a moment in its middle, or one that ends now. */
export function around(at: string, now: number): { readonly period: Period; readonly to: string } {
  const end = Date.parse(at) + 7.5 * 60_000;
  return { period: "15m", to: end > now ? "" : new Date(end).toISOString() };
}

export function lengthOf(period: Period): number {
  return MINUTES[period] * 60_000;
}
