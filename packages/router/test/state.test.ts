import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Explanation } from "../src/explanation.js";
import type { Router } from "../src/router.js";
import type { RouterOptions, StateOptions } from "../src/routerOptions.js";
import { sums } from "./sums.js";

let folder: string;
let file: string;
const children: ChildProcess[] = [];
const routers: Router[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "tsallis-router-")));
  file = join(folder, "state.json");
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(routers.splice(0).map((router) => router.close().catch(() => {})));
  rmSync(folder, { recursive: true, force: true });
});

function make(options: Partial<RouterOptions> & { state?: string | StateOptions } = {}): Router {
  const router = createRouter({ upstreams: ["a", "b"], seed: 1, state: file, ...options });
  routers.push(router);
  return router;
}

function play(router: Router, rounds: number): void {
  for (let i = 0; i < rounds; i++) {
    const ticket = router.choose();
    if (i % 10 === 9) ticket.failed();
    else ticket.done((ticket.upstream === "a" ? 0.01 : 0.02) * (1 + (i % 3)));
  }
}

/** Everything but where the state is kept, and what the clock said. */
function known(router: Router): unknown {
  const text = JSON.stringify({ ...router.explain(), state: null, snapshot: router.snapshot() });
  return JSON.parse(text, (key, value) => (key === "time" ? null : value));
}

interface Reply {
  readonly explanation?: Explanation;
  readonly error?: { readonly name: string; readonly code: string; readonly message: string };
}

/** Another process, and how to talk to it. */
async function holder(): Promise<{ child: ChildProcess; tell: (command: string, more?: object) => Promise<Reply> }> {
  const child = fork(fileURLToPath(new URL("stateHolder.mjs", import.meta.url)), [file], { execArgv: [] });
  children.push(child);
  await once(child, "message");
  let id = 0;
  const tell = (command: string, more: object = {}) =>
    new Promise<Reply>((resolve) => {
      const mine = ++id;
      const listen = (reply: Reply & { id: number }) => {
        if (reply.id !== mine) return;
        child.off("message", listen);
        resolve(reply);
      };
      child.on("message", listen);
      child.send({ id: mine, command, ...more });
    });
  return { child, tell };
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe("a snapshot", () => {
  it("goes on bit for bit, through JSON", async () => {
    for (const options of [
      {},
      { baseline: true },
      { policy: { policy: "htinf", alpha: 1.5, sigma: 0.1 } },
      { policy: { policy: "ucb1" } },
    ] as const) {
      const first = createRouter({ upstreams: ["a", "b"], seed: 1, ...options });
      play(first, 1500);
      const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
      expect(snapshot).toEqual(first.snapshot());
      const second = createRouter({ upstreams: ["a", "b"], seed: 99, state: { snapshot }, ...options });
      expect(known(second)).toEqual(known(first));
      play(first, 700);
      play(second, 700);
      expect(known(second)).toEqual(known(first));
    }
  });

  it("or an explanation changes nothing by being taken", () => {
    const [asked, left] = [createRouter({ upstreams: ["a", "b"], seed: 1 }), createRouter({ upstreams: ["a", "b"], seed: 1 })];
    for (let i = 0; i < 300; i++) {
      play(asked, 1);
      play(left, 1);
      asked.explain();
      asked.snapshot();
    }
    expect(known(asked)).toEqual(known(left));
  });

  it("holds open tickets as numbers only: they count as forgotten where it is restored", () => {
    const first = createRouter({ upstreams: ["a", "b"], seed: 1 });
    play(first, 10);
    first.choose();
    first.choose();
    const second = createRouter({ upstreams: ["a", "b"], state: { snapshot: first.snapshot() } });
    expect(sums(first)).toMatchObject({ chosen: 12, open: 2, forgotten: 0 });
    expect(sums(second)).toMatchObject({ chosen: 12, open: 0, forgotten: 2 });
  });

  it.each<[string, Partial<RouterOptions>, string]>([
    ["another policy", { policy: { policy: "ucb1" } }, "policy"],
    ["another half-life", { forgetting: { halfLife: 5 } }, "policy"],
    ["other upstreams", { upstreams: ["a", "c"] }, "upstreams"],
    ["more upstreams", { upstreams: ["a", "b", "c"] }, "upstreams"],
    ["another order of the upstreams", { upstreams: ["b", "a"] }, "upstreams"],
    ["another loss", { loss: "total" }, "loss"],
    ["a baseline", { baseline: true }, "baseline"],
  ])("is refused by a router with %s", (_, options, parameter) => {
    const { snapshot } = { snapshot: createRouter({ upstreams: ["a", "b"] }).snapshot() };
    expect(() => createRouter({ upstreams: ["a", "b"], state: { snapshot }, ...options })).toThrow(
      expect.objectContaining({ code: "ERR_STATE_OTHER", parameter }),
    );
  });

  // biome-ignore lint/suspicious/noExplicitAny: what is damaged has no type
  it.each<[string, (snapshot: Record<string, any>) => void, string]>([
    ["another version", (s) => (s.version = 2), "version"],
    ["a count that does not add up", (s) => s.records[0].done++, "records[0].chosen"],
    ["a negative count", (s) => (s.records[1].late = -1), "records[1].late"],
    ["half a count", (s) => (s.records[1].repeated = 0.5), "records[1].repeated"],
    ["a missing record", (s) => s.records.pop(), "records"],
    ["a loss that is null", (s) => (s.records[0].losses[0] = null), "records[0].losses"],
    ["too many losses", (s) => (s.records[0].losses = Array(1001).fill(1)), "records[0].losses"],
    ["a missing failure", (s) => s.records[0].failures.pop(), "records[0].failures"],
    ["a sum that is null", (s) => (s.records[0].sum = null), "records[0].sum"],
    ["a draw's state of zeros", (s) => (s.rng = [0, 0, 0, 0]), "rng"],
    ["a policy's state that is gone", (s) => delete s.policy.state, "policy"],
    ["a favourite that is none", (s) => (s.regimes.favourite = 2), "regimes.favourite"],
    ["a last change of nobody", (s) => (s.regimes.last = { round: 1, time: "", from: "x", to: "a" }), "regimes.last"],
  ])("with %s is damaged", (_, damage, parameter) => {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1 });
    play(router, 50);
    const snapshot = JSON.parse(JSON.stringify(router.snapshot()));
    createRouter({ upstreams: ["a", "b"], state: { snapshot } });
    damage(snapshot);
    expect(() => createRouter({ upstreams: ["a", "b"], state: { snapshot } })).toThrow(expect.objectContaining({ code: "ERR_STATE", parameter }));
  });

  it.each([null, 3, [], "x", {}])("is not %j", (snapshot) => {
    expect(() => createRouter({ upstreams: ["a", "b"], state: { snapshot } })).toThrow(expect.objectContaining({ code: "ERR_STATE" }));
  });
});

