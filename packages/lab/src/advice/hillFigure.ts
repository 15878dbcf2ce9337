import { linearAxis, logAxis } from "../chart/axis.js";
import type { Figure } from "../chart/figure.js";
import { type Line, lineChart, type Overlay } from "../chart/lineChart.js";
import { standaloneSvg } from "../chart/serializeSvg.js";
import type { Advice } from "./advise.js";

/** With more arms than this, only the heaviest are drawn. */
const MOST_ARMS = 8;
/** The least and the greatest index at the top of the figure. */
const TOP = [3, 10] as const;

/** The Hill plot: the estimated index against where the tail begins. Null if no index was estimated. */
export function hillFigure({ arms, pooled, hillPlot }: Advice): Figure | null {
  const { both } = pooled.tails;
  if (both === null || hillPlot.length === 0) return null;
  const ascending = [...hillPlot].reverse();
  const drawn = heaviest(arms.map(({ tails }) => tails.both?.hill.estimate ?? Infinity));
  const values = ascending
    .flatMap((point) => [point.pooled.estimate, ...drawn.map((arm) => point.arms[arm]!)])
    .filter((value) => value !== null && value < Infinity);
  const top = Math.min(TOP[1], Math.max(TOP[0], 1.05 * Math.max(0, ...values)));
  const [first, last] = [ascending[0]!.share, ascending.at(-1)!.share];
  const share = both.k / both.values;
  const lines: Line[] = [
    {
      index: 0,
      label: "all arms",
      points: ascending.map((point) => ({ x: point.share, y: point.pooled.estimate })),
      bands: [{ kind: "pooled", points: ascending.map((point) => ({ x: point.share, low: point.pooled.low, high: point.pooled.high })) }],
    },
    ...drawn.map((arm, rank) => ({
      index: rank + 1,
      label: arms[arm]!.name,
      points: ascending.flatMap((point) => (point.arms[arm] === null ? [] : [{ x: point.share, y: point.arms[arm]! }])),
    })),
  ];
  const overlays: Overlay[] = [
    { points: steps(first, last).map((x) => ({ x, y: 2 })), series: null, label: "finite variance above" },
    {
      points: [
        { x: share, y: 0 },
        { x: share, y: top },
      ],
      series: null,
      label: null,
    },
  ];
  const less = drawn.length < arms.length ? ` Only the ${drawn.length} heaviest of ${arms.length} arms are drawn.` : "";
  return {
    name: "hill",
    title: "Hill plot",
    caption: `Hill's estimate of the tail index of |loss| against the share of the losses that counts as the tail; the band is the 95 % interval for all arms together. The vertical dashes mark where the index was read.${less}`,
    svg: lineChart(
      { ...logAxis("share of the losses in the tail", first, last), format: percent },
      linearAxis("tail index", 0, top),
      lines,
      overlays,
    ),
  };
}

/** The figure as the text of a file. */
export function hillSvg(advice: Advice): string | null {
  const figure = hillFigure(advice);
  return figure === null ? null : standaloneSvg(figure.svg, `${figure.title}. ${figure.caption}`);
}

/** The positions of the arms to draw, in their own order. */
function heaviest(indices: readonly number[]): number[] {
  const order = indices.map((_, arm) => arm).sort((a, b) => indices[a]! - indices[b]! || a - b);
  return order.slice(0, MOST_ARMS).sort((a, b) => a - b);
}

function steps(first: number, last: number): number[] {
  const count = 20;
  return Array.from({ length: count + 1 }, (_, i) => first * (last / first) ** (i / count));
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
