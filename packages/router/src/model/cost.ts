import { LARGEST_LOSS } from "tsallis";
import { RouterError, show } from "../routerError.js";
import { placeOf, type Upstream } from "./upstream.js";

/** What upstreams cost besides latency and failures, in units of the loss, such as money or distance: by their names, 0 for those left out; or by a function of the name. */
export type CostRule = Readonly<Record<string, number>> | ((upstream: string) => number);

/** The cost of an upstream, which is checked whenever it is asked for. */
export type CostOf = (upstream: Upstream) => number;

/** Reads the user's costs. */
export function readCost(given: unknown, upstreams: readonly Upstream[]): CostOf | null {
  if (given === undefined) return null;
  if (typeof given === "function") return ({ name }) => checked(given(name), name);
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    const message = `cost must be an object of numbers by upstream, or a function of an upstream, got ${show(given)}`;
    throw new RouterError("ERR_OPTION", "cost", given, message);
  }
  const costs = new Map<string, number>();
  for (const [name, value] of Object.entries(given)) {
    const place = placeOf(name);
    if (place === null || !upstreams.some((upstream) => upstream.place === place)) {
      const message = `cost names ${show(name)}, which is not among the upstreams; for those that are added later, give a function`;
      throw new RouterError("ERR_OPTION", "cost", name, message);
    }
    costs.set(place, checked(value, name));
  }
  return ({ place }) => costs.get(place) ?? 0;
}

function checked(value: unknown, name: string): number {
  if (typeof value === "number" && value >= 0 && value <= LARGEST_LOSS) return value;
  throw new RouterError("ERR_OPTION", "cost", value, `the cost of ${show(name)} must be a number in [0, ${LARGEST_LOSS}], got ${show(value)}`);
}
