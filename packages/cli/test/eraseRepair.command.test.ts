import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tsallis as run } from "./inProcess.js";
import { logOf, served } from "./served.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-erase-"));
afterAll(() => rmSync(folder, { recursive: true }));

const db = join(folder, "shop.db");
const command = (...args: string[]) => run([...args, "--db", db], "", folder);

/** The id of the first decision. */
let id = "";
beforeAll(async () => {
  await served(db, { bandit: "checkout", daysAgo: 1, rounds: 2 });
  const lines = (await logOf(db, "checkout")).trimEnd().split("\n").slice(1);
  id = (JSON.parse(lines[0]!) as { decision: string }).decision;
});

it("erase: the id goes, the audit counts it, and again there is nothing to do", async () => {
  expect(await command("erase", id, "--bandit", "checkout")).toEqual({ code: 0, stdout: "checkout: erased from 2 events\n", stderr: "" });
  expect(await command("erase", id, "--bandit", "checkout")).toMatchObject({ stdout: "checkout has no event with that id: nothing to erase\n" });
  const { code, stdout } = await command("audit");
  expect(code).toBe(0);
  expect(stdout).toMatch(/all as recorded, bit for bit \(head [0-9a-f]{32}\); 1 id erased\n$/);
  expect(await logOf(db, "checkout")).not.toContain(`"${id}"`);
  expect(await command("erase", id, "--bandit", "nobody")).toMatchObject({ code: 2, stderr: expect.stringContaining("ERR_UNKNOWN_BANDIT") });
});

it("repair: says what it would drop, does it with --yes, and audit --head finds what was dropped", async () => {
  const none = await command("repair", "--bandit", "checkout");
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("there is nothing to repair") });
  const [, head] = /\(head ([0-9a-f]{32})\)/.exec((await command("audit")).stdout)!;
  const database = new Database(db);
  database.exec("UPDATE event SET at = at + 1 WHERE seq = 30; DELETE FROM snapshot");
  database.close();
  expect(await command("audit")).toMatchObject({ code: 1 });
  const dry = await command("repair", "--bandit", "checkout");
  const lines = dry.stdout.split("\n");
  expect(lines[0]).toMatch(/^checkout: event 30 is not as it was written/);
  expect(lines[1]).toMatch(/^checkout: the last good event is 29 \([0-9a-f]{32}\)$/);
  expect(lines[2]).toBe(`checkout: 12 events dropped; the last of them is ${head}`);
  expect(lines[3]).toBe("nothing was changed; --yes does it");
  expect(await command("audit")).toMatchObject({ code: 1 });
  expect((await command("repair", "--bandit", "checkout", "--fork", "copy", "--yes")).stdout).toContain("copied to copy without 12 events");
  expect((await command("repair", "--bandit", "checkout", "--yes")).stdout).toBe(dry.stdout.replace("nothing was changed; --yes does it\n", ""));
  const { code, stdout, stderr } = await command("audit");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.match(new RegExp(`; repaired at event 30: 12 events dropped, the last one ${head}\n`, "g"))).toHaveLength(2);
  expect(await command("audit", "--bandit", "checkout", "--head", head!)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`${head} was the head of checkout until a repair dropped 12 events, as event 30 says`),
  });
});
