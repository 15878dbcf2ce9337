import type { Figure } from "../../chart/figure.js";
import { inlineSvg } from "../../chart/serializeSvg.js";
import { Html, html } from "./html.js";

/** A figure in the page, with its title above and its caption below. */
export function figureBlock({ title, caption, svg }: Figure, className = ""): Html {
  return html`<figure class="${className}"><p class="title">${title}</p>${new Html(inlineSvg(svg, title))}<figcaption>${caption}</figcaption></figure>`;
}
