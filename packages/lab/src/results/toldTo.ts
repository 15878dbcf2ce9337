import { POLICIES, type PolicySpec } from "tsallis";

const FACTS = ["alpha", "sigma", "horizon"] as const;

/** What a policy has to be told about its world, in words. What it takes for granted is no matter here. */
export function toldTo({ policy }: PolicySpec): string {
  const needs = Object.hasOwn(POLICIES, policy) ? POLICIES[policy]!.needs : [];
  return FACTS.filter((fact) => needs.includes(fact)).join(", ") || "nothing";
}
