import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { soak } from "../../../test/soak.js";
import { ended, startIn } from "./command.js";
import { experimentText, lastingFiles } from "./experiments.js";
import { tsallis } from "./inProcess.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-interruption-"));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (directory: string) => tsallis(["run", "small.yaml", "--out", directory], "", folder);

describe("an interrupted run", () => {
  const LONG = { horizon: 60_000, seeds: 5 };
  const RUNS = 30;
  const finished = (directory: string) => {
    const journal = join(folder, directory, "journal.jsonl");
    // The first line names the experiment, and the last one has an end.
    return existsSync(journal) ? Math.max(0, readFileSync(journal, "utf8").split("\n").length - 2) : 0;
  };

  // A run that nobody interrupts: all others must give the same bytes.
  let whole: Record<string, string>;
  beforeAll(async () => {
    writeFileSync(join(folder, "small.yaml"), experimentText(LONG));
    await run("whole");
    whole = lastingFiles(join(folder, "whole"));
  });

  /** Starts the command, ends it by a signal when the journal has one more run, and makes sure that it was in the middle. */
  async function interrupted(directory: string, signal: "SIGKILL" | "SIGINT") {
    const before = finished(directory);
    const child = startIn(folder, "run", "small.yaml", "--out", directory);
    const all = ended(child);
    while (finished(directory) === before && child.exitCode === null) await setTimeout(5);
    child.kill(signal);
    const end = await all;
    const after = finished(directory);
    expect(before < after && after < RUNS, `${before} runs before, ${after} after`).toBe(true);
    return end;
  }

  it.each(Array.from({ length: soak(1, 50) }, (_, i) => `killed${i}`))(
    "continues after two kill -9 and gives the same bytes: %s",
    async (directory) => {
      expect((await interrupted(directory, "SIGKILL")).code).toBeNull();
      expect((await interrupted(directory, "SIGKILL")).code).toBeNull();
      const held = finished(directory);
      const last = await run(directory);
      expect(last.code).toBe(0);
      expect(last.stderr).toContain(`${RUNS} runs into ${directory}, ${held} of them already there`);
      expect(lastingFiles(join(folder, directory))).toEqual(whole);
    },
  );

  it("ends with 130 at Ctrl-C, says how to continue, and then continues", async () => {
    const { code, stdout, stderr } = await interrupted("stopped", "SIGINT");
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toMatch(/^tsallis: stopped; continue with: npx tsallis run small\.yaml --out stopped\n$/m);
    expect(readdirSync(join(folder, "stopped")).sort()).toEqual(["experiment.json", "journal.jsonl"]);
    expect((await run("stopped")).code).toBe(0);
    expect(lastingFiles(join(folder, "stopped"))).toEqual(whole);
  });
});

describe("a loop in a module of one's own, on the thread that hears of Ctrl-C", () => {
  const LOOP = `(() => { writeSync(2, "in the loop\\n"); for (;;); })()`;
  const world = (loss: string) =>
    `export const environments = { loop: { description: "d", parameters: {}, create: () => ({ arms: 2, alpha: 1.5, loss: (round, arm) => ${loss}, mean: (round, arm) => arm }) } };`;

  it.each([
    ["while it is imported", `${LOOP};`, []],
    ["while the document is checked", world(LOOP), []],
    ["while a dry run takes its sample", world(`(round > 50 ? ${LOOP} : arm)`), ["--dry-run"]],
  ])("is ended by Ctrl-C: %s", async (_when, module, options) => {
    const folder = mkdtempSync(join(tmpdir(), "tsallis-loop-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "loop.mjs"), `import { writeSync } from "node:fs";\n${module}\n`);
    writeFileSync(
      join(folder, "loop.yaml"),
      "name: loop\nhorizon: 1000\nseeds: 1\nenvironments: { loop: { environment: loop } }\npolicies: { uniform: { policy: uniform } }\n",
    );
    const child = startIn(folder, "run", "loop.yaml", "--import", "loop.mjs", ...options);
    const end = new Promise((resolve) => child.on("exit", (_code, signal) => resolve(signal)));
    await new Promise<void>((resolve) => child.stderr.on("data", (text) => String(text).includes("in the loop") && resolve()));
    child.kill("SIGINT");
    expect(await end).toBe("SIGINT");
  });
});
