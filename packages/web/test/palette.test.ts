import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DARK_VARIABLES, LIGHT_VARIABLES } from "../../lab/src/chart/palette.js";
import { PALETTE } from "../common/palette.js";

describe("the colours of the pages", () => {
  it("are those of the lab's figures", () => {
    expect(PALETTE).toEqual({ light: LIGHT_VARIABLES, dark: DARK_VARIABLES });
  });

  it("are the same in the style sheet", () => {
    const sheet = readFileSync(new URL("../common/theme.css", import.meta.url), "utf8");
    const [, light, dark] = sheet.split(":root {");
    for (const [name, colour] of Object.entries(PALETTE.light)) expect(light).toContain(`--${name}: ${colour};`);
    for (const [name, colour] of Object.entries(PALETTE.dark)) expect(dark).toContain(`--${name}: ${colour};`);
  });
});
