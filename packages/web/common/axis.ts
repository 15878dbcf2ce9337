import { formatNumber } from "tsallis/statistics";
import type uPlot from "uplot";
import { PALETTE, type Scheme } from "./palette.js";

/** The look that all axes share. */
export function axis(scheme: Scheme, own: uPlot.Axis): uPlot.Axis {
  const { muted, grid } = PALETTE[scheme];
  const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif';
  return {
    stroke: muted,
    font,
    labelFont: font,
    labelSize: 20,
    gap: 6,
    grid: { stroke: grid, width: 1 },
    ticks: { stroke: grid, width: 1, size: 4 },
    ...own,
  };
}

/** A number without the zeros at its end, which only some of an axis's ticks would have. */
export function tickText(value: number): string {
  return formatNumber(value).replace(/\.0+$|(\.\d*[1-9])0+$/, "$1");
}
