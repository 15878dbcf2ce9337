import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { withoutCredentials } from "../src/input/givenQueue.js";
import { fleetText } from "../src/text/fleetText.js";
import { RunProgress } from "../src/text/runProgress.js";
import { workerText } from "../src/text/workerText.js";
import { tsallis } from "./command.js";
import type { Ended } from "./ended.js";
import { experimentText } from "./experiments.js";
import { Fleet, type FleetState, until } from "./fleet.js";
import { STORES, type Store } from "./fleetStores.js";

const root = mkdtempSync(join(tmpdir(), "tsallis-commands-"));
afterAll(() => rmSync(root, { recursive: true }));
const BIN = fileURLToPath(new URL("../bin/tsallis.js", import.meta.url));
const timeout = 300_000;

describe.each(Object.entries(STORES))("the operator of a fleet on %s", { timeout }, (_, start) => {
  let store: Store;
  beforeAll(async () => {
    store = await start();
  }, timeout);
  afterAll(() => store.stop());

  it("drains it, sees that nothing moves, lets it go on, and clears what nobody wants any more", async () => {
    const fleet = new Fleet(root, await store.fresh());
    onTestFinished(() => fleet.end());
    const on = (...args: string[]) => tsallis([...args, "--queue", fleet.url], "", fleet.folder);

    // Nobody there: it says what to start.
    const coordinator = fleet.coordinator();
    await coordinator.until("it asks for workers", () => coordinator.stderr.includes(`npx tsallis worker --queue ${shown(fleet.url)}\n`));
    await coordinator.until("chunks are queued", async () => (await state(fleet)).queued > 0);

    const drained = await on("fleet", "drain");
    expect(drained.code).toBe(0);
    expect(drained.stderr).toMatch(/is drained: .*npx tsallis fleet resume/);
    const [worker] = await fleet.workers(1);
    await worker!.tells("idle");
    expect(worker!.stdout).toContain("is drained");
    await coordinator.until("it says that it waits", () => coordinator.stderr.includes("is drained; let it go on with: npx tsallis fleet resume"));
    const before = await state(fleet);
    expect(before).toMatchObject({ drained: true, active: 0, failed: 0, experiments: [{ name: "sweep", active: 0 }] });
    expect(before.workers).toMatchObject([{ pid: worker!.pid, chunks: [] }]);
    expect(before.queued).toBeGreaterThan(0);
    expect([fleet.finished(), worker!.played]).toEqual([0, []]);

    // Ended for good: its chunks are there until somebody clears them.
    await coordinator.kill();
    const text = await on("fleet");
    expect(text.stdout).toContain(`${before.queued} queued, 0 active, 0 failed`);
    expect(text.stdout).not.toContain("\x1b");
    const cleared = await on("fleet", "clear", "out");
    expect(cleared.stderr).toMatch(/^tsallis: \d+ chunks? of experiment [0-9a-f]{8} removed\n$/);
    expect(await store.leftovers(fleet.url)).toEqual([]);
    expect((await on("fleet", "clear", before.experiments[0]!.hash)).stderr).toContain("0 chunks of experiment");

    expect((await on("fleet", "resume")).code).toBe(0);
    expect((await fleet.coordinator().end).code).toBe(0);
    expect(await state(fleet)).toMatchObject({ drained: false, queued: 0, active: 0, failed: 0, experiments: [] });
    worker!.signal("SIGTERM");
    expect((await worker!.end).code).toBe(0);
    await until("the worker has left", async () => (await state(fleet)).workers.length === 0);
  });
});

interface WholeState extends FleetState {
  readonly drained: boolean;
}

async function state(fleet: Fleet): Promise<WholeState> {
  return (await fleet.state()) as WholeState;
}

function shown(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//***@");
}

