import type { DistributionSpec } from "tsallis";

/** A distribution with its parameters, such as `signed lomax (p 0.5, shape 1.6, scale 1)`: distributions inside distributions follow their names. */
export function distributionText(spec: DistributionSpec): string {
  const { distribution, ...parameters } = spec;
  const numbers = Object.entries(parameters).flatMap(([name, value]) => (isSpec(value) || areSpecs(value) ? [] : [`${name} ${plain(value)}`]));
  const inner = Object.values(parameters).flatMap((value) =>
    isSpec(value) ? [distributionText(value)] : areSpecs(value) ? [value.map(distributionText).join(" | ")] : [],
  );
  return `${words(distribution)}${numbers.length === 0 ? "" : ` (${numbers.join(", ")})`}${inner.length === 0 ? "" : ` of ${inner.join(", ")}`}`;
}

/** The parameters of an environment that are no distributions, in the document's order. */
export function parameterTexts(spec: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(spec).flatMap(([name, value]) =>
    name === "environment" || name === "alpha" || isSpec(value) || areSpecs(value) || typeof value === "object"
      ? []
      : [`${words(name)} ${plain(value)}`],
  );
}

function isSpec(value: unknown): value is DistributionSpec {
  return typeof value === "object" && value !== null && "distribution" in value;
}

function areSpecs(value: unknown): value is readonly DistributionSpec[] {
  return Array.isArray(value) && value.length > 0 && value.every(isSpec);
}

function plain(value: unknown): string {
  return typeof value === "number" ? String(Number(value.toPrecision(6))) : Array.isArray(value) ? value.map(plain).join(", ") : String(value);
}

/** twoPoint and two-point both become two point. */
function words(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
}
