import {
  BOUND_ASSUMPTIONS,
  BOUNDS,
  type Bound,
  type BoundAssumption,
  type BoundProblem,
  type Environment,
  elementary,
  POLICIES,
  type PolicySpec,
  type Regime,
} from "tsallis";
import { reachOf } from "./reachOf.js";

/** A cell of an experiment as the theorems see it. */
export interface Situation {
  readonly environment: Environment;
  /** With `alpha`, `sigma` and `horizon` as the policy knows them. */
  readonly policy: PolicySpec;
  readonly horizon: number;
  /** Whether feedback is late. */
  readonly delayed: boolean;
  /** Whether the policy sees the losses scaled and shifted. */
  readonly rescaled: boolean;
}

/** An upper bound that is proved for the cell. */
export interface ApplicableBound {
  readonly id: string;
  readonly source: string;
  readonly formula: string;
  /** The value at the horizon; null if only the order of growth is proved, or if the value is too large for a double. */
  readonly value: number | null;
  /** The powers of the horizon and of its logarithm in the leading term. */
  readonly exponent: number;
  readonly logarithm: number;
  /** The bound on the regret up to a round. A bound that needs the horizon also holds before the horizon, but does not shrink. */
  at(round: number): number | null;
}

/** A bound for the policy that does not hold in the cell. */
export interface Objection {
  readonly id: string;
  readonly reasons: readonly string[];
}

/** What is proved for a policy in an environment, and why its other bounds do not apply. */
export interface Guarantee {
  readonly bounds: readonly ApplicableBound[];
  /** The smallest value; null if there is none. */
  readonly bound: { readonly id: string; readonly value: number } | null;
  /** The smallest power of the horizon; null if no bound applies. */
  readonly exponent: number | null;
  readonly outside: readonly Objection[];
  /** If no bound applies, the reasons against the closest one in words: "outside its guarantee here: ..."; null if one does. */
  readonly note: string | null;
}

const WIDTH: Readonly<Record<Regime, number>> = { stochastic: 1, "stochastically-constrained": 2, adversarial: 3 };

/**
 * Which of the published upper bounds on the policy's regret hold in this cell: the regime, the promises and the policy's parameters must all fit.
 */
export function applicableBounds(situation: Situation): Guarantee {
  const { environment, policy, horizon } = situation;
  const bounds: ApplicableBound[] = [];
  const outside: Objection[] = [];
  for (const bound of BOUNDS) {
    if (bound.kind !== "upper" || bound.policy !== policy.policy || !isAbout(bound, policy)) continue;
    const moment = momentOf(bound, situation);
    const against = objections(bound, moment, situation);
    if (against.length > 0) {
      outside.push({ id: bound.id, reasons: against });
      continue;
    }
    const problem: BoundProblem = {
      arms: environment.arms,
      horizon,
      alpha: moment.alpha!,
      // An environment whose losses are all 0 keeps every promise.
      sigma: Math.max(moment.sigma!, 1e-300),
      ...(bound.needsGaps && { gaps: environment.gaps! }),
    };
    const value = finite(bound.corrected(problem));
    const fixed = bound.assumptions.includes("horizon-known");
    bounds.push({
      id: bound.id,
      source: bound.source,
      formula: bound.formula.corrected!,
      value,
      exponent: bound.exponents.horizon(problem.alpha),
      logarithm: bound.exponents.logarithm(problem.alpha),
      at: (round) => (fixed ? value : finite(bound.corrected({ ...problem, horizon: round }))),
    });
  }
  const valued = bounds.flatMap(({ id, value }) => (value === null ? [] : [{ id, value }]));
  return {
    bounds,
    bound: valued.length === 0 ? null : valued.reduce((least, other) => (other.value < least.value ? other : least)),
    exponent: bounds.length === 0 ? null : Math.min(...bounds.map(({ exponent }) => exponent)),
    outside,
    note: bounds.length === 0 ? noteOn(outside) : null,
  };
}

/** A bound on one variant of a policy names the options of that variant. */
function isAbout(bound: Bound, policy: PolicySpec): boolean {
  return Object.entries(bound.options ?? {}).every(([key, value]) => (policy[key] ?? defaultOf(policy.policy, key)) === value);
}

function defaultOf(policy: string, key: string): unknown {
  const parameter = POLICIES[policy]?.parameters[key];
  return parameter !== undefined && "default" in parameter ? parameter.default : undefined;
}

/** The moment with which a theorem is applied; null if the policy does not know what the theorem needs. */
interface Moment {
  readonly alpha: number | null;
  /** Sigma of the raw moment, as in the bounds. */
  readonly sigma: number | null;
  /** The environment's sigma at alpha. */
  readonly promised: number;
}

