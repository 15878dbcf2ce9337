import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { type Block, blocksOf } from "./docs/blocks.js";
import { ShellSession } from "./docs/shellSession.js";
import { ROOT, read } from "./repository.js";
import { freePort } from "./serverProcess.js";
import { until } from "./until.js";

const GUIDE = "docs/guides/decisions-over-http.md";
const FOLLOWED = "followed by test/decisionsGuide.system.test.ts";

/** What a clone has, and nothing else: the packages, and a folder for results. */
const clone = realpathSync(mkdtempSync(join(tmpdir(), "tsallis-guide-")));
symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"), "dir");
afterAll(() => rmSync(clone, { recursive: true }));

/** Times, hashes and the ids of keys are others every time. */
function timeless(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, "TIME")
    .replaceAll(/\b(?:[0-9a-f]{32}|[0-9a-f]{12})\b/g, "HEX")
    .trim();
}

it("the guide to decisions over HTTP, followed to the letter, prints what it says", async () => {
  const blocks = blocksOf(GUIDE, read(GUIDE)).filter(({ notRun }) => notRun === FOLLOWED);
  const [start, ...rest] = blocks as [Block, ...Block[]];
  expect(rest.length).toBeGreaterThan(8);
  expect(rest.filter(({ language, output }) => language === "sh" && output === undefined)).toEqual([]);
  const [enter, serve, ...more] = start.text.split("\n");
  expect([enter, serve, more]).toEqual(["mkdir -p results/shop && cd results/shop", "npx tsallis serve", []]);

  const port = await freePort();
  const here = (text: string) => text.replaceAll("127.0.0.1:7411", `127.0.0.1:${port}`);
  const env = { ...process.env, TSALLIS_PORT: `${port}`, NO_COLOR: "1", npm_config_loglevel: "error", npm_config_update_notifier: "false" };
  const folder = join(clone, "results/shop");
  mkdirSync(folder, { recursive: true });

  // The first terminal. npx does not pass signals on, so that the whole group is told to stop, as a terminal does it.
  const server = spawn("sh", ["-c", serve!], { cwd: folder, env, detached: true });
  onTestFinished(() => {
    try {
      process.kill(-server.pid!, "SIGKILL");
    } catch {
      // It has stopped, as it should.
    }
  });
  let said = "";
  for (const output of [server.stdout, server.stderr]) output.setEncoding("utf8").on("data", (text: string) => (said += text));
  await until("the server listens", () => said.includes(`http://127.0.0.1:${port}/\nstore      tsallis.db\n`));

  // The second terminal.
  const session = new ShellSession(folder, env);
  onTestFinished(() => session.end());
  for (const { at, language, text, output = "" } of rest) {
    if (language === "js") {
      writeFileSync(join(folder, "shop.mjs"), here(text));
      continue;
    }
    const { printed, code } = await session.run(here(text));
    expect(timeless(printed.replaceAll(`${clone}/`, "")), `${at}, with the exit code ${code}`).toBe(timeless(output));
    // The last command of this one is refused, and the page says so.
    expect([at, code]).toEqual([at, / ERR_REPLAY: /.test(output) ? 1 : 0]);
  }

  const exit = once(server, "exit");
  process.kill(-server.pid!, "SIGINT");
  await exit;
  const { printed } = await session.run("ls; npx tsallis audit");
  expect(printed).toMatch(/^tsallis\.db$/m);
  expect(printed).not.toMatch(/tsallis\.db-/);
  expect(printed.match(/all as recorded, bit for bit/g)).toHaveLength(2);
});
