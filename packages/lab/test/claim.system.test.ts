import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";

const RIVALS = 8;
const root = mkdtempSync(join(tmpdir(), "tsallis-claim-"));

interface Reply {
  readonly code?: string;
  readonly message?: string;
}

async function claimant(execArgv: readonly string[]): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL("claimant.mjs", import.meta.url)), [], { execArgv: [...execArgv] });
  await once(child, "message");
  return child;
}

async function tell(child: ChildProcess, command: "claim" | "release", directory: string): Promise<Reply> {
  const reply = once(child, "message");
  child.send({ command, directory });
  return (await reply)[0] as Reply;
}

afterAll(() => rmSync(root, { recursive: true }));

describe.each([
  ["", []],
  [", on a file system without hard links", ["--import", new URL("noLinks.mjs", import.meta.url).href]],
])("processes that start at once on one folder%s", (_, execArgv) => {
  let rivals: ChildProcess[];
  beforeAll(async () => {
    rivals = await Promise.all(Array.from({ length: RIVALS }, () => claimant(execArgv)));
  });
  afterAll(() => {
    for (const child of rivals) child.kill("SIGKILL");
  });

  const cases: [string, (directory: string) => void][] = [
    ["that does not exist", () => {}],
    ["that is empty", (directory) => mkdirSync(directory)],
    ["with the lock of a dead process", (directory) => leave(directory, JSON.stringify({ pid: 2 ** 22 + 1, start: 0, token: "0".repeat(36) }))],
    ["with a lock that nobody can read", (directory) => leave(directory, "garbage")],
  ];
  const leave = (directory: string, lock: string) => {
    mkdirSync(directory);
    writeFileSync(join(directory, "lock"), lock);
  };

  it.each(cases)("%s: exactly one gets it, and it is free again afterwards", async (_, prepare) => {
    for (let i = 0; i < soak(10, 500); i++) {
      const directory = join(root, "out");
      rmSync(directory, { recursive: true, force: true });
      prepare(directory);
      const replies = await Promise.all(rivals.map((child) => tell(child, "claim", directory)));
      expect(replies.map(({ code }) => code).sort()).toEqual([...Array.from({ length: RIVALS - 1 }, () => "ERR_BUSY"), undefined]);
      const owner = rivals[replies.findIndex(({ code }) => code === undefined)]!;
      for (const { message } of replies) if (message !== undefined) expect(message).toContain(`is held by process ${owner.pid};`);
      await Promise.all(rivals.map((child) => tell(child, "release", directory)));
      expect(readdirSync(directory)).toEqual(["experiment.json"]);
    }
  });

  it("after kill -9 of the owner, exactly one of the others gets it", async () => {
    const directory = mkdtempSync(join(root, "killed-"));
    const owner = await claimant(execArgv);
    expect(await tell(owner, "claim", directory)).toEqual({});
    const gone = once(owner, "exit");
    owner.kill("SIGKILL");
    await gone;
    expect(existsSync(join(directory, "lock"))).toBe(true);
    const replies = await Promise.all(rivals.map((child) => tell(child, "claim", directory)));
    expect(replies.filter(({ code }) => code === undefined)).toHaveLength(1);
    await Promise.all(rivals.map((child) => tell(child, "release", directory)));
  });
});
