import { escapeXml } from "../../format/escapeXml.js";

/** Markup that is safe to insert unchanged. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | readonly Part[];

/** html`<p>${label}</p>` escapes every inserted value that is not Html already; lists are joined, and null inserts nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => `${text}${markup(parts[index - 1]!)}${string}`));
}

function markup(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(markup).join("") : escapeXml(String(part));
}
