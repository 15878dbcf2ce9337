import * as Plot from "@observablehq/plot";
import { draw } from "../../chart/chart.js";
import { seriesStyle } from "../../chart/palette.js";
import { inlineSvg } from "../../chart/serializeSvg.js";
import { Html } from "./html.js";

/** A sample of a policy's line and mark for tables and buttons, beside the policy's name. */
export function swatch(index: number): Html {
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
  return new Html(inlineSvg(svg, "").replace('role="img" aria-label=""', 'class="swatch" aria-hidden="true"'));
}
