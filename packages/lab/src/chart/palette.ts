/**
 * Eight colours in the order of Okabe and Ito's families, moved apart until each pair differs by at least 17 in CIELAB for normal sight and for
 * protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes 2009; the test measures it), with a contrast of at least 3:1 against the
 * background.
 */
export const LIGHT_COLOURS = ["#0855c3", "#c85731", "#089370", "#6c3d81", "#d38204", "#4b92ff", "#45474b", "#732b0f"] as const;
export const DARK_COLOURS = ["#638ff5", "#ef712e", "#15da9a", "#d665a8", "#ffd93c", "#a7c7f9", "#e8eaf0", "#a47750"] as const;

const SYMBOLS = ["circle", "square", "triangle", "diamond", "cross", "star", "wye"] as const;
/** From the ninth policy on, the colours repeat with another dash. */
const DASHES = [undefined, "7 2.5", "3 2", "9 2 2 2"] as const;

/** The look of one policy in every figure, which never depends on colour alone. */
export interface SeriesStyle {
  /** The classes of everything drawn for the policy, for the page's switches. */
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

/** The other variables that figures use, as in the page's style sheet. Standalone figures are drawn with these values. */
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
