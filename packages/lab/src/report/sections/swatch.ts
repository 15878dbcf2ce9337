import * as Plot from "@observablehq/plot";
import { draw } from "../../chart/chart.js";
import { seriesStyle } from "../../chart/palette.js";
import { inlineSvg } from "../../chart/serializeSvg.js";
import { Html, html } from "./html.js";

/** A sample of a policy's line and mark for tables, lists and buttons, beside the policy's name. The page holds each look once, in `swatches`. */
export function swatch(index: number): Html {
  return html`<svg class="swatch" width="28" height="12" aria-hidden="true"><use href="#K${index}"/></svg>`;
}

/** The looks of the first `count` policies. */
export function swatches(count: number): Html {
  const looks = Array.from({ length: count }, (_, index) => new Html(look(index)));
  return html`<svg class="looks" width="0" height="0" aria-hidden="true">${looks}</svg>`;
}

function look(index: number): string {
  const { colour, dash, symbol } = seriesStyle(index);
  const at = (value: number) => ({ value: [value], scale: null });
  const svg = draw({
    width: 28,
    height: 12,
    margin: 0,
    axis: null,
    marks: [
      Plot.link([0], { x1: at(1), x2: at(27), y1: at(6), y2: at(6), stroke: colour, strokeWidth: 2, ...(dash && { strokeDasharray: dash }) }),
      Plot.dot([0], { x: at(14), y: at(6), symbol, r: 3.6, fill: colour, stroke: "var(--paper)", strokeWidth: 0.8 }),
    ],
  });
  return inlineSvg(svg, "")
    .replace(/^<svg[^>]*>/, `<symbol id="K${index}" viewBox="0 0 28 12">`)
    .replace(/<\/svg>$/, "</symbol>");
}
