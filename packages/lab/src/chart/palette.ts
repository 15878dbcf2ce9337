/**
 * Eight colours in the order of Okabe and Ito's families, moved apart until each pair differs by 17 or more in CIELAB for normal sight and for
 * protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes 2009; the test measures it), at 3:1 or more against the background.
 */
export const LIGHT_COLOURS = ["#0855c3", "#c85731", "#089370", "#6c3d81", "#d38204", "#4b92ff", "#45474b", "#732b0f"] as const;
export const DARK_COLOURS = ["#638ff5", "#ef712e", "#15da9a", "#d665a8", "#ffd93c", "#a7c7f9", "#e8eaf0", "#a47750"] as const;

const SYMBOLS = ["circle", "square", "triangle", "diamond", "cross", "star", "wye"] as const;
/** Past the eighth policy colours come again, with another dash. */
const DASHES = [undefined, "7 2.5", "3 2", "9 2 2 2"] as const;

/** How one policy looks in every figure: never told by its colour alone. */
export interface SeriesStyle {
  /** Classes of everything that is drawn of it, for the page's switches. */
  readonly className: string;
  readonly colour: string;
  readonly symbol: (typeof SYMBOLS)[number];
  readonly dash: string | undefined;
}

export function seriesStyle(index: number): SeriesStyle {
  const colours = LIGHT_COLOURS.length;
  return {
    className: `series s${index}`,
    colour: `var(--s${index % colours})`,
    symbol: SYMBOLS[index % SYMBOLS.length]!,
    dash: DASHES[Math.floor(index / colours) % DASHES.length],
  };
}

/** The other variables that figures use, as in the page's style sheet; the figures that stand alone are drawn with these. */
export const LIGHT_VARIABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LIGHT_COLOURS.map((colour, index) => [`s${index}`, colour])),
  ink: "#1b1e24",
  muted: "#5c6370",
  grid: "#dfe2e8",
  faint: "#eff1f4",
  paper: "#ffffff",
};

export const DARK_VARIABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DARK_COLOURS.map((colour, index) => [`s${index}`, colour])),
  ink: "#e9ebf0",
  muted: "#a2a9b6",
  grid: "#343a45",
  faint: "#242932",
  paper: "#14171c",
};
