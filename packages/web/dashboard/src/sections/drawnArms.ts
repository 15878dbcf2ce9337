import { MOST_SERIES, type SeriesStyle, seriesStyle } from "../../../common/seriesStyle.js";
import type { TrafficSource } from "./trafficOf.js";

/** The arms that the charts draw, each with its look: all of them, or if there are too many those with the most traffic, so that one colour is left for the others. */
export function drawnArms({ arms, points }: Pick<TrafficSource, "arms" | "points">): ReadonlyMap<string, SeriesStyle> {
  const totals = arms.map(() => 0);
  for (const { probabilities, shares } of points) {
    for (const [arm, value] of (probabilities ?? shares ?? []).entries()) totals[arm]! += value;
  }
  const drawn = arms.map((_, i) => i);
  if (arms.length > MOST_SERIES) {
    drawn.sort((a, b) => totals[b]! - totals[a]!);
    drawn.length = MOST_SERIES - 1;
    drawn.sort((a, b) => a - b);
  }
  return new Map(drawn.map((arm, i) => [arms[arm]!, seriesStyle(i)]));
}
