import type { PixelAxis, Readings, ReadSeries } from "../../chart/readings.js";
import { Html } from "./html.js";

/** A curve behind a mean keeps at most this many points, which its thin line does not show. */
const MOST_BEHIND = 24;

/** The values behind one or two figures as JSON in the page, which its script reads and no browser runs. Names are short, because there are many. */
export function dataBlock({ across, rows, stacked, form, series }: Readings): Html {
  const shared = series[0]?.x ?? [];
  const kept = evenly(shared.length);
  const data = {
    across,
    form,
    ...(rows && { rows }),
    ...(stacked && { stacked }),
    x: shared.map(rounded),
    ...(series.some(({ behind }) => behind.length > 0) && { kept }),
    series: series.map((each) => compact(each, shared, kept)),
  };
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return new Html(`<script type="application/json">${text}</script>`);
}

function compact({ index, label, panel, x, y, at, low, high, note, behind }: ReadSeries, shared: readonly number[], kept: readonly number[]): object {
  const same = x.length === shared.length && x.every((value, place) => value === shared[place]);
  return {
    ...(index !== null && { i: index }),
    n: label,
    ...(panel > 0 && { p: panel }),
    ...(!same && { x: x.map(rounded) }),
    y: y.map(rounded),
    ...(at !== null && { at }),
    ...(low !== null && { l: low.map(rounded), h: high!.map(rounded) }),
    ...(note !== null && { t: note }),
    ...(behind.length > 0 && { b: behind.map((values) => kept.map((place) => coarse(values[place]!))) }),
  };
}

/** Where a figure's values have their places: "log 1 2000 46 322 0" for each axis of each panel. */
export function panelText({ panels }: Readings): string {
  return panels.map(({ x, y }) => `${axisText(x)},${axisText(y)}`).join(";");
}

function axisText({ axis: { type, domain, constant = 1 }, from, to }: PixelAxis): string {
  return [type, ...domain, Number(from.toFixed(2)), Number(to.toFixed(2)), constant].join(" ");
}

/** Some of `length` places, evenly spaced, the first and the last among them. */
function evenly(length: number): number[] {
  const steps = Math.min(length, MOST_BEHIND);
  return Array.from({ length: steps }, (_, step) => (steps === 1 ? 0 : Math.round((step * (length - 1)) / (steps - 1))));
}

/** The cursor shows three digits; one more keeps their rounding right almost always. Rounds and other whole numbers of little length stay. */
function rounded(value: number): number {
  return Number.isInteger(value) && Math.abs(value) < 1e9 ? value : significant(value, 4);
}

function coarse(value: number): number {
  return significant(value, 3);
}

/** Rounding up at the end of the doubles would leave them. */
function significant(value: number, digits: number): number {
  const short = Number(value.toPrecision(digits));
  return Number.isFinite(short) ? short : value;
}
