import * as Plot from "@observablehq/plot";
import type { Group } from "../../analysis/group.js";
import type { Member } from "../../analysis/member.js";
import { type Axis, logAxis } from "../../chart/axis.js";
import { draw, FIGURE_WIDTH } from "../../chart/chart.js";
import type { Figure } from "../../chart/figure.js";
import { shorten } from "../../chart/lineChart.js";
import { seriesStyle } from "../../chart/palette.js";
import type { Readings } from "../../chart/readings.js";
import type { SvgElement } from "../../chart/svgDocument.js";

const COLUMNS = 3;
const PANEL_HEIGHT = 84;

/** Which arms were played, one panel per policy: shares of the rounds so far, stacked, with the best arm at the bottom. */
export function armsFigure(group: Group): Figure | null {
  const members = group.members.filter(({ row, playShares }) => row.checkpoints.length > 1 && playShares !== null);
  const arms = group.world?.arms ?? 0;
  if (members.length === 0 || arms < 2) return null;
  const order = armsByMean(group, arms);
  const rounds = members[0]!.row.checkpoints.map(({ round }) => round);
  const x = logAxis("rounds", rounds[0]!, rounds.at(-1)!);
  const columns = Math.min(COLUMNS, members.length);
  const rows = Math.ceil(members.length / columns);
  // The best arm has a colour; the others are fading greys.
  const shade = (rank: number) =>
    rank === 0 ? { fill: "var(--s0)" } : { fill: "var(--muted)", fillOpacity: 0.7 - (0.6 * (rank - 1)) / Math.max(1, arms - 2) };
  const svg = draw({
    width: FIGURE_WIDTH,
    height: 40 + rows * (PANEL_HEIGHT + 26),
    marginTop: 24,
    marginBottom: 40,
    marginLeft: 40,
    marginRight: 12,
    x: { type: "log", domain: [...x.domain] },
    y: { domain: [0, 1] },
    fx: { domain: range(columns), axis: null, paddingInner: 0.16 },
    fy: { domain: range(rows), axis: null, paddingInner: 0.26 },
    marks: [
      ...members.flatMap((member, place) => panel(member, order, place % columns, Math.floor(place / columns), shade)),
      Plot.axisX(
        x.ticks.filter((_, index) => index % 2 === 0),
        {
          facetAnchor: "bottom-empty",
          fill: "var(--muted)",
          tickSize: 0,
          tickPadding: 6,
          text: x.format,
          label: "rounds",
          labelArrow: "none",
          labelOffset: 34,
          labelAnchor: "right",
          fontSize: 11,
        },
      ),
      Plot.axisY([0, 0.5, 1], {
        fill: "var(--muted)",
        tickSize: 0,
        tickPadding: 5,
        text: (share: number) => `${100 * share} %`,
        label: null,
        fontSize: 11,
      }),
    ],
  });
  return {
    name: `${group.slug}--arms`,
    title: "Which arms were played",
    caption: `Shares of the rounds so far, stacked; means over seeds. The coloured arm (arm ${order[0]}) has the smallest mean loss over the whole run. The others are above it in the order of their means, the best of them darkest.`,
    svg,
    readings: panelReadings(svg, x, members, order),
  };
}

/** The shares of each arm, layer upon layer, in the panel of each policy. */
function panelReadings(svg: SvgElement, x: Axis, members: readonly Member[], order: readonly number[]): Readings {
  const { scale } = svg as unknown as Plot.Plot;
  const [fx, fy] = [scale("fx")!, scale("fy")!];
  const columns = Math.min(COLUMNS, members.length);
  const y = { type: "linear", domain: [0, 1] } as const;
  return {
    panels: members.map((_, place) => {
      const [left, top] = [fx.apply(place % columns), fy.apply(Math.floor(place / columns))];
      return { x: { axis: x, from: left, to: left + fx.bandwidth! }, y: { axis: y, from: top + fy.bandwidth!, to: top } };
    }),
    across: "round",
    rows: false,
    stacked: true,
    form: "percent",
    series: members.flatMap(({ index, label, row, playShares }, panel) =>
      order.map((arm) => ({
        index,
        label: `${label}, arm ${arm}`,
        panel,
        x: row.checkpoints.map(({ round }) => round),
        y: playShares![arm]!,
        at: null,
        low: null,
        high: null,
        note: null,
        behind: [],
      })),
    ),
    narrow: { width: FIGURE_WIDTH, height: Number(svg.getAttribute("height")), names: [] },
  };
}

function panel(
  { index, label, row, playShares }: Member,
  order: readonly number[],
  fx: number,
  fy: number,
  shade: (rank: number) => { fill: string },
): Plot.Markish[] {
  const { className, colour } = seriesStyle(index);
  const rounds = row.checkpoints.map(({ round }) => round);
  const at = { fx: [fx], fy: [fy] };
  const below = rounds.map(() => 0);
  const layers = order.map((arm, rank) => {
    const points = rounds.map((round, i) => {
      const low = below[i]!;
      below[i] = low + playShares![arm]![i]!;
      return { round, low, high: below[i]! };
    });
    return Plot.areaY(points, {
      x: "round",
      y1: "low",
      y2: "high",
      fx: () => fx,
      fy: () => fy,
      ...shade(rank),
      stroke: "var(--paper)",
      strokeWidth: 0.5,
      className,
    });
  });
  return [
    ...layers,
    Plot.text([label], {
      ...at,
      frameAnchor: "top-left",
      dy: -14,
      text: (name: string) => shorten(name, 18),
      fill: colour,
      fontWeight: 600,
      fontSize: 11,
      className,
    }),
  ];
}

/** The arms by ascending mean loss over the whole run; arms with equal means keep their order. */
function armsByMean({ world, members }: Group, arms: number): number[] {
  const horizon = Math.max(...members.map(({ row }) => row.horizon));
  const sums = range(arms).map((arm) => world!.meanSum(horizon, arm));
  return range(arms).sort((a, b) => sums[a]! - sums[b]! || a - b);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}
