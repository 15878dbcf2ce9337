import type { Advice } from "@tsallis/lab/advice";
import { POLICIES, type PolicyNeed, type PolicySpec } from "tsallis";

/** Parameters of policies that no data give; values as in the experiment `suite`. */
const CHOSEN: Readonly<Record<string, number>> = { d: 0.1, rounds: 100 };

/**
 * A spec of every registered policy for which the data give what it requires, by its name. Left out: policies that require the horizon, which no file of losses
 * gives, and those that require alpha and sigma where the data bound no moment. A policy that may be given `rarest` enters with and without it.
 */
export function rivalsOf({ pooled: { moment, deviation, gainRarity } }: Advice): Map<string, PolicySpec> {
  const rivals = new Map<string, PolicySpec>();
  for (const [policy, { parameters, needs }] of Object.entries(POLICIES)) {
    // For Thompson sampling, sigma is the standard deviation of the noise.
    const given: Record<string, number | undefined> = { ...CHOSEN, ...moment, ...(policy === "thompson" && { sigma: deviation }) };
    const required = Object.entries(parameters).filter(([, parameter]) => !("optional" in parameter || "default" in parameter));
    if (needs.includes("horizon") || required.some(([name]) => given[name] === undefined)) continue;
    const spec = { policy, ...Object.fromEntries(required.map(([name]) => [name, given[name]])) };
    rivals.set(policy, spec);
    if ("rarest" in parameters) rivals.set(`${policy} rarest`, gainRarity === null ? spec : { ...spec, rarest: Math.ceil(gainRarity) });
  }
  return rivals;
}

/** The name under which a policy is counted, as in the map of rivals. */
export function nameOf({ policy, rarest }: PolicySpec): string {
  return rarest === undefined ? policy : `${policy} rarest`;
}

const KNOWLEDGE: readonly PolicyNeed[] = ["alpha", "sigma", "horizon", "bounded-losses"];

/**
 * What somebody has to know to play a policy. That losses lie in [0, 1] is not counted where they do, and neither is it for a policy that requires sigma: that gives it
 * the scale. Truncated non-negativity is never counted: it is not a parameter.
 */
export function knowledgeOf(spec: PolicySpec, inUnitInterval: boolean): string[] {
  const { needs } = POLICIES[spec.policy]!;
  const scaled = inUnitInterval || needs.includes("sigma");
  const known = needs.filter((need) => KNOWLEDGE.includes(need) && !(need === "bounded-losses" && scaled));
  return spec.rarest === undefined ? known : [...known, "rarest"];
}
