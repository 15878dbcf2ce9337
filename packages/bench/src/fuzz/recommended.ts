import { DEFAULT_POLICY, type PolicySpec } from "tsallis";

/** The default, and the others that docs/guides/choosing-a-policy.md recommends for immediate feedback. A test keeps both equal. */
export const RECOMMENDED: readonly PolicySpec[] = [
  DEFAULT_POLICY,
  ...["tsallis-inf", "moss", "kl-ucb", "thompson", "thompson-beta", "htinf", "adatinf", "signed-tinf", "forcemom"].map((policy) => ({ policy })),
];
