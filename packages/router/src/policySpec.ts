import { POLICIES, type PolicySpec } from "tsallis";
import { RouterError, show } from "./routerError.js";

/** The default probability of a false alarm of the router's policy. `npm run bench -- router` measured it. */
export const DEFAULT_DETECT = 0.05;

/** The default half-life, in rounds, of what the router's policy has learned. `npm run bench -- router` measured it. */
export const DEFAULT_HALF_LIFE = 700;

/**
 * The spec of the router's policy. A policy's guarantee compares it with the best fixed upstream, but which upstream is best changes by the hour. The
 * router therefore makes its policy forget by default. A policy without a half-life is used unchanged, unless the user asks for forgetting.
 */
export function withForgetting(policy: unknown, forgetting: unknown): PolicySpec {
  if (typeof policy !== "object" || policy === null || Array.isArray(policy)) {
    throw new RouterError("ERR_OPTION", "policy", policy, `policy must be a policy spec such as { policy: "matched-tinf" }, got ${show(policy)}`);
  }
  const spec = policy as PolicySpec;
  const parameters = POLICIES[spec.policy]?.parameters ?? {};
  const forgets = "halfLife" in parameters;
  const detect = "detect" in parameters && spec.detect === undefined ? { detect: DEFAULT_DETECT } : {};
  if (forgetting === undefined) return forgets && spec.halfLife === undefined ? { ...spec, halfLife: DEFAULT_HALF_LIFE, ...detect } : spec;
  if (spec.halfLife !== undefined) {
    throw refusal(forgetting, `forgetting is given, but so is policy.halfLife (${show(spec.halfLife)}); give one of them`);
  }
  if (forgetting === false) return spec;
  const halfLife = halfLifeOf(forgetting);
  if (!forgets && Object.hasOwn(POLICIES, spec.policy)) {
    throw refusal(
      forgetting,
      `the policy ${show(spec.policy)} has no half-life; leave forgetting out, or take a policy that has one, such as matched-tinf`,
    );
  }
  return { ...spec, halfLife, ...detect };
}

/** The half-life in seconds that the user asks for; null if it is in rounds, or if there is none. */
export function halfLifeSecondsOf(forgetting: unknown): number | null {
  return (forgetting as { halfLifeSeconds?: number } | undefined)?.halfLifeSeconds ?? null;
}

function halfLifeOf(forgetting: unknown): unknown {
  if (typeof forgetting === "object" && forgetting !== null && Object.keys(forgetting).length === 1) {
    const { halfLife, halfLifeSeconds } = forgetting as { halfLife?: unknown; halfLifeSeconds?: unknown };
    if (typeof halfLife === "number" && halfLife >= 1 && halfLife <= 1e15) return halfLife;
    // What it is in rounds is known when some have been played.
    if (typeof halfLifeSeconds === "number" && halfLifeSeconds > 0 && halfLifeSeconds <= 1e9) return DEFAULT_HALF_LIFE;
  }
  const message = `forgetting must be false, { halfLife } with a number of rounds in [1, 1e15], or { halfLifeSeconds } in (0, 1e9], got ${show(forgetting)}`;
  throw new RouterError("ERR_OPTION", "forgetting", forgetting, message);
}

function refusal(forgetting: unknown, message: string): RouterError {
  return new RouterError("ERR_FORGETTING", "forgetting", forgetting, message);
}
