/** The colours of the lab's figures. The lab has no entry for browsers, so they stand here again; a test keeps both equal, and theme.css with them. */
const LIGHT = {
  s0: "#0855c3",
  s1: "#c85731",
  s2: "#089370",
  s3: "#6c3d81",
  s4: "#d38204",
  s5: "#4b92ff",
  s6: "#45474b",
  s7: "#732b0f",
  ink: "#1b1e24",
  muted: "#5c6370",
  grid: "#dfe2e8",
  faint: "#eff1f4",
  paper: "#ffffff",
};

const DARK: typeof LIGHT = {
  s0: "#638ff5",
  s1: "#ef712e",
  s2: "#15da9a",
  s3: "#d665a8",
  s4: "#ffd93c",
  s5: "#a7c7f9",
  s6: "#e8eaf0",
  s7: "#a47750",
  ink: "#e9ebf0",
  muted: "#a2a9b6",
  grid: "#343a45",
  faint: "#242932",
  paper: "#14171c",
};

export type Scheme = "light" | "dark";
export type Colour = keyof typeof LIGHT;
export const PALETTE: Readonly<Record<Scheme, Readonly<Record<Colour, string>>>> = { light: LIGHT, dark: DARK };
