import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { blocksOf } from "./docs/blocks.js";
import { ShellSession } from "./docs/shellSession.js";
import { ROOT, read } from "./repository.js";
import { freePort } from "./serverProcess.js";

const GUIDE = "docs/guides/operate-the-service.md";
const FOLLOWED = "followed by test/operateGuide.system.test.ts";

/** What a clone has, and nothing else: the packages, and a folder for results. */
const clone = realpathSync(mkdtempSync(join(tmpdir(), "tsallis-operate-")));
symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"), "dir");
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** Times, hashes and the ids of keys are others every time. */
function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, "TIME")
    .replaceAll(/\b(?:[0-9a-f]{32}|[0-9a-f]{12})\b/g, "HEX")
    .trim();
}

it("a day of operations, followed to the letter from the guide, prints what it says", async () => {
  const blocks = blocksOf(GUIDE, read(GUIDE)).filter(({ notRun }) => notRun === FOLLOWED);
  expect(blocks.length).toBeGreaterThan(11);
  const port = await freePort();
  const here = (text: string) => text.replaceAll("127.0.0.1:7411", `127.0.0.1:${port}`);
  const env = {
    ...process.env,
    TSALLIS_PORT: `${port}`,
    TSALLIS_URL: `http://127.0.0.1:${port}`,
    NO_COLOR: "1",
    TSALLIS_KEY: undefined,
    TSALLIS_DB: undefined,
  };
  mkdirSync(join(clone, "results/ops"), { recursive: true });
  const session = new ShellSession(clone, env);
  onTestFinished(() => session.end());
  for (const { at, language, text, output = "" } of blocks) {
    if (language === "js") {
      writeFileSync(join(clone, "results/ops/shop.mjs"), here(text));
      continue;
    }
    const { printed, code } = await session.run(here(text));
    expect(timeless(printed.replaceAll(`${clone}/`, "")), `${at}, with the exit code ${code}`).toBe(timeless(output));
  }
});
