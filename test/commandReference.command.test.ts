import { expect, it } from "vitest";
import { commandReference } from "../scripts/commandReference.mjs";
import { read } from "./repository.js";

const page = read("docs/reference/cli.md");

it("the tables of options are those of the help; otherwise run: node scripts/build.mjs && node scripts/commandReference.mjs", () => {
  expect(commandReference(page)).toBe(page);
});

it.each([
  ["a changed row", (text: string) => text.replace("| `--workers <number>` | ", "| `--workers <number>` | about ")],
  ["a missing row", (text: string) => text.replace(/\| `--max-open <number>` \|.*\n/, "")],
])("sees %s", (_, change) => {
  expect(change(page)).not.toBe(page);
  expect(commandReference(change(page))).toBe(page);
});

it("refuses a table of a command that is not there", () => {
  expect(() => commandReference(page.replace("<!-- options of run,", "<!-- options of runn,"))).toThrow(
    "options of runn, but there is no such command",
  );
});
