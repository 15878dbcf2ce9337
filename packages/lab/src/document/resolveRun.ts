import {
  type Assumption,
  createEnvironment,
  type DistributionSpec,
  ENVIRONMENTS,
  type Environment,
  elementary,
  type Parameters,
  POLICIES,
  type PolicySpec,
} from "tsallis";
import type { Batches, Experiment, LabEnvironmentSpec } from "./experiment.js";
import { type Rescaling, rescalingOf } from "./rescaling.js";
import type { Run } from "./run.js";
import { PROMISED } from "./schema.js";
import { withValue } from "./sweepPoints.js";

/** Everything that is needed to play a run. */
export interface ResolvedRun {
  /** The environment with its arms in the order of the document, rotated or not; records and reports refer to these arms. */
  readonly environment: Environment;
  /** The policy with promises and horizon filled in. */
  readonly policy: PolicySpec;
  readonly horizon: number;
  readonly delay: number | DistributionSpec | Batches;
  /** Arm a of the policy is arm (a + rotation) mod K of the environment. */
  readonly rotation: number;
  /** How the policy sees the losses of the environment; null if as they are. */
  readonly rescaling: Rescaling | null;
}

/** What the document says about a run, with the sweep's value in place. `made` is its environment, if that has been created before. */
export function resolveRun(
  experiment: Pick<Experiment, "horizon" | "environments" | "policies">,
  { environment: label, policy, seed, sweep }: Pick<Run, "environment" | "policy" | "seed" | "sweep">,
  made?: Environment,
): ResolvedRun {
  const { horizon, environments, policies } = sweep === null ? experiment : withValue(experiment, sweep);
  const { delay = 0, rotate = false, rescale = false } = environments[label]!;
  const environment = made ?? environmentOf(environments[label]!, horizon, seed);
  const rotation = rotate ? seed % environment.arms : 0;
  const rescaling = rescale ? seedsRescaling(environment, seed) : null;
  return { environment, policy: fillPolicy(policies[policy]!, environment, horizon, rescaling), horizon, delay, rotation, rescaling };
}

/** Creates the core's environment from an experiment's spec. */
export function environmentOf({ delay: _, rotate: __, rescale, ...spec }: LabEnvironmentSpec, horizon: number, seed: number, path = ""): Environment {
  const asks = asksForHorizon(ENVIRONMENTS, spec.environment);
  const environment = createEnvironment(asks ? { horizon, ...spec } : spec, seed, path);
  return rescale ? Object.freeze({ ...environment, assumptions: { ...environment.assumptions, truncatedNonNegative: SHIFTED } }) : environment;
}

const SHIFTED: Assumption = Object.freeze({ holds: false, reason: "losses are shifted to either side, by an amount that depends on the seed" });

/** How a seed rescales the losses of an environment. */
export function seedsRescaling(environment: Environment, seed: number): Rescaling {
  return rescalingOf(promisedSigma(environment, environment.alpha), seed);
}

/**
 * A policy's spec with the words "promised" replaced by the environment's promises, and a missing horizon by the document's. Of rescaled losses the
 * promise is scale * sigma + |shift|, which bounds their moment by Minkowski's inequality.
 */
export function fillPolicy(spec: PolicySpec, environment: Environment, horizon: number, rescaling: Rescaling | null): PolicySpec {
  const asks = asksForHorizon(POLICIES, spec.policy);
  const filled: Record<string, unknown> & PolicySpec = asks ? { ...spec, horizon: spec.horizon ?? horizon } : { ...spec };
  if (filled.alpha === PROMISED) filled.alpha = environment.alpha;
  if (filled.sigma === PROMISED) {
    const { alpha = environment.alpha } = filled;
    // The policy itself refuses an invalid alpha.
    if (typeof alpha !== "number" || !(alpha > 1 && alpha <= 2)) return filled;
    const { scale, shift } = rescaling ?? { scale: 1, shift: 0 };
    const sigma = scale * promisedSigma(environment, alpha) + Math.abs(shift);
    filled.sigma = POLICIES[spec.policy]?.centred?.(filled) ? centredFromRaw(sigma, alpha) : sigma;
  }
  return filled;
}

/** The name comes from outside and may have any type. */
function asksForHorizon(table: Readonly<Record<string, { readonly parameters: Parameters }>>, name: unknown): boolean {
  return typeof name === "string" && Object.hasOwn(table, name) && "horizon" in table[name]!.parameters;
}

/** E|X - mu|^alpha <= 2^(2-alpha) E|X|^alpha: an equality at alpha = 2 for mu = 0, and the triangle inequality at alpha = 1. See the theory page. */
function centredFromRaw(sigma: number, alpha: number): number {
  return elementary.pow(2, (2 - alpha) / alpha) * sigma;
}

/** Some distributions need quadrature for their moments, and all runs of an environment need the same ones. */
const sigmas = new Map<string, number>();

function promisedSigma(environment: Environment, alpha: number): number {
  const key = JSON.stringify([environment.spec, alpha]);
  let sigma = sigmas.get(key);
  if (sigma === undefined) {
    sigma = environment.sigma(alpha);
    sigmas.set(key, sigma);
  }
  return sigma;
}
