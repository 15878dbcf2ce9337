import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../test/until.js";
import { createRouter } from "../src/createRouter.js";

/** What happens to the next writes: null is what the disk does. */
const disk: { write: null | ((text: string, file: FileHandle) => Promise<void>) } = { write: null };

// The class of all open files is changed, and not the module: unit tests share a process, in which the router may have loaded the module before.
let restore = () => {};
beforeAll(async () => {
  const file = await open(fileURLToPath(import.meta.url));
  const handles: FileHandle = Object.getPrototypeOf(file);
  await file.close();
  const append = handles.appendFile;
  handles.appendFile = function (this: FileHandle, ...args: Parameters<FileHandle["appendFile"]>) {
    return disk.write === null ? append.apply(this, args) : disk.write(String(args[0]), this);
  };
  restore = () => {
    handles.appendFile = append;
  };
});
afterAll(() => restore());

interface Line {
  readonly time: number;
  readonly id: string;
  readonly route: string;
  readonly upstream: string;
  readonly probability: number;
  readonly loss: number | null;
  readonly unit: string | null;
  readonly outcome: string;
  readonly seconds: number;
}

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tsallis-"));
});
afterEach(() => {
  disk.write = null;
  rmSync(folder, { recursive: true });
});

const files = () => readdirSync(folder).sort();
const linesOf = (name: string): Line[] =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe("the decision log", () => {
  it("has one line for each choice when it ends, whatever becomes of it", async () => {
    const router = createRouter({ upstreams: ["a", 'b "quoted"'], seed: 1, penalty: 7, log: folder, clockSeconds: () => 0 });
    const tickets = Array.from({ length: 6 }, (_, i) => router.choose({ route: i === 0 ? "first" : "other" }));
    tickets[3]!.done(0.25);
    tickets[0]!.failed(new Error("x"));
    tickets[1]!.abandoned();
    tickets[2]!.done(Number.NaN);
    tickets[4]!.done(-1);
    tickets[4]!.done(2);
    expect(router.explain().log).toEqual({ folder, written: 0, dropped: 0, error: null });
    await router.close();
    const lines = files().flatMap(linesOf);
    expect(lines.map(({ route, outcome, loss }) => [route, outcome, loss])).toEqual([
      ["other", "done", 0.25],
      ["first", "failed", 7],
      ["other", "abandoned", null],
      ["other", "refused", null],
      ["other", "done", -1],
      ["other", "forgotten", null],
    ]);
    const sequences = lines.map(({ id }) => Number(id.split("-")[1]));
    expect(sequences).toEqual([4, 1, 2, 3, 5, 6]);
    expect(lines.map(({ upstream, probability, unit }) => [upstream, probability, unit])).toEqual(
      sequences.map((n) => [tickets[n - 1]!.upstream, tickets[n - 1]!.probability, null]),
    );
    expect(new Set(lines.map(({ id }) => id.split("-")[0])).size).toBe(1);
    // The order of the times is that of the decisions.
    const byTime = [...lines].sort((a, b) => a.time - b.time).map(({ id }) => Number(id.split("-")[1]));
    expect(byTime).toEqual([1, 2, 3, 4, 5, 6]);
    expect(Math.abs(lines[0]!.time - Date.now())).toBeLessThan(3_600_000);
    expect(router.explain().log).toEqual({ folder, written: 6, dropped: 0, error: null });
    expect(router.metrics()).toMatch(/\ntsallis_router_log_written_total 6\n[\s\S]*\ntsallis_router_log_dropped_total 0\n$/);
  });

  it("says that losses are seconds where they are, and is not there unless it is asked for", async () => {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1, lossIsElapsedSeconds: true, log: { folder } });
    router.choose().done(0.25);
    await router.close();
    expect(linesOf(files()[0]!)[0]).toMatchObject({ loss: 0.25, unit: "s" });
    const without = createRouter({ upstreams: ["a", "b"], seed: 1 });
    expect(without.explain().log).toBeNull();
    expect(without.metrics()).not.toContain("_log_");
  });

  it("writes soon, without being closed", async () => {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1, log: folder });
    router.choose().done(1);
    await until("a line is written", () => router.explain().log!.written === 1);
    router.choose().done(2);
    await until("another one is written", () => router.explain().log!.written === 2);
    expect(files().flatMap(linesOf)).toHaveLength(2);
    await router.close();
  });

  it("begins a new file when one is full, deletes the oldest, also of earlier routers, and leaves other files alone", async () => {
    writeFileSync(join(folder, "decisions-20200101T000000000Z-old-000001.jsonl"), "old\n");
    writeFileSync(join(folder, "notes.txt"), "mine");
    const router = createRouter({ upstreams: ["a", "b"], seed: 1, log: { folder, maxFileBytes: 65_536, maxFiles: 3 } });
    for (let i = 0; i < 3000; i++) router.choose().done(i);
    await router.close();
    const kept = files().filter((name) => name.startsWith("decisions-"));
    expect([kept.length, files().includes("notes.txt"), kept.some((name) => name.includes("-old-"))]).toEqual([3, true, false]);
    for (const name of kept) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(65_536);
    expect(statSync(join(folder, kept[0]!)).size).toBeGreaterThan(65_000);
    const sequences = kept.flatMap(linesOf).map(({ id }) => Number(id.split("-")[1]));
    expect(sequences).toEqual(sequences.map((_, i) => 3001 - sequences.length + i));
    expect(router.explain().log).toMatchObject({ written: 3000, dropped: 0 });
  });

  it("a folder that cannot be written stops no choice: lines are dropped and counted, and the reason is given", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const router = createRouter({ upstreams: ["a", "b"], seed: 1, log: join(file, "below") });
    for (let i = 0; i < 100; i++) router.choose().done(i);
    await until("lines are dropped", () => router.explain().log!.dropped === 100);
    expect(router.explain().log).toMatchObject({ written: 0, error: expect.stringContaining("ENOTDIR") });
    expect(router.explain().rounds).toBe(100);
    expect(router.metrics()).toContain("\ntsallis_router_log_dropped_total 100\n");
    await router.close();
  });

  it("a full disk costs the lines of that time: a cut line is the last of its file, and when there is room again they go on", async () => {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1, log: folder });
    const log = () => router.explain().log!;
    const play = async (count: number, ended: () => boolean) => {
      for (let i = 0; i < count; i++) router.choose().done(i);
      await until("the lines are written or dropped", ended);
    };
    await play(10, () => log().written === 10);
    disk.write = async (text, file) => {
      await file.write(text.slice(0, -5));
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    };
    await play(10, () => log().dropped === 10);
    expect(log().error).toContain("ENOSPC");
    // A file in which nothing could be written does not stay.
    await play(10, () => log().dropped === 20);
    disk.write = null;
    await play(10, () => log().written === 20);
    expect(log().error).toBeNull();
    await router.close();
    const texts = files().map((name) => readFileSync(join(folder, name), "utf8"));
    expect(texts.map((text) => text.endsWith("\n"))).toEqual([false, true]);
    const whole = texts.flatMap((text) => text.split("\n").slice(0, -1)).map((line) => JSON.parse(line) as Line);
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
    expect(whole.length).toBeGreaterThanOrEqual(20);
  });

  it("a disk that hangs takes no more memory than a million characters, and no time of a choice", async () => {
    let free = () => {};
    const freed = new Promise<void>((resolve) => {
      free = resolve;
    });
    disk.write = () => freed;
    const router = createRouter({ upstreams: ["a", "b"], seed: 1, log: folder });
    const choices = 20_000;
    for (let i = 0; i < choices; i++) router.choose().done(i);
    const { dropped } = router.explain().log!;
    // Lines of 150 to 250 characters.
    expect(choices - dropped).toBeGreaterThan(4000);
    expect(choices - dropped).toBeLessThan(6700);
    expect(router.explain().rounds).toBe(choices);
    free();
    await router.close();
    expect(router.explain().log).toMatchObject({ written: choices - dropped, dropped });
  });
});
