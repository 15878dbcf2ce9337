import { escapeXml } from "../../format/escapeXml.js";

/** Markup that is safe as it stands. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | null | readonly Part[];

/** html`<p>${label}</p>`: whatever is put in is escaped unless it is Html already; lists are joined, null leaves nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => `${text}${markup(parts[index - 1]!)}${string}`));
}

function markup(part: Part): string {
  if (part === null) return "";
  if (part instanceof Html) return part.text;
  return typeof part === "object" ? part.map(markup).join("") : escapeXml(String(part));
}
