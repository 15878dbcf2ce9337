import type { Parameter } from "tsallis";

/** A value of a spec as people type it. */
export function textOf(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(textOf).join(", ") : JSON.stringify(value);
}

/** What was typed, as the value of a spec. An empty text leaves it out. What cannot be read stays a text: the library then says what it must be. */
export function readValue({ type }: Pick<Parameter, "type">, text: string): unknown {
  const typed = text.trim();
  if (typed === "") return undefined;
  if (type === "name") return typed;
  return type === "numbers" ? typed.split(",").map((item) => numberOf(item.trim())) : numberOf(typed);
}

function numberOf(text: string): unknown {
  try {
    // "1." and ".5" are numbers for people and not for JSON.
    const value = Number(text);
    // Never -0, which a saved experiment cannot say.
    if (text !== "" && Number.isFinite(value)) return value + 0;
    const object: unknown = JSON.parse(text);
    return typeof object === "object" && object !== null ? object : text;
  } catch {
    return text;
  }
}

/** A spec with one value changed, or left out if there is none. */
export function withValue<Spec extends object>(spec: Spec, name: string, value: unknown): Spec {
  const { [name]: _, ...rest } = spec as Record<string, unknown>;
  return (value === undefined ? rest : { ...spec, [name]: value }) as Spec;
}
