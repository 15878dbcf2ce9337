import type uPlot from "uplot";
import type { PALETTE } from "../../../common/palette.js";

/** A round in which something is decided. */
export interface RoundMark {
  readonly round: number;
  readonly words: string;
  /** Where something was before it was moved. */
  readonly isGhost?: boolean;
}

/** A dashed line at each marked round that is shown, with its words above the chart. */
export function drawMarks(plot: uPlot, marks: readonly RoundMark[], { ink, muted }: (typeof PALETTE)["light"]): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, width, top, height } = plot.bbox;
  const last = plot.data[0].at(-1) ?? 0;
  ctx.save();
  ctx.font = `600 ${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.strokeStyle = muted;
  ctx.fillStyle = ink;
  ctx.lineWidth = ratio;
  ctx.setLineDash([4 * ratio, 3 * ratio]);
  const shown = marks.flatMap((mark) => {
    const x = plot.valToPos(mark.round, "x", true);
    return mark.round <= last && x >= left && x <= left + width ? [{ ...mark, x }] : [];
  });
  for (const { x, isGhost = false } of shown) {
    ctx.globalAlpha = isGhost ? 0.4 : 1;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
  }
  ctx.globalAlpha = 1;
  const placed = placeWords(shown, { left, right: left + width, gap: 6 * ratio }, (words) => ctx.measureText(words).width);
  for (const { words, at } of placed) ctx.fillText(words, at, top - 7 * ratio);
  ctx.restore();
}

/**
 * Where the words of marks begin, each as near as possible above its line. Where they would cover each other, the numbers of the rounds are enough; words that would
 * cover others even then are left out.
 */
export function placeWords(
  marks: readonly { readonly words: string; readonly x: number }[],
  { left, right, gap }: { readonly left: number; readonly right: number; readonly gap: number },
  widthOf: (words: string) => number,
): { words: string; at: number }[] {
  const place = (short: boolean) => {
    let free = left;
    return marks.flatMap(({ words: long, x }) => {
      const words = short ? long.replace(/^round /, "") : long;
      const room = widthOf(words);
      const at = Math.max(left, Math.min(x - room / 2, right - room));
      if (words === "" || at < free) return [];
      free = at + room + gap;
      return [{ words, at }];
    });
  };
  const full = place(false);
  return full.length === marks.filter(({ words }) => words !== "").length ? full : place(true);
}