/** The order and size that the policy knows, if any, otherwise the environment's promise. */
function momentOf({ assumptions }: Bound, { environment, policy }: Situation): Moment {
  const alpha = assumptions.includes("finite-variance") ? 2 : assumptions.includes("alpha-known") ? policy.alpha : environment.alpha;
  if (!(typeof alpha === "number" && alpha > 1 && alpha <= 2)) return { alpha: null, sigma: null, promised: Infinity };
  const promised = environment.sigma(alpha);
  if (!assumptions.includes("sigma-known")) return { alpha, sigma: promised, promised };
  return { alpha, sigma: typeof policy.sigma === "number" ? rawSigma(policy, policy.sigma, alpha) : null, promised };
}

/** Some policies take a bound on the centred moment; these come from E|X - mu|^alpha <= 2^(2-alpha) E|X|^alpha. */
function rawSigma(policy: PolicySpec, sigma: number, alpha: number): number {
  return POLICIES[policy.policy]?.centred?.(policy) ? sigma / elementary.pow(2, (2 - alpha) / alpha) : sigma;
}

function objections(bound: Bound, moment: Moment, situation: Situation): string[] {
  const { environment, policy, delayed, rescaled } = situation;
  const found: string[] = [];
  if (bound.formula.corrected === null) found.push("its published proof does not stand");
  if (policy.halfLife !== undefined) found.push("the policy forgets with a half-life, and the bound is proved for one that does not");
  if (policy.variant === "published" && bound.options?.estimator === "median-of-means")
    found.push("the published policy brings no arm to the samples that the deviation lemma of the median of means needs");
  if (delayed && policy.policy !== "delayed-tsallis-inf") found.push("feedback is late, and the bound is proved for immediate feedback");
  if (rescaled) found.push("losses are scaled and shifted with the seed, and the bound is proved for losses as they are");
  if (WIDTH[environment.regime] > WIDTH[bound.regime])
    found.push(`the environment is ${environment.regime}, and the bound covers ${bound.regime} ones`);
  else if (bound.needsGaps && environment.gaps === undefined) found.push("the bound needs gaps, and the environment promises none");
  for (const assumption of bound.assumptions) {
    const against = objection(assumption, moment, situation);
    if (against !== null && !found.includes(against)) found.push(against);
  }
  return found;
}

/** Why an assumption fails or is not known to hold; null if it holds. */
function objection(assumption: BoundAssumption, { alpha, sigma, promised }: Moment, { environment, policy, horizon }: Situation): string | null {
  switch (assumption) {
    // At the order with which the theorem is applied, which may differ from the environment's declared order.
    case "heavy-tailed":
    case "finite-variance":
      if (alpha === null || promised < Infinity) return null;
      return environment.assumptions.heavyTailed.holds === undefined ? `no bound on E|X|^${alpha} is promised` : `E|X|^${alpha} is infinite`;
    case "alpha-known":
      return alpha === null ? "the policy does not know alpha" : null;
    case "sigma-known":
      if (sigma === null) return alpha === null ? null : "the policy does not know sigma";
      // Promises are computed, so a sigma copied from one may differ in the last digits. Another objection covers an infinite promise.
      return sigma >= promised * (1 - 1e-12) || promised === Infinity
        ? null
        : `the policy is given sigma ${sigma}, below the ${promised} of the losses at alpha ${alpha}`;
    case "horizon-known":
      return policy.horizon === horizon ? null : `the policy is given the horizon ${String(policy.horizon)}, not ${horizon}`;
    case "truncated-non-negative":
      return wordsAgainst(environment.assumptions.truncatedNonNegative, "truncated non-negativity");
    case "unique-best-arm":
      return wordsAgainst(environment.assumptions.uniqueBestArm, "a unique best arm");
    case "bounded-losses":
      return within(reachOf(environment, horizon).losses) ? null : "losses leave [0, 1]";
    case "means-in-unit-interval":
      return within(reachOf(environment, horizon).means) ? null : "mean losses leave [0, 1]";
    case "horizon-at-least-arms":
      return horizon >= environment.arms && environment.arms >= 2 ? null : "the horizon is shorter than the number of arms";
    case "large-horizon":
      // Corrected values hold for every horizon, or are null.
      return null;
    default:
      return `not checked: ${BOUND_ASSUMPTIONS[assumption]}`;
  }
}

function wordsAgainst({ holds, reason }: Environment["assumptions"]["uniqueBestArm"], name: string): string | null {
  if (holds === true) return null;
  return `${name} ${holds === false ? "fails" : "is not known to hold"} (${reason})`;
}

function within([low, high]: readonly [number, number]): boolean {
  return low >= 0 && high <= 1;
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

function noteOn([first, ...others]: readonly Objection[]): string {
  if (first === undefined) return "no bound is known for this policy";
  const closest = others.reduce((least, other) => (other.reasons.length < least.reasons.length ? other : least), first);
  return `outside its guarantee here: ${closest.reasons.join("; ")}`;
}
