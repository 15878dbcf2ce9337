import { type Environment, POLICIES, type PolicySpec } from "tsallis";
import type { View } from "./view.js";

/** A policy on the terms of its recommendation: in worlds that meet its condition, and with the true values of the parameters that it needs. */
export interface Entrant {
  readonly view: View;
  /** The true values that it gets, in words. */
  readonly told: string;
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
  of: (environment) => Math.sqrt(Math.max(...Array.from({ length: environment.arms }, (_, arm) => environment.law(1, arm).variance))),
};

/** Follows what the table of policies says that the policy needs. Values in the spec itself are kept. */
export function entrantOf(spec: PolicySpec): Entrant {
  const { needs = [], centred } = (Object.hasOwn(POLICIES, spec.policy) ? POLICIES[spec.policy] : undefined) ?? {};
  // For Thompson sampling, sigma is the standard deviation of the noise.
  const sigma = spec.policy === "thompson" || centred?.(spec) ? DEVIATION : RAW_SIGMA;
  const truths = Object.entries({ alpha: ALPHA, sigma, horizon: HORIZON } as const).filter(([name]) => {
    return needs.some((need) => need === name) && spec[name] === undefined;
  });
  return {
    view: needs.includes("bounded-losses")
      ? "mapped to [0, 1]"
      : needs.includes("truncated-non-negative")
        ? "shifted to be non-negative"
        : "as they are",
    told: truths.map(([, { text }]) => text).join(", ") || "nothing",
    spec: (environment, rounds) => ({ ...spec, ...Object.fromEntries(truths.map(([name, { of }]) => [name, of(environment, rounds)])) }),
  };
}
