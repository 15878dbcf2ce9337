import { type Environment, POLICIES, type PolicySpec } from "tsallis";
import type { Kind } from "./kinds.js";
import type { View } from "./valuesEnvironment.js";

/**
 * A policy on the terms of its recommendation: in worlds that meet its condition, and with the true values of the parameters that it needs. Normal losses cannot be
 * mapped onto [0, 1], so worlds of rare events and of changes are the same for all. Where levels change, only the horizon is true of all rounds.
 */
export interface Entrant {
  readonly view: View;
  /** The true values that it gets, in words. */
  readonly requires: string;
  /** Its spec for a world, given in this view. */
  spec(environment: Environment, rounds: number): PolicySpec;
}

interface Truth {
  readonly text: string;
  of(environment: Environment, rounds: number): number;
}

const HORIZON: Truth = { text: "horizon", of: (_, rounds) => rounds };
const ALPHA: Truth = { text: "alpha = 2", of: ({ alpha }) => alpha };
const RAW_SIGMA: Truth = { text: "sigma = largest sqrt(E X^2)", of: (environment) => environment.sigma(2) };
const DEVIATION: Truth = {
  text: "sigma = largest deviation",
  of: (environment) => Math.sqrt(Math.max(...Array.from({ length: environment.arms }, (_, arm) => environment.distribution(1, arm).variance))),
};

/** Follows what the table of policies says that the policy needs. Values in the spec itself are kept. */
export function entrantOf(spec: PolicySpec, kind: Kind): Entrant {
  const { needs = [], centred } = (Object.hasOwn(POLICIES, spec.policy) ? POLICIES[spec.policy] : undefined) ?? {};
  // For Thompson sampling, sigma is the standard deviation of the noise.
  const sigma = spec.policy === "thompson" || centred?.(spec) ? DEVIATION : RAW_SIGMA;
  const known = kind === "changes" ? { horizon: HORIZON } : { alpha: ALPHA, sigma, horizon: HORIZON };
  const truths = Object.entries(known).filter(([name]) => {
    return needs.some((need) => need === name) && spec[name] === undefined;
  });
  return {
    view: kind === "values" ? viewFor(needs) : "as they are",
    requires: truths.map(([, { text }]) => text).join(", ") || "nothing",
    spec: (environment, rounds) => ({ ...spec, ...Object.fromEntries(truths.map(([name, { of }]) => [name, of(environment, rounds)])) }),
  };
}

function viewFor(needs: readonly string[]): View {
  if (needs.includes("bounded-losses")) return "mapped to [0, 1]";
  return needs.includes("truncated-non-negative") ? "shifted to be non-negative" : "as they are";
}
