import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseQueueUrl } from "@tsallis/lab/fleet";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/until.js";
import type { Ended } from "./ended.js";
import { experimentText } from "./experiments.js";
import { Fleet } from "./fleet.js";
import { STORES, type Store } from "./fleetStores.js";
import { tsallis } from "./inProcess.js";

const root = mkdtempSync(join(tmpdir(), "tsallis-commands-"));
afterAll(() => rmSync(root, { recursive: true }));
const BIN = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));

describe.each(Object.entries(STORES))("the operator of a fleet on %s", (_, start) => {
  let store: Store;
  beforeAll(async () => {
    store = await start();
  });
  afterAll(() => store.stop());

  it("drains it, sees that nothing moves, resumes it, and clears what nobody wants any more", async () => {
    const fleet = new Fleet(root, await store.fresh());
    onTestFinished(() => fleet.end());
    const on = (...args: string[]) => tsallis([...args, "--queue", fleet.url], "", fleet.folder);

    // No worker is there: the coordinator says what to start.
    const coordinator = fleet.coordinator();
    await coordinator.until("it asks for workers", () =>
      coordinator.stderr.includes(`npx tsallis worker --queue ${parseQueueUrl(fleet.url).word}\n`),
    );
    await coordinator.until("chunks are queued", async () => (await fleet.state()).queued > 0);

    const drained = await on("fleet", "drain");
    expect(drained.code).toBe(0);
    expect(drained.stderr).toMatch(/is drained: .*npx tsallis fleet resume/);
    const [worker] = await fleet.workers(1);
    await worker!.tells("idle");
    expect(worker!.stdout).toContain("is drained");
    await coordinator.until("it says that it waits", () => coordinator.stderr.includes("is drained; resume it with: npx tsallis fleet resume"));
    const before = await fleet.state();
    expect(before).toMatchObject({ drained: true, active: 0, failed: 0, experiments: [{ name: "sweep", active: 0 }] });
    expect(before.workers).toMatchObject([{ pid: worker!.pid, chunks: [] }]);
    expect(before.queued).toBeGreaterThan(0);
    expect([fleet.finished(), worker!.played]).toEqual([0, []]);

    // The coordinator has ended for good: its chunks stay until somebody clears them.
    await coordinator.kill();
    const text = await on("fleet");
    expect(text.stdout).toContain(`${before.queued} queued, 0 active, 0 failed`);
    expect(text.stdout).not.toContain("\x1b");
    const cleared = await on("fleet", "clear", "out");
    expect(cleared.stderr).toMatch(/^tsallis: \d+ chunks? of experiment [0-9a-f]{8} removed\n$/);
    expect(await store.leftovers(fleet.url)).toEqual([]);
    expect((await on("fleet", "clear", "out")).stderr).toContain("0 chunks of experiment");
    const unknown = await on("fleet", "clear", before.experiments[0]!.hash);
    expect(unknown.stderr).toContain("ERR_UNKNOWN_NAME: the queue holds nothing of experiment");
    expect(unknown.code).toBe(2);

    expect((await on("fleet", "resume")).code).toBe(0);
    expect((await fleet.coordinator().over()).code).toBe(0);
    expect(await fleet.state()).toMatchObject({ drained: false, queued: 0, active: 0, failed: 0, experiments: [] });
    worker!.signal("SIGTERM");
    expect((await worker!.over()).code).toBe(0);
    await until("the worker has left", async () => (await fleet.state()).workers.length === 0);
  });
});

describe("without the optional packages", () => {
  const folder = mkdtempSync(join(root, "without-"));
  const hook = new URL("fixtures/withoutPackages.mjs", import.meta.url).href;
  const without = (packages: string, ...args: string[]) =>
    new Promise<Ended>((resolve) => {
      const env = { ...process.env, WITHOUT: packages };
      execFile(process.execPath, ["--import", hook, BIN, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code as unknown as number), stdout, stderr });
      });
    });

  it("a run on one machine works all the same", async () => {
    writeFileSync(join(folder, "small.yaml"), experimentText());
    expect(await without("bullmq ioredis pg", "run", "small.yaml", "--out", "out", "--quiet")).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([
    ["bullmq", "redis://127.0.0.1:1", "npm install bullmq ioredis"],
    ["ioredis", "redis://127.0.0.1:1", "npm install bullmq ioredis"],
    ["pg", "postgres://127.0.0.1:1/x", "npm install bullmq pg"],
  ])("a queue says how to get %s", async (missing, url, command) => {
    const { code, stderr } = await without(missing, "fleet", "--queue", url);
    expect(stderr).toBe(`tsallis: ERR_PACKAGE: a queue needs the package ${missing}, which is not installed; run: ${command}\n`);
    expect(code).toBe(2);
  });
});

describe("a worker that is stopping", () => {
  it.each([
    ["SIGINT", "SIGTERM"],
    ["SIGTERM", "SIGINT"],
    ["SIGTERM", "SIGTERM"],
  ] as const)("by %s ends at once by %s", async (first, second) => {
    const module = new URL("../dist/input/signals.js", import.meta.url).href;
    const script = `import { firstSignal } from ${JSON.stringify(module)};
      const interruption = new AbortController();
      process.once("SIGINT", () => interruption.abort());
      setInterval(() => {}, 1000);
      const stopped = firstSignal(interruption.signal);
      console.log("ready");
      await stopped;
      console.log("stopping");`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    const ended = once(child, "exit");
    for (const signal of [first, second]) {
      await once(child.stdout, "data");
      child.kill(signal);
    }
    expect(await ended).toEqual([null, second]);
  });
});
