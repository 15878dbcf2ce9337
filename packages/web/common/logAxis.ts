import { formatCount, powerOfTen } from "tsallis/statistics";
import type uPlot from "uplot";
import { axis } from "./axis.js";
import type { Scheme } from "./palette.js";

/** A logarithmic axis, with as many powers of ten as there is room for. */
export function logAxis(scheme: Scheme, side: "x" | "y", label: string): uPlot.Axis {
  const room = (plot: uPlot) => (side === "x" ? (plot.width - 80) / 60 : (plot.height - 60) / 30);
  return axis(scheme, {
    label,
    size: side === "x" ? 30 : 52,
    filter: all,
    splits: (plot, _, low, high) => decades(low, high, room(plot)),
    values: ticks,
  });
}

/** Powers of ten, or only every second one, every third and so on: as many as there is room for. */
function decades(low: number, high: number, room: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const step = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, Math.floor(room))));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => Number(`1e${first + i * step}`));
}

/** Without it uPlot leaves some labels of logarithmic axes out. */
function all(_plot: uPlot, splits: number[]): number[] {
  return splits;
}

/** Those near 1 stand as numbers. */
function ticks(_plot: uPlot, splits: number[]): string[] {
  return splits.map((split) => {
    const exponent = Math.round(Math.log10(split));
    return Math.abs(exponent) > 3 ? powerOfTen(exponent) : exponent < 0 ? String(split) : formatCount(split);
  });
}
