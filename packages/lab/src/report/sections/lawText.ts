import type { DistributionSpec } from "tsallis";

/** A law with its parameters, such as `signed lomax (p 0.5, shape 1.6, scale 1)`: laws inside laws follow their names. */
export function lawText(spec: DistributionSpec): string {
  const { distribution, ...parameters } = spec;
  const numbers = Object.entries(parameters).flatMap(([name, value]) => (isLaw(value) || isLaws(value) ? [] : [`${name} ${plain(value)}`]));
  const inner = Object.values(parameters).flatMap((value) =>
    isLaw(value) ? [lawText(value)] : isLaws(value) ? [value.map(lawText).join(" | ")] : [],
  );
  return `${words(distribution)}${numbers.length === 0 ? "" : ` (${numbers.join(", ")})`}${inner.length === 0 ? "" : ` of ${inner.join(", ")}`}`;
}

/** The parameters of an environment that are no laws, in the document's order. */
export function parameterTexts(spec: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(spec).flatMap(([name, value]) =>
    name === "environment" || name === "alpha" || isLaw(value) || isLaws(value) || typeof value === "object"
      ? []
      : [`${words(name)} ${plain(value)}`],
  );
}

function isLaw(value: unknown): value is DistributionSpec {
  return typeof value === "object" && value !== null && "distribution" in value;
}

function isLaws(value: unknown): value is readonly DistributionSpec[] {
  return Array.isArray(value) && value.length > 0 && value.every(isLaw);
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
