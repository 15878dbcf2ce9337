import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const BIN = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));
const HOOK = new URL("fixtures/withoutPackages.mjs", import.meta.url).href;
const { dependencies } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { dependencies: Record<string, string> };
/** The packages that only an action needs: the library, the lab, the service, tables and bars. */
const LATE = [
  ...Object.keys(dependencies).filter((name) => !name.includes("commander")),
  ...["advice", "fleet", "report"].map((entry) => `@tsallis/lab/${entry}`),
];

/** Runs the command with the late packages missing. */
function early(...args: string[]): { status: number; printed: string } {
  const env = { ...process.env, WITHOUT: LATE.join(" ") };
  try {
    return { status: 0, printed: execFileSync(process.execPath, ["--import", HOOK, BIN, ...args], { env, encoding: "utf8", stdio: "pipe" }) };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    return { status, printed: stderr };
  }
}

it.each([["--version"], ["--help"], ["run", "--help"], ["serve", "--help"]])(
  "%s %s loads neither the library nor the lab nor the service",
  (...args) => {
    expect(early(...args).status).toBe(0);
  },
);

it.each([
  ["run"],
  ["worker"],
  ["fleet"],
  ["init"],
  ["list"],
  ["show"],
  ["schema"],
  ["report"],
  ["verify"],
  ["compare"],
  ["advise"],
  ["replay"],
  ["playground"],
  ["serve"],
  ["keys"],
  ["keys", "add"],
  ["keys", "list"],
  ["keys", "revoke"],
  ["audit"],
  ["prune"],
  ["erase"],
  ["repair"],
  ["completion"],
  ["evaluate"],
])("nor does %s %s with a mistyped option", (...command) => {
  const { status, printed } = early(...command, "--polcy");
  expect(status).toBe(2);
  expect(printed).toMatch(/^tsallis: ERR_USAGE: /);
});

it("a command that needs them fails here", () => {
  expect(LATE).toContain("@tsallis/lab");
  expect(early("schema").printed).toContain("Cannot find package '@tsallis/lab'");
  expect(early("audit").printed).toContain("Cannot find package '@tsallis/service'");
});
