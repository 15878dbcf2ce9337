import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openStore } from "@tsallis/service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import { ended, startIn } from "./command.js";
import { tsallis as run } from "./inProcess.js";
import { DAY_MS, served } from "./served.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-prune-killed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const BEFORE = new Date(Date.now() - 60 * DAY_MS).toISOString().slice(0, 10);
const audit = (...args: string[]) => run(["audit", ...args], "", folder);

/** What an audit says of the store before anything was pruned. */
let whole: Awaited<ReturnType<typeof audit>>;
beforeAll(async () => {
  // What goes takes several transactions of 10,000 events; the snapshots that are kept are those of three short times after it.
  await served(join(folder, "large.db"), { bandit: "large", daysAgo: 100, rounds: 15, perRound: 1000 });
  for (const daysAgo of [90, 80, 1]) await served(join(folder, "large.db"), { bandit: "large", daysAgo, rounds: 1, ids: `time${daysAgo}` });
  whole = await audit("--db", "large.db");
  expect(whole.stdout).toMatch(/^large: 30,060 events, 15,030 decisions: all as recorded/);
});

async function pruned(db: string): Promise<number> {
  const store = await openStore(join(folder, db));
  const [row] = await store.bandits();
  await store.close();
  return row!.prunedSeq;
}

/** Starts a prune of a copy of the store, and ends it by a signal at some moment after it has begun to write its file. */
async function interrupted(name: string, signal: "SIGKILL" | "SIGINT", afterMs: number) {
  const [db, file] = [`${name}.db`, `${name}.ndjson.gz`];
  copyFileSync(join(folder, "large.db"), join(folder, db));
  const child = startIn(folder, "prune", "--db", db, "--before", BEFORE, "--export", file);
  const all = ended(child);
  while (!existsSync(join(folder, file)) && child.exitCode === null) await setTimeout(1);
  await setTimeout(afterMs);
  child.kill(signal);
  return { db, file, ...(await all) };
}

/** Moments of the whole way: export, verification, deletion. */
const moments = (count: number) => Array.from({ length: count }, (_, i) => Math.round((1500 * i) / count));

it.each(moments(soak(4, 40)))("killed %i ms after it began to write, it has lost nothing; the next one ends what it began", async (afterMs) => {
  const { db, file, code } = await interrupted(`killed${afterMs}`, "SIGKILL", afterMs);
  expect([null, 0]).toContain(code);
  // Whatever is gone from the store is in the file.
  const files = (await pruned(db)) > 0 ? [file] : [];
  expect(await audit(...files, "--db", db)).toEqual(whole);
  const again = await run(["prune", "--db", db, "--before", BEFORE, "--export", `again-${file}`], "", folder);
  expect(again.code).toBe(0);
  expect(await pruned(db)).toBe(30_019);
  if (existsSync(join(folder, `again-${file}`))) files.push(`again-${file}`);
  expect(await audit(...files, "--db", db)).toEqual(whole);
});

it.each(moments(soak(3, 30)))("Ctrl-C %i ms after it began to write: all is as before and no file stays, or all is done", async (afterMs) => {
  const { db, file, code, stderr } = await interrupted(`stopped${afterMs}`, "SIGINT", afterMs);
  expect(stderr).toBe("");
  expect([existsSync(join(folder, file)), await pruned(db)]).toEqual(code === 130 ? [false, 0] : [true, 30_019]);
  expect([0, 130]).toContain(code);
});
