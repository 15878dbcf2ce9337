import { createDistribution, DISTRIBUTIONS, type Environment, TsallisError } from "tsallis";

/**
 * Refuses an environment with a law whose truncated mean the library has by quadrature only, such as `stable` with an index below 2. Such a law would be integrated
 * for every arm in every round, and its error is not the one that the checks allow for. The law itself says whether it is one; the innermost that is gets named.
 */
export function requireClosedForms(environment: Environment): void {
  visit(environment.spec, "environment");
}

function visit(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) visit(item, `${path}[${i}]`);
    return;
  }
  const spec = value as Readonly<Record<string, unknown>>;
  for (const [key, item] of Object.entries(spec)) visit(item, `${path}.${key}`);
  // What an environment of a user's own calls a distribution is not ours to judge.
  if (!Object.hasOwn(DISTRIBUTIONS, String(spec.distribution)) || createDistribution(spec).closedPartialMean) return;
  throw new TsallisError(
    "ERR_PARAMETER",
    path,
    spec,
    `${path} is a ${spec.distribution} law whose truncated mean has no closed form, so the regret's anatomy can not be recorded; use another law, or turn anatomy off`,
  );
}