describe("without the optional packages", { timeout }, () => {
  const folder = mkdtempSync(join(root, "without-"));
  const hook = new URL("fixtures/withoutPackages.mjs", import.meta.url).href;
  const without = (packages: string, ...args: string[]) =>
    new Promise<Ended>((resolve) => {
      const env = { ...process.env, WITHOUT: packages };
      execFile(process.execPath, ["--import", hook, BIN, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : (error.code as unknown as number), stdout, stderr });
      });
    });

  it("one machine is all the same", async () => {
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

describe("a worker that was told to stop", () => {
  it.each([
    ["SIGINT", "SIGTERM"],
    ["SIGTERM", "SIGINT"],
    ["SIGTERM", "SIGTERM"],
  ] as const)("by %s ends at once by %s", async (first, second) => {
    const module = new URL("../dist/firstSignal.js", import.meta.url).href;
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

describe("usage", () => {
  test.each([
    [["worker"], "ERR_USAGE: no queue is given; name it with --queue or in the environment variable TSALLIS_QUEUE"],
    [["fleet", "drain"], "ERR_USAGE: no queue is given"],
    [["worker", "--queue", "http://ada:secret@host"], "ERR_QUEUE: the queue needs a URL such as redis://host:6379/0"],
    [["worker", "--queue", "redis://host", "--concurrency", "0"], "--concurrency: ERR_PARAMETER: concurrency must be an integer in [1, 1024], got 0"],
    [["worker", "--queue", "redis://host", "--patience", "x"], "--patience: ERR_PARAMETER: patience must be an integer"],
    [["run", "--queue", "redis://host", "--workers", "2"], "ERR_USAGE: --workers counts threads of this machine"],
    [["fleet", "clear", "nothing", "--queue", "redis://host"], 'ERR_USAGE: "nothing" is neither a folder of results nor the hash of an experiment'],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await tsallis(args, "", root);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("secret");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});

describe("what is said", () => {
  it("of a fleet", () => {
    const workers = [{ name: "vm.7.2.ab12", host: "vm", pid: 7, concurrency: 2, chunks: ["0123456789abcdef-fedcba9876543210"] }];
    const progress = { runs: 30, done: 9, failed: 1, roundsPerSecond: 1_900_000, age: 1 };
    const experiments = [
      { name: "big", hash: "0123456789", queued: 3, active: 1, progress },
      { name: "old", hash: "abcdefabcdef", queued: 0, active: 0, progress: { ...progress, age: 75 } },
      { name: "new", hash: "fedcbafedcba", queued: 0, active: 0, progress: null },
    ];
    const text = fleetText({
      queue: "tsallis-1",
      url: "redis://h",
      drained: true,
      workers,
      queued: 3,
      active: 1,
      failed: 0,
      experiments,
      others: ["tsallis-2"],
    });
    const cells = text.split("\n").map((line) =>
      line
        .replace(/[│┌─┬┐├┼┤└┴┘]/g, " ")
        .trim()
        .replace(/ {2,}/g, " | "),
    );
    expect(cells.filter((line) => line !== "")).toEqual([
      "tsallis-1 at redis://h, drained: nothing more is taken until tsallis fleet resume",
      // Who has been silent for a minute does not play.
      "1 worker, 2 slots; chunks: 3 queued, 1 active, 0 failed; 1.9 million rounds/s",
      "other versions: tsallis-2",
      "worker | host | process | slots | playing",
      "vm.7.2.ab12 | vm | 7 | 2 | 01234567-fedcba98",
      "experiment | hash | runs | failed | rounds/s | queued | active | heard",
      "big | 01234567 | 9 of 30 | 1 | 1.9 million | 3 | 1 | now",
      "old | abcdefab | 9 of 30 | 1 | 1.9 million | 0 | 0 | 1 min 15 s ago",
      "new | fedcbafe | - | - | - | 0 | 0 | -",
    ]);
  });

  it("by a worker", () => {
    expect(workerText({ event: "health", chunks: 1, runs: 40, roundsPerSecond: 12_345, active: 2, queued: 7 })).toBe(
      "1 chunk with 40 runs done, 2 at work, 12 thousand rounds/s, 7 queued",
    );
    expect(workerText({ event: "chunk", chunk: "x", runs: 1, failed: 0, rounds: 1, seconds: 1 })).toBeUndefined();
    expect(workerText({ event: "idle", reason: "tsallis-1 has no chunk to play", others: ["tsallis-2"] })).toMatch(
      /^idle: tsallis-1 has no chunk to play; there is also tsallis-2, for workers of that version/,
    );
  });

  it("of progress: the workers that are connected, and notices between the lines", () => {
    let lines = "";
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      lines += text;
      return true;
    });
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const progress = new RunProgress("small", "out");
    progress.show({ runs: 4, done: 0, failed: 0, resumed: 0, rounds: 0, roundsInAll: 4000 });
    progress.interrupt("no worker listens");
    clock.mockReturnValue(6000);
    progress.showWorkers(1);
    clock.mockReturnValue(12_000);
    progress.showWorkers(3);
    progress.stop();
    expect(lines.split("\n").slice(1)).toEqual([
      "tsallis: no worker listens",
      "tsallis: 0 %, 0 of 4 runs, 1 worker",
      "tsallis: 0 %, 0 of 4 runs, 3 workers",
      "",
    ]);
  });

  it("of a command line that had a password in it", () => {
    const url = "redis://ada:secret@host:6379/0";
    expect(withoutCredentials(["run", "a.yaml", "--queue", url], url)).toEqual(["run", "a.yaml", "--queue", "redis://***@host:6379/0"]);
    expect(withoutCredentials(["run", `--queue=${url}`], url)).toEqual(["run", "--queue=redis://***@host:6379/0"]);
    expect(withoutCredentials(["run"], undefined)).toEqual(["run"]);
  });
});
