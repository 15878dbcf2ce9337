import type uPlot from "uplot";

/** The room for the words at the ends of lines, in pixels. */
export const END_LABELS = 238;
/** For names alone. */
export const END_NAMES = 76;
const LINE = 15;
const GAP = 8;

/**
 * Words at the ends of a plot's series, from one series on. Where lines end close together, the words keep their distance. The words of a line that leaves the plot at its
 * top stand there if `leaves`.
 */
export function drawEndLabels(
  plot: uPlot,
  from: number,
  labels: readonly { readonly words: string; readonly colour: string }[],
  room = END_LABELS,
  leaves = false,
): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, width, top, height } = plot.bbox;
  const right = left + width + GAP * ratio;
  const placed: { words: string; colour: string; y: number }[] = [];
  const outside: { words: string; colour: string; x: number }[] = [];
  for (const [i, { words, colour }] of labels.entries()) {
    const values = plot.data[from + i] ?? [];
    const last = lastValue(values);
    if (last === null) continue;
    const y = plot.valToPos(last, "y", true);
    const exit = y < top && leaves ? plot.data[0][exitOf(values, plot.scales.y!.max!)]! : null;
    if (exit === null) placed.push({ words, colour, y: Math.max(top, y) });
    else outside.push({ words, colour, x: plot.valToPos(exit, "x", true) });
  }
  placed.sort((a, b) => a.y - b.y);
  spread(placed, LINE * ratio, top + height);
  ctx.save();
  ctx.font = `${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  for (const { words, colour, y } of placed) {
    ctx.fillStyle = colour;
    const fits = ctx.measureText(words).width <= (room - GAP) * ratio;
    // The name alone says enough: the rest is below the chart too.
    ctx.fillText(fits ? words : words.split(":")[0]!, right, y);
  }
  for (const { words, colour, x } of outside) {
    ctx.fillStyle = colour;
    ctx.fillText(words, x + GAP * ratio, top + (LINE / 2) * ratio);
  }
  ctx.restore();
}

/** Moves places down until they keep a distance, and then up again as far as they passed the bottom. */
export function spread(places: { y: number }[], distance: number, bottom: number): void {
  for (let i = 1; i < places.length; i++) places[i]!.y = Math.max(places[i]!.y, places[i - 1]!.y + distance);
  for (let i = places.length - 1; i >= 0; i--) places[i]!.y = Math.min(places[i]!.y, i === places.length - 1 ? bottom : places[i + 1]!.y - distance);
}

/** The first place from which on all values are above the top. */
export function exitOf(values: ArrayLike<number | null | undefined>, top: number): number {
  let place = values.length;
  while (place > 0 && (values[place - 1] ?? Number.NEGATIVE_INFINITY) > top) place--;
  return Math.min(place, values.length - 1);
}

function lastValue(values: ArrayLike<number | null | undefined>): number | null {
  for (let i = values.length - 1; i >= 0; i--) if (values[i] !== null && values[i] !== undefined) return values[i]!;
  return null;
}
