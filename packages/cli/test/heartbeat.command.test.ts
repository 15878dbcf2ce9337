import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "tsallis-heartbeat-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Work that never lets a timer fire: it waits until its own stderr, a file, has more lines. */
const BLOCKED = `
import { readFileSync } from "node:fs";
const { withHeartbeat } = await import(process.argv[2]);
const lines = () => readFileSync(process.argv[3], "utf8").split("\\n").length - 1;
const awaitMore = (count) => { for (const before = lines(); lines() < before + count; ); };
const work = (at) => {
  at("reading", 0);
  awaitMore(2);
  at("writing", 0.507);
  awaitMore(3);
  return "the result";
};
console.log(await withHeartbeat(["", "reading", "writing"], work, { waits: { first: 1, next: 1 } }));
console.log(lines());
`;

it("shows how far work is that blocks its thread, until its end and no longer", () => {
  const [script, file] = [join(folder, "blocked.mjs"), join(folder, "stderr")];
  writeFileSync(script, BLOCKED);
  const stderr = openSync(file, "w");
  const heartbeat = new URL("../dist/text/heartbeat.js", import.meta.url).href;
  const { stdout, status } = spawnSync(process.execPath, [script, heartbeat, file], {
    stdio: ["ignore", "pipe", stderr],
    encoding: "utf8",
    timeout: 60_000,
  });
  closeSync(stderr);
  const text = readFileSync(file, "utf8");
  const lines = text.trimEnd().split("\n");
  expect({ status, stdout }).toEqual({ status: 0, stdout: `the result\n${lines.length}\n` });
  expect(text).toMatch(/^(tsallis: reading\n){2,}(tsallis: writing: 50 %\n){2,}$/);
});
