import { useMemo, useRef, useState } from "preact/hooks";
import { formatCount, formatNumber } from "tsallis/statistics";
import uPlot from "uplot";
import { axis } from "../../../common/axis.js";
import { logAxis } from "../../../common/logAxis.js";
import { PALETTE, type Scheme } from "../../../common/palette.js";
import { Plot, type PlotOptions } from "../../../common/plot.js";
import { LEFT, rightOf } from "./regretChart.js";

interface Props {
  /** What is shown, such as "loss of arm 4". */
  readonly name: string;
  /** The loss of each round, from round 1, with the spike where it is now. */
  readonly losses: readonly number[];
  /** The rounds that have been played. */
  readonly round: number;
  /** The last round of the axis. */
  readonly last: number;
  /** Losses from this size on are spikes, with words. */
  readonly huge: number;
  /** A spike that can be moved to another round; null in place of the round if it is undone. */
  readonly spike: { readonly size: number; readonly from: number; readonly to: number | null };
  onMove(to: number): void;
}

const HEIGHT = 130;
const KEYS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -50, PageUp: 50 };

/** The losses of one arm, round by round, on a logarithmic axis. */
export function LossStrip({ name, losses, round, last, huge, spike, onMove }: Props) {
  const [point, setPoint] = useState<number | null>(null);
  const shown = Math.max(2, round);
  const data = useMemo((): uPlot.AlignedData => {
    const values = losses.slice(0, shown);
    return [values.map((_, i) => i + 1), values, values.map((loss) => (loss >= huge ? loss : null))];
  }, [losses, shown, huge]);
  const at = Math.min(point ?? shown - 1, shown - 1);
  const now = useRef({ last, spike });
  now.current = { last, spike };
  return (
    <div class="strip">
      <Plot
        label={name}
        shape={name}
        data={data}
        height={HEIGHT}
        at={at}
        onPoint={setPoint}
        describe={(i) => `round ${formatCount(i + 1)}: ${formatNumber(losses[i]!)}`}
        options={(scheme) => options(scheme, name, losses, huge, () => now.current)}
      />
      {round >= (spike.to ?? spike.from) && <SpikeHandle spike={spike} round={round} last={last} onMove={onMove} />}
    </div>
  );
}

function options(scheme: Scheme, name: string, losses: readonly number[], huge: number, now: () => Pick<Props, "last" | "spike">): PlotOptions {
  const colours = PALETTE[scheme];
  const top = 10 ** Math.ceil(Math.log10(Math.max(...losses)));
  const bars = (most: number) => uPlot.paths.bars!({ size: [1, most], align: 0 });
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
    padding: [16, (plot: uPlot) => rightOf(plot.width), 0, 0],
    scales: { x: { time: false, range: () => [0, now().last] }, y: { distr: 3, range: [0.1, top] } },
    axes: [axis(scheme, { size: 10, values: () => [], ticks: { show: false } }), { ...logAxis(scheme, "y", name), size: LEFT - 20 }],
    series: [
      {},
      { fill: `${colours.muted}80`, stroke: `${colours.muted}80`, width: 0, paths: bars(3), points: { show: false } },
      { fill: colours.s1, stroke: colours.s1, width: 0, paths: bars(5), points: { show: false } },
    ],
    hooks: {
      draw: [
        (plot) => {
          const { spike } = now();
          if (spike.to !== spike.from && plot.data[0].length >= spike.from) drawGhost(plot, spike, colours.muted);
          drawWords(plot, huge, spike, colours);
        },
      ],
    },
  };
}

/** The outline of the spike where it was. */
function drawGhost(plot: uPlot, { size, from }: Props["spike"], colour: string): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const x = plot.valToPos(from, "x", true);
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = ratio;
  ctx.setLineDash([2 * ratio, 3 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, plot.bbox.top + plot.bbox.height);
  ctx.lineTo(x, plot.valToPos(size, "y", true));
  ctx.stroke();
  ctx.restore();
}

/** The size of each spike, at its top. Words that would cover others are left out, and those of the spike that moves come first. */
function drawWords(plot: uPlot, huge: number, { size, from, to }: Props["spike"], { ink, muted }: (typeof PALETTE)["light"]): void {
  const { ctx } = plot;
  const ratio = devicePixelRatio;
  const { left, width } = plot.bbox;
  ctx.save();
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.font = `600 ${12 * ratio}px system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif`;
  const placed: { x: number; y: number; room: number }[] = [];
  const spikes = [...(plot.data[1] ?? [])].flatMap((loss, i) => (loss! >= huge ? [{ round: i + 1, loss: loss! }] : []));
  // A spike that is as tall must not cross the words: where there is no room up to it, the number is enough.
  const roomAt = (round: number, loss: number) => {
    const next = spikes.filter((spike) => spike.round > round && spike.loss >= loss).map((spike) => plot.valToPos(spike.round, "x", true));
    return Math.min(...next) - plot.valToPos(round, "x", true) - 10 * ratio;
  };
  const draw = (long: string, short: string, round: number, loss: number, colour: string) => {
    const words = ctx.measureText(long).width <= roomAt(round, loss) ? long : short;
    const room = ctx.measureText(words).width;
    const right = plot.valToPos(round, "x", true) + 6 * ratio;
    const x = right + room > left + width ? right - room - 12 * ratio : right;
    const y = plot.valToPos(loss, "y", true) + 4 * ratio;
    if (placed.some((other) => x < other.x + other.room && other.x < x + room && Math.abs(y - other.y) < 12 * ratio)) return;
    placed.push({ x, y, room });
    ctx.fillStyle = colour;
    ctx.fillText(words, x, y);
  };
  spikes.sort((a, b) => Number(b.round === to) - Number(a.round === to));
  if (to === null && plot.data[0].length >= from) draw("undone", "", from, size, muted);
  for (const { round, loss } of spikes) draw(`costs ${formatNumber(Math.round(loss))}`, formatNumber(Math.round(loss)), round, loss, ink);
  ctx.restore();
}

interface SpikeHandleProps extends Pick<Props, "spike" | "round" | "last" | "onMove"> {}

function SpikeHandle({ spike: { from, to }, round: played, last, onMove }: SpikeHandleProps) {
  const place = useRef<HTMLDivElement>(null);
  const isHeld = useRef(false);
  const round = to ?? from;
  const words = to === null ? "undone" : `round ${formatCount(round)}`;
  const move = (target: number) => onMove(Math.min(played, Math.max(1, Math.round(target))));
  return (
    <div class="spike-line" ref={place}>
      <div
        class={`grip spike ${to === null ? "out" : ""}`}
        role="slider"
        tabIndex={0}
        aria-label="Round of the huge loss"
        aria-valuemin={1}
        aria-valuemax={played}
        aria-valuenow={round}
        aria-valuetext={words}
        style={{ left: `${(100 * round) / last}%` }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          isHeld.current = true;
        }}
        onPointerMove={(event) => {
          if (!isHeld.current) return;
          const { left, width } = place.current!.getBoundingClientRect();
          move(((event.clientX - left) / width) * last);
        }}
        onPointerUp={() => {
          isHeld.current = false;
        }}
        onPointerCancel={() => {
          isHeld.current = false;
        }}
        onKeyDown={(event) => {
          const steps = KEYS[event.key];
          if (steps === undefined) return;
          event.preventDefault();
          move(round + steps);
        }}
      >
        <span class={`where ${round > last / 2 ? "left" : ""}`}>{words}</span>
      </div>
    </div>
  );
}
