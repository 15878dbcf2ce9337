import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { openStore } from "@tsallis/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tsallis as run } from "./inProcess.js";
import { DAY_MS, served } from "./served.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-prune-"));
afterAll(() => rmSync(folder, { recursive: true }));

const prune = (...args: string[]) => run(["prune", ...args], "", folder);
const audit = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(["audit", ...args], "", folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};
const date = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const copied = (name: string) => copyFileSync(join(folder, "shop.db"), join(folder, name));

/** What an audit says of the store before anything was pruned. */
let whole = "";
beforeAll(async () => {
  // Four times a service ran and was stopped: its three newest snapshots are kept, and the first is what the bandit can go on from.
  for (const [i, daysAgo] of [100, 90, 80, 1].entries())
    await served(join(folder, "shop.db"), { bandit: "checkout", daysAgo, rounds: 3, ids: `time${i}` });
  await served(join(folder, "shop.db"), { bandit: "young", daysAgo: 1, rounds: 1 });
  whole = await audit("--db", "shop.db");
  expect(whole).toMatch(/^checkout: 240 events, 120 decisions: all as recorded.*\nyoung: 20 events/);
});

describe("prune", () => {
  it("moves what is old into a file; with it, the audit of the store is what it was, bit for bit", async () => {
    copied("moved.db");
    const { code, stdout, stderr } = await prune("--db", "moved.db", "--before", date(60), "--export", "old.ndjson.gz");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // The event of the oldest snapshot stays, as all of the younger bandit does.
    expect(stdout).toBe("checkout: 119 events moved into old.ndjson.gz (every decision recomputed), 121 events stay\n");
    expect(
      gunzipSync(readFileSync(join(folder, "old.ndjson.gz")))
        .toString()
        .split("\n"),
    ).toHaveLength(121);
    expect(await audit("old.ndjson.gz", "--db", "moved.db")).toBe(whole);
    expect(await audit("old.ndjson.gz")).toMatch(/^checkout: 119 events, 60 decisions: all as recorded, bit for bit/);
    // Without the file, what the snapshot says is taken as it is.
    const alone = await run(["audit", "--db", "moved.db"], "", folder);
    expect(alone).toMatchObject({ code: 3, stderr: expect.stringContaining("ERR_UNPROVED: checkout: not everything could be proved") });
    expect(alone.stdout).toMatch(/^checkout: pruned, so audited from its snapshot at event 120 on: 120 events, 60 decisions: all as recorded \(head/);
  });

  it("again, with what came later; the files follow one another", async () => {
    copied("twice.db");
    await prune("--db", "twice.db", "--before", date(95), "--export", "first.ndjson");
    const { stdout } = await prune("--db", "twice.db", "--before", date(60), "--export", "second.ndjson");
    expect(stdout).toBe("checkout: 59 events moved into second.ndjson (the chain of hashes followed), 121 events stay\n");
    expect(readFileSync(join(folder, "first.ndjson"), "utf8").split("\n")[1]).toMatch(/^\{"seq":1,/);
    expect(await audit("first.ndjson", "second.ndjson", "--db", "twice.db")).toBe(whole);
  });

  it("only of one bandit", async () => {
    copied("one.db");
    expect(await prune("--db", "one.db", "--before", date(60), "--export", "none.gz", "--bandit", "young")).toEqual({
      code: 0,
      stdout: "",
      stderr: "tsallis: nothing to prune: every event before that date is still needed\n",
    });
    expect(existsSync(join(folder, "none.gz"))).toBe(false);
  });

  it("keeps decisions that wait for feedback, and what came after them", async () => {
    await served(join(folder, "waiting.db"), { bandit: "slow", daysAgo: 100, rounds: 2, open: 3 });
    const { stdout } = await prune("--db", "waiting.db", "--before", date(60), "--export", "slow.ndjson");
    expect(stdout).toBe("slow: 27 events moved into slow.ndjson (every decision recomputed), 10 events stay\n");
    expect(await audit("slow.ndjson", "--db", "waiting.db")).toMatch(/^slow: 37 events, 20 decisions: all as recorded/);
  });

  it("that ended in the middle of deleting has lost nothing, and can be done again", async () => {
    copied("halfway.db");
    await prune("--db", "halfway.db", "--before", date(60), "--export", "halfway.ndjson.gz");
    // As it is when the process ends after the first of several transactions: the file is whole, the store has half of it still.
    copied("halfway.db");
    const store = await openStore(join(folder, "halfway.db"));
    const [row] = await store.bandits();
    const [last] = await store.events(row!.id, 49, 1);
    await store.prune(row!.id, 50, last!.hash);
    await store.close();
    expect(await audit("halfway.ndjson.gz", "--db", "halfway.db")).toBe(whole);
    const { stdout } = await prune("--db", "halfway.db", "--before", date(60), "--export", "rest.ndjson.gz");
    expect(stdout).toBe("checkout: 69 events moved into rest.ndjson.gz (the chain of hashes followed), 121 events stay\n");
    expect(await audit("halfway.ndjson.gz", "rest.ndjson.gz", "--db", "halfway.db")).toBe(whole);
  });
});

describe("refusals", () => {
  it.each([
    [["--export", "x.gz"], "ERR_USAGE: required option '--before <date>' not specified"],
    [["--before", "2020-01-01"], "ERR_USAGE: required option '--export <file>' not specified"],
    [["--before", "2020-01-01", "--export", ""], "ERR_USAGE: --export is empty; give the name of a new file"],
    [["--before", "", "--export", "x.gz"], '--before: ERR_PARAMETER: before must be a date such as 2026-09-01 or 2026-09-01T12:00:00Z, got ""'],
    [["--before", "last week", "--export", "x.gz"], "--before: ERR_PARAMETER: before must be a date such as"],
    [["--before", "2020-02-30", "--export", "x.gz"], "--before: ERR_PARAMETER: before must be a date such as"],
    [["--before", "2020-01-01T12:00:00", "--export", "x.gz"], "--before: ERR_PARAMETER: before must be a date such as"],
    [
      ["--before", date(20), "--export", "x.gz"],
      "--before: ERR_PRUNE: checkout has a window of 3600 s, and an id is remembered for 30 days more; the latest date",
    ],
    [["--before", date(60), "--export", "taken.gz"], "--export: ERR_PRUNE: taken.gz exists already, and is not overwritten; name another file"],
    [["--before", date(60), "--export", "none/x.gz"], "--export: ERR_PRUNE: none/x.gz cannot be written: ENOENT"],
    [["--before", date(60), "--export", "x.gz", "--bandit", "nope"], "--bandit: ERR_UNKNOWN_BANDIT: "],
    [["--before", date(60), "--export", "x.gz", "--db", "nope.db"], "nope.db: ERR_FILE: no such store"],
  ])("%j is one line on stderr and exit code 2, and nothing happens", async (args, message) => {
    writeFileSync(join(folder, "taken.gz"), "precious");
    const { code, stdout, stderr } = await prune("--db", "shop.db", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^tsallis: .+\n$/);
    expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
    expect(existsSync(join(folder, "x.gz"))).toBe(false);
    expect(readFileSync(join(folder, "taken.gz"), "utf8")).toBe("precious");
    expect(await audit("--db", "shop.db")).toBe(whole);
  });

  it("a log that is not as it was written is not pruned, and no file stays", async () => {
    copied("damaged.db");
    const { default: Database } = await import("libsql");
    const database = new Database(join(folder, "damaged.db"));
    database.exec(`UPDATE event SET body = replace(body, '"loss":', '"loss":1') WHERE bandit = 1 AND seq = 11`);
    database.close();
    const { code, stderr } = await prune("--db", "damaged.db", "--before", date(60), "--export", "damaged.gz");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^tsallis: ERR_PRUNE: damaged\.gz does not hold the log as it must be, so nothing was pruned: event 11 is not as it was/);
    expect(existsSync(join(folder, "damaged.gz"))).toBe(false);
    const again = await run(["audit", "--db", "damaged.db"], "", folder);
    expect([again.code, again.stdout.split("\n")[0]]).toEqual([1, "checkout: 10 events as recorded; event 11 is not"]);
  });
});
