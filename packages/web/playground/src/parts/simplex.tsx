import { formatPercent } from "tsallis/statistics";
import type { SeriesStyle } from "../../../common/seriesStyle.js";

interface Props {
  readonly names: readonly [string, string, string];
  readonly points: readonly { readonly name: string; readonly style: SeriesStyle; readonly probabilities: readonly number[] }[];
}

const SIDE = 260;
const MARGIN = 30;
const HEIGHT = (SIDE * Math.sqrt(3)) / 2;
/** Where each arm has all. */
const CORNERS = [
  [MARGIN + SIDE / 2, MARGIN],
  [MARGIN, MARGIN + HEIGHT],
  [MARGIN + SIDE, MARGIN + HEIGHT],
] as const;

/** Probabilities of three arms as points of a triangle: the nearer a corner, the more of that arm. */
export function Simplex({ names, points }: Props) {
  const words = points.map(
    ({ name, probabilities }) => `${name}: ${probabilities.map((share, arm) => `${names[arm]} ${formatPercent(share)}`).join(", ")}`,
  );
  return (
    <svg class="simplex" viewBox={`0 0 ${SIDE + 2 * MARGIN} ${HEIGHT + 2 * MARGIN}`} role="img" aria-label={words.join("; ")}>
      <polygon points={CORNERS.map((corner) => corner.join(",")).join(" ")} />
      <text x={CORNERS[0][0]} y={MARGIN - 10} text-anchor="middle">
        {names[0]}
      </text>
      <text x={CORNERS[1][0]} y={MARGIN + HEIGHT + 20} text-anchor="middle">
        {names[1]}
      </text>
      <text x={CORNERS[2][0]} y={MARGIN + HEIGHT + 20} text-anchor="middle">
        {names[2]}
      </text>
      {points.map(({ name, style, probabilities }, i) => {
        const [x, y] = [0, 1].map((axis) => CORNERS.reduce((sum, corner, arm) => sum + corner[axis]! * probabilities[arm]!, 0)) as [number, number];
        // Shapes differ, so that colour is not all.
        return i === 0 ? (
          <circle key={name} class={style.colour} cx={x} cy={y} r={7} />
        ) : (
          <rect key={name} class={style.colour} x={x - 6} y={y - 6} width={12} height={12} />
        );
      })}
    </svg>
  );
}
