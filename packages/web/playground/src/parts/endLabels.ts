import type uPlot from "uplot";

/** The room for the words at the ends of lines, in pixels. */
export const END_LABELS = 238;
/** For names alone. */
export const END_NAMES = 76;
const LINE = 15;
const GAP = 8;

/** Words at the ends of a plot's series, from one series on. Where lines end close together, the words keep their distance. */
export function drawEndLabels(
  plot: uPlot,
  from: number,
  labels: readonly { readonly words: string; readonly colour: string }[],
  room = END_LABELS,
): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, width, top, height } = plot.bbox;
  const placed = labels.flatMap(({ words, colour }, i) => {
    const y = lastValue(plot.data[from + i] ?? []);
    return y === null ? [] : [{ words, colour, y: Math.max(top, plot.valToPos(y, "y", true)) }];
  });
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
    ctx.fillText(fits ? words : words.split(":")[0]!, left + width + GAP * ratio, y);
  }
  ctx.restore();
}

/** Moves places down until they keep a distance, and then up again as far as they passed the bottom. */
export function spread(places: { y: number }[], distance: number, bottom: number): void {
  for (let i = 1; i < places.length; i++) places[i]!.y = Math.max(places[i]!.y, places[i - 1]!.y + distance);
  for (let i = places.length - 1; i >= 0; i--) places[i]!.y = Math.min(places[i]!.y, i === places.length - 1 ? bottom : places[i + 1]!.y - distance);
}

function lastValue(values: ArrayLike<number | null | undefined>): number | null {
  for (let i = values.length - 1; i >= 0; i--) if (values[i] !== null && values[i] !== undefined) return values[i]!;
  return null;
}