describe("a state file", () => {
  it("is written on close and read at creation, and nothing else is left in its folder", async () => {
    const first = make();
    play(first, 800);
    const before = known(first);
    await first.close();
    expect(readdirSync(folder)).toEqual(["state.json"]);
    const second = make({ seed: 2 });
    expect(known(second)).toEqual(before);
    expect(second.explain().state).toEqual({ file, written: null, error: null });
    await second.close();
    // Nothing has happened, so nothing was written.
    expect(second.explain().state).toMatchObject({ written: null });
  });

  it("is written at intervals, but only if something has happened", async () => {
    const router = make({ state: { file, interval: 0.02 } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(existsSync(file)).toBe(false);
    play(router, 30);
    await until(() => router.explain().state?.written !== null);
    const { checksum, snapshot } = JSON.parse(readFileSync(file, "utf8"));
    expect(snapshot).toEqual(JSON.parse(JSON.stringify(router.snapshot())));
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, (text: string) => string]>([
    ["cut short", (text) => text.slice(0, text.length / 2)],
    ["empty", () => ""],
    ["of one changed digit", (text) => text.replace(/"sum":(\d)/, (_, digit) => `"sum":${(Number(digit) % 9) + 1}`)],
    ["something else", () => '{"hello": "world"}'],
    ["a list", () => "[]"],
    ["not text", () => "\u0000\u0001\u0002"],
  ])("that is %s is refused, left alone, and put aside for a fresh start if told to", async (_, damage) => {
    const first = make();
    play(first, 40);
    await first.close();
    const damaged = damage(readFileSync(file, "utf8"));
    writeFileSync(file, damaged);
    expect(() => make()).toThrow(expect.objectContaining({ name: "RouterError", code: "ERR_STATE", message: expect.stringContaining(file) }));
    expect(readdirSync(folder)).toEqual(["state.json"]);
    const fresh = make({ state: { file, damaged: "fresh" } });
    expect(fresh.explain().rounds).toBe(0);
    const aside = readdirSync(folder).filter((name) => name.endsWith(".aside"));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(folder, aside[0]!), "utf8")).toBe(damaged);
    play(fresh, 5);
    await fresh.close();
    expect(make().explain().rounds).toBe(5);
  });

  it("of another router is refused by name, and put aside for a fresh start if told to", async () => {
    const first = make();
    play(first, 40);
    await first.close();
    expect(() => make({ upstreams: ["a", "x"] })).toThrow(
      expect.objectContaining({ code: "ERR_STATE_OTHER", message: expect.stringContaining(file) }),
    );
    const fresh = make({ upstreams: ["a", "x"], state: { file, damaged: "fresh" } });
    expect(fresh.explain().rounds).toBe(0);
  });

  it("that can not be written is told of, at intervals in explain() and by close()", async () => {
    const router = make({ state: { file, interval: 0.02 } });
    // A folder where the file beside it should be.
    mkdirSync(`${file}.part`);
    play(router, 3);
    await until(() => router.explain().state?.error !== null);
    await expect(router.close()).rejects.toMatchObject({ code: "ERR_STATE_WRITE" });
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

it("a file that can not be there is refused with a code", () => {
  const state = join(folder, "x".repeat(300));
  expect(() => make({ state })).toThrow(expect.objectContaining({ name: "RouterError", code: "ERR_STATE_WRITE", parameter: "state.file" }));
});

describe("two routers", () => {
  it("of one process may not share a file, under another name neither", async () => {
    const first = make();
    expect(() => make()).toThrow(expect.objectContaining({ code: "ERR_STATE_BUSY" }));
    symlinkSync(folder, `${folder}-link`);
    try {
      expect(() => make({ state: join(`${folder}-link`, "state.json") })).toThrow(expect.objectContaining({ code: "ERR_STATE_BUSY" }));
    } finally {
      rmSync(`${folder}-link`);
    }
    await first.close();
    await make().close();
    expect(readdirSync(folder).filter((name) => name.includes("lock"))).toEqual([]);
  });

  it("of two processes may not share a file; after kill -9 of the first the second may have it, with all that was written", async () => {
    const first = await holder();
    expect(await first.tell("create", { options: { interval: 0.02 } })).not.toHaveProperty("error");
    expect(() => make()).toThrow(expect.objectContaining({ code: "ERR_STATE_BUSY", message: expect.stringContaining(String(first.child.pid)) }));
    await first.tell("play", { rounds: 60 });
    await first.tell("leave open", { rounds: 4 });
    await until(() => existsSync(file) && JSON.parse(readFileSync(file, "utf8")).snapshot.policy.round === 64);
    await killed(first.child);
    expect(existsSync(`${file}.lock`)).toBe(true);
    const second = make();
    expect(sums(second)).toMatchObject({ chosen: 64, done: 60, forgotten: 4, open: 0 });
    expect((await (await holder()).tell("create")).error).toMatchObject({ name: "RouterError", code: "ERR_STATE_BUSY" });
    await second.close();
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("killed while it writes leaves a file that is whole", async () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const { child, tell } = await holder();
      await tell("create", { options: { interval: 0.001 } });
      for (let i = 0; i < 20 + attempt; i++) await tell("play", { rounds: 50 });
      await killed(child);
      const router = make();
      expect(router.explain().rounds % 50).toBe(0);
      sums(router);
      await router.close();
    }
    expect(make().explain().rounds).toBeGreaterThan(0);
  });

  it.each([
    ["there is no lock", async () => {}],
    [
      "a dead process has left its lock",
      async () => {
        const { child, tell } = await holder();
        await tell("create");
        await killed(child);
        expect(existsSync(`${file}.lock`)).toBe(true);
      },
    ],
  ])("or more at once: exactly one gets the file when %s", async (_, prepare) => {
    await prepare();
    const rivals = await Promise.all(Array.from({ length: 4 }, holder));
    const replies = await Promise.all(rivals.map(({ tell }) => tell("create")));
    expect(replies.map(({ error }) => error?.code).sort()).toEqual(["ERR_STATE_BUSY", "ERR_STATE_BUSY", "ERR_STATE_BUSY", undefined]);
  });

  it.each<[string, () => void]>([
    ["empty", () => writeFileSync(`${file}.lock`, "")],
    ["of nobody", () => writeFileSync(`${file}.lock`, '{"pid":"x"}')],
    [
      "of this process' number, from an earlier life",
      () => writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, token: "0".repeat(36) })),
    ],
    [
      "of the parent process, but older than the machine's last start",
      () => {
        writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.ppid, token: "0".repeat(36) }));
        utimesSync(`${file}.lock`, 1, 1);
      },
    ],
  ])("a lock that is %s is taken over", async (_, leave) => {
    leave();
    await make().close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a lock of a live process is respected, whatever else it is", () => {
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.ppid, token: "0".repeat(36) }));
    expect(() => make()).toThrow(expect.objectContaining({ code: "ERR_STATE_BUSY" }));
    expect(existsSync(`${file}.lock`)).toBe(true);
  });

  it("a taker that died half way is taken over too", async () => {
    const dead = { pid: 2 ** 22 + 1, token: "0".repeat(36) };
    writeFileSync(`${file}.lock`, JSON.stringify(dead));
    writeFileSync(`${file}.lock.${dead.token}`, JSON.stringify({ ...dead, token: "1".repeat(36) }));
    await make().close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
