import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/until.js";

it("kill -9 leaves whole lines behind, of which only the last may be cut, and another router goes on in the same folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tsallis-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let run = 1; run <= 3; run++) {
    const child = spawn(process.execPath, [fileURLToPath(new URL("fixtures/logging.mjs", import.meta.url)), folder], { stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const before = readdirSync(folder).length;
    await until("a file is full and another one begun", () => readdirSync(folder).length >= before + 2);
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  const runs = new Map<string, number[]>();
  for (const name of readdirSync(folder).sort()) {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    // What follows the last line break: nothing, or a line that was cut.
    lines.pop();
    for (const line of lines) {
      const [run, sequence] = (JSON.parse(line) as { id: string }).id.split("-") as [string, string];
      runs.set(run, [...(runs.get(run) ?? []), Number(sequence)]);
    }
  }
  expect(runs.size).toBe(3);
  for (const sequences of runs.values()) expect(sequences).toEqual(sequences.map((_, i) => i + 1));
});
