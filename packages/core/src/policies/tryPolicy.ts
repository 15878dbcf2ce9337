import { stream } from "../random/stream.js";
import { requireMember } from "../registry.js";
import type { Choice } from "./base/choice.js";
import type { FtrlOptions } from "./base/ftrlOptions.js";
import type { Policy } from "./base/policy.js";

/** Lets a user's policy play one round, and refuses by name what it lacks or gets wrong. The policy is of no use afterwards. */
export function tryPolicy(name: string, { arms, kernel: _, ...options }: FtrlOptions, policy: Policy): void {
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
  const choice = policy.choose(stream(0, "policy")) as Partial<Choice> | undefined;
  requireMember(of, "choose()", choice, typeof choice === "object" && choice !== null, "a function that returns a Choice");
  requireChoiceOf(of, choice!, policy);
  policy.update(choice as Choice, 0.5);
  const details: unknown = policy.details();
  const isGood = typeof details === "object" && details !== null && Object.values(details).every(Number.isFinite);
  requireMember(of, "details()", details, isGood, "an object of finite numbers by name, {} if there are none");
}

function requireChoiceOf(
  of: string,
  { policy, round, arm, probability, threshold }: Partial<Choice>,
  { arms, fingerprint, round: played }: Policy,
): void {
  const at = `a Choice of ${of}`;
  requireMember(at, "policy", policy, policy === fingerprint, `its fingerprint, ${JSON.stringify(fingerprint)}`);
  requireMember(at, "round", round, round === 1 && played === 1, "1 in the first round, and so must be the policy's own round after it");
  requireMember(at, "arm", arm, Number.isInteger(arm) && arm! >= 0 && arm! < arms, `an integer in [0, ${arms - 1}]`);
  requireMember(at, "probability", probability, probability === null || (probability! > 0 && probability! <= 1), "in (0, 1], or null if unknown");
  requireMember(at, "threshold", threshold, threshold === null || threshold! >= 0, "null, or a number of at least 0");
}
