import type { Colour, Scheme } from "./palette.js";

/** The look of one series in every chart, which never depends on colour alone. */
export interface SeriesStyle {
  readonly colour: Colour;
  readonly dash: readonly number[];
  /** Of areas, as the last two digits of a colour. */
  readonly opacity: string;
}

export const MOST_SERIES = 8;
const DASHES = [[], [7, 3], [3, 2], [9, 3, 2, 3]] as const;

export function seriesStyle(index: number): SeriesStyle {
  return { colour: `s${index % MOST_SERIES}` as Colour, dash: DASHES[index % DASHES.length]!, opacity: "d0" };
}

/** Of thin lines behind thick ones: on a dark page, faint ones would not be seen. */
export function thinOpacity(scheme: Scheme): string {
  return scheme === "dark" ? "a6" : "70";
}

/** Everything that has no colour of its own, taken together: paler than the grey among the colours. */
export const OTHERS: SeriesStyle = { colour: "muted", dash: [], opacity: "70" };
