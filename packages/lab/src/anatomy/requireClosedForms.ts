import { createDistribution, DISTRIBUTIONS, type Environment, TsallisError } from "tsallis";

/**
 * Refuses an environment with a distribution whose truncated mean the library computes by quadrature, such as `stable` with an index below 2. Such a distribution would
 * be integrated for every arm in every round, with an error that the checks do not allow for. Each distribution says whether it has a closed form; the error
 * names the innermost distribution that has none.
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
  // An environment of the user's own may use the word distribution for anything.
  if (!Object.hasOwn(DISTRIBUTIONS, String(spec.distribution)) || createDistribution(spec).closedPartialMean) return;
  throw new TsallisError(
    "ERR_PARAMETER",
    path,
    spec,
    `${path} is a ${spec.distribution} distribution whose truncated mean has no closed form, so the regret's anatomy cannot be recorded; use another distribution, or turn anatomy off`,
  );
}
