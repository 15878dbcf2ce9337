import { type Environment, TsallisError } from "tsallis";

/**
 * Refuses an environment with a law whose truncated mean the library has by quadrature only: `stable` with an index below 2, and `burr` and `lomax` with a tail index
 * below 1 + c / 100. Such a law would be integrated for every arm in every round, and its error is not the one that the checks allow for.
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
  if (isIntegrated(spec)) {
    throw new TsallisError(
      "ERR_PARAMETER",
      path,
      spec,
      `${path} is a ${spec.distribution} law whose truncated mean has no closed form, so the regret's anatomy can not be recorded; use another law, or turn anatomy off`,
    );
  }
  for (const [key, item] of Object.entries(spec)) visit(item, `${path}.${key}`);
}

function isIntegrated(spec: Readonly<Record<string, unknown>>): boolean {
  switch (spec.distribution) {
    case "stable":
      return spec.index !== 2;
    case "lomax":
      return !(Number(spec.shape) - 1 >= 0.01);
    case "burr":
      return !((Number(spec.c) * Number(spec.k) - 1) / Number(spec.c) >= 0.01);
    default:
      return false;
  }
}
