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
  let free = left;
  ctx.save();
  ctx.font = `600 ${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.strokeStyle = muted;
  ctx.fillStyle = ink;
  ctx.lineWidth = ratio;
  ctx.setLineDash([4 * ratio, 3 * ratio]);
  for (const { round, words, isGhost = false } of marks) {
    if (round > last) continue;
    const x = plot.valToPos(round, "x", true);
    if (!(x >= left && x <= left + width)) continue;
    ctx.globalAlpha = isGhost ? 0.4 : 1;
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x, top + height);
    ctx.stroke();
    ctx.globalAlpha = 1;
    const room = ctx.measureText(words).width;
    const at = Math.max(left, Math.min(x - room / 2, left + width - room));
    // Words that would cover others are left out: the line stays.
    if (at < free) continue;
    ctx.fillText(words, at, top - 7 * ratio);
    free = at + room + 10 * ratio;
  }
  ctx.restore();
}
