import type { Parameter } from "tsallis";

/** What a parameter takes, in few characters: "(1, 2]", "integer >= 1", "iw | rv, default iw". */
export function parameterText(parameter: Parameter): string {
  const fallback = "default" in parameter ? `, default ${parameter.default}` : "optional" in parameter ? ", optional" : "";
  return kindText(parameter) + fallback;
}

function kindText(parameter: Parameter): string {
  switch (parameter.type) {
    case "number":
      return interval(parameter) || "number";
    case "integer":
      return `integer ${interval(parameter)}`.trimEnd();
    case "name":
      return parameter.names.join(" | ");
    case "distribution":
      return "distribution";
    case "distributions":
      return "list of distributions";
    case "numbers":
      return `list of numbers ${interval(parameter)}`.trimEnd();
    case "table":
      return "rows of numbers";
  }
}

function interval({ above, atLeast, atMost }: { readonly above?: number; readonly atLeast?: number; readonly atMost?: number }): string {
  if (atMost === undefined) return above !== undefined ? `> ${above}` : atLeast !== undefined ? `>= ${atLeast}` : "";
  return above !== undefined ? `(${above}, ${atMost}]` : `[${atLeast}, ${atMost}]`;
}
