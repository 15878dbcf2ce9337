import { FIGURE_WIDTH } from "../../chart/chart.js";
import type { Figure } from "../../chart/figure.js";
import type { Readings } from "../../chart/readings.js";
import { inlineSvg } from "../../chart/serializeSvg.js";
import { dataBlock, panelText } from "./dataBlock.js";
import { Html, html } from "./html.js";
import { swatch } from "./swatch.js";

/** A figure in the page, with its title above and its caption below. If `shared`, its values are those of the figure before it. */
export function figureBlock({ name, title, caption, svg, readings }: Figure, className = "", shared = false): Html {
  const drawing = new Html(inlineSvg(svg, title));
  return html`<figure class="${className}" data-name="${name}"><p class="title">${title}</p>${readings ? plot(drawing, readings, shared) : drawing}<figcaption>${caption}</figcaption></figure>`;
}

function plot(drawing: Html, readings: Readings, shared: boolean): Html {
  const { width, height, names } = readings.narrow;
  const switched = readings.series.some(({ index }) => index !== null);
  const list = names.map(({ index, label }) => html`<li${switched ? html` class="s${index}"` : null}>${swatch(index)}${label}</li>`);
  return html`<div class="plot${width < FIGURE_WIDTH ? "" : " whole"}" style="--w:${Math.round(width)};--h:${Math.round(height)}" data-panels="${panelText(readings)}">${drawing}</div>${list.length > 0 ? html`<ul class="names">${list}</ul>` : null}${shared ? null : dataBlock(readings)}`;
}
