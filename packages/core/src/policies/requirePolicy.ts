import { requireMember } from "../registry.js";
import type { FtrlOptions } from "./base/ftrlOptions.js";
import type { Policy } from "./base/policy.js";

/** Refuses by name what a user's new policy lacks or gets wrong. It does not play: a policy may hang, and this runs where nobody watches for that. */
export function requirePolicy(name: string, { arms, kernel: _, ...options }: FtrlOptions, policy: Policy): Policy {
  const of = `the policy ${name}`;
  requireMember(of, "create()", policy, typeof policy === "object" && policy !== null, "a function that returns an object");
  for (const method of ["choose", "update", "details"] as const) {
    requireMember(of, method, policy[method], typeof policy[method] === "function", "a function");
  }
  const { spec, fingerprint } = policy;
  requireMember(of, "spec", spec, typeof spec === "object" && typeof spec?.policy === "string", `{ policy: "${name}", and every parameter }`);
  // Threads make the policy from its spec: a parameter that is not in it would have its default there.
  for (const [key, value] of Object.entries(spec.policy === name ? options : {})) {
    const text = JSON.stringify(value);
    requireMember(of, `spec.${key}`, spec[key], JSON.stringify(spec[key]) === text, `${text}, as given`);
  }
  requireMember(of, "fingerprint", fingerprint, typeof fingerprint === "string", "a text that names its spec and its number of arms");
  requireMember(of, "arms", policy.arms, policy.arms === arms, `${arms}, as given`);
  requireMember(of, "round", policy.round, policy.round === 0, "0 before the first round");
  return policy;
}
