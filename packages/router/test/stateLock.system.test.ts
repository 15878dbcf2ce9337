import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import { until } from "../../../test/until.js";
import type { Explanation } from "../src/insight/explanation.js";
import { file, folder, make, useStateFolder } from "./stateFolder.js";
import { sums } from "./sums.js";

useStateFolder();

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

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

describe("two routers", () => {
  it("of one process may not share a file, not even under another name", async () => {
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

  it("of two processes may not share a file; after kill -9 of the first, the second may have it with everything that was written", async () => {
    const first = await holder();
    expect(await first.tell("create", { options: { intervalMs: 20 } })).not.toHaveProperty("error");
    expect(() => make()).toThrow(expect.objectContaining({ code: "ERR_STATE_BUSY", message: expect.stringContaining(String(first.child.pid)) }));
    await first.tell("play", { rounds: 60 });
    await first.tell("leave open", { rounds: 4 });
    await until("64 rounds are written", () => existsSync(file) && JSON.parse(readFileSync(file, "utf8")).snapshot.routes[0].policy.round === 64);
    await killed(first.child);
    expect(existsSync(`${file}.lock`)).toBe(true);
    const second = make();
    expect(sums(second)).toMatchObject({ chosen: 64, done: 60, forgotten: 4, open: 0 });
    expect((await (await holder()).tell("create")).error).toMatchObject({ name: "RouterError", code: "ERR_STATE_BUSY" });
    await second.close();
    expect(readdirSync(folder)).toEqual(["state.json"]);
  });

  it("leave a whole file if one is killed while it writes", async () => {
    for (let attempt = 0; attempt < soak(3, 100); attempt++) {
      const { child, tell } = await holder();
      await tell("create", { options: { intervalMs: 1 } });
      for (let i = 0; i < 20 + (attempt % 7); i++) await tell("play", { rounds: 50 });
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
    for (const { error } of replies) if (error !== undefined) expect(error.message).toContain(`the lock ${file}.lock is held`);
  });

  it.each<[string, () => void]>([
    ["empty", () => writeFileSync(`${file}.lock`, "")],
    ["of nobody", () => writeFileSync(`${file}.lock`, '{"pid":"x"}')],
    [
      "of this process' number, from an earlier life",
      () => {
        // Looks as if this process had held the lock and had started a second earlier.
        make();
        const owner = JSON.parse(readFileSync(`${file}.lock`, "utf8"));
        expect(owner).toMatchObject({ pid: process.pid, start: expect.any(Number) });
        writeFileSync(`${file}.lock`, JSON.stringify({ ...owner, start: owner.start - 1000 }));
      },
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

  it("a lock of a live process is respected, whatever that process is", () => {
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.ppid, token: "0".repeat(36) }));
    expect(() => make()).toThrow(expect.objectContaining({ code: "ERR_STATE_BUSY" }));
    expect(existsSync(`${file}.lock`)).toBe(true);
  });

  it("of two threads may not share a file, though each has its own copy of this package", async () => {
    const first = make();
    const thread = new Worker(new URL("stateThread.mjs", import.meta.url), { workerData: file, execArgv: [] });
    const tell = async (command: string) => {
      thread.postMessage(command);
      return (await once(thread, "message"))[0] as string;
    };
    try {
      expect(await tell("create")).toBe("ERR_STATE_BUSY");
      await first.close();
      expect(await tell("create")).toBe("done");
      expect(() => make()).toThrow(expect.objectContaining({ code: "ERR_STATE_BUSY" }));
      expect(await tell("close")).toBe("done");
      await make().close();
    } finally {
      await thread.terminate();
    }
  });

  describe("while a third removes the lock of a dead one", () => {
    const dead = { pid: 2 ** 22 + 1, token: "0".repeat(36) };
    const inner = () => `${file}.lock.${dead.token}`;
    beforeEach(() => {
      writeFileSync(`${file}.lock`, JSON.stringify(dead));
      writeFileSync(inner(), JSON.stringify({ pid: process.ppid, token: "1".repeat(36) }));
    });

    it("wait for the third", async () => {
      const remover = new Worker(`setTimeout(() => require("node:fs").rmSync(${JSON.stringify(inner())}), 50)`, { eval: true });
      await once(remover, "online");
      const router = make();
      expect(existsSync(inner())).toBe(false);
      await router.close();
      expect(readdirSync(folder)).toEqual([]);
    });

    it("do not wait for ever, and the error names the lock to delete", async () => {
      const message = `the lock ${file}.lock is held by process ${process.ppid};`;
      expect(() => make()).toThrow(expect.objectContaining({ code: "ERR_STATE_BUSY", message: expect.stringContaining(message) }));
      rmSync(`${file}.lock`);
      await make().close();
    });
  });

  it("a lock is taken over from a process that died while it was taking it over itself", async () => {
    const dead = { pid: 2 ** 22 + 1, token: "0".repeat(36) };
    writeFileSync(`${file}.lock`, JSON.stringify(dead));
    writeFileSync(`${file}.lock.${dead.token}`, JSON.stringify({ ...dead, token: "1".repeat(36) }));
    await make().close();
    expect(readdirSync(folder)).toEqual([]);
  });
});
