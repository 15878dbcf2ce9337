import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService } from "@tsallis/service";
import Database from "libsql";
import { afterAll, expect, it } from "vitest";
import { tsallis as command } from "./command.js";
import { tsallis } from "./inProcess.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("copies a store under a writer: the copy is a beginning of the log, proved by its audit, and the writer misses nothing", async () => {
  const file = join(folder, "tsallis.db");
  const service = createService({ store: file });
  const bandit = service.bandit("checkout");
  await bandit.create({ arms: ["a", "b"], seed: 1 });
  let count = 0;
  let isRunning = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (isRunning) {
      const decision = await bandit.decide({ id: `order-${count++}` });
      await bandit.feedback(decision, { loss: 1 });
    }
  });
  for (const name of ["one.db", "two.db"]) {
    const before = (await bandit.view()).seq;
    // Another process: this one goes on deciding.
    const { code, stdout, stderr } = await command(["backup", name], "", folder);
    expect([code, stderr]).toEqual([0, `tsallis: ${name} is a copy of tsallis.db\n`]);
    const [, events, head] = /^checkout: ([\d,]+) events, [\d,]+ decisions: all as recorded, bit for bit \(head ([0-9a-f]{32})\)\n$/.exec(stdout)!;
    expect(Number(events!.replaceAll(",", ""))).toBeGreaterThanOrEqual(before);
    expect((await tsallis(["audit", "--head", head!], "", folder)).code).toBe(0);
    expect((await tsallis(["audit", "--db", name], "", folder)).stdout).toBe(stdout);
  }
  isRunning = false;
  await Promise.all(writers);
  expect((await bandit.view()).counters).toMatchObject({ decisions: count, answered: count });
  await service.close();
  expect(readdirSync(folder).sort()).toEqual(["one.db", "tsallis.db", "two.db"]);

  // Restored, it goes on from there.
  const restored = createService({ store: join(folder, "one.db") });
  expect((await restored.bandit("checkout").decide({ id: "order-0" })).repeated).toBe(true);
  await restored.close();
});

it("what lay there under the name of an unfinished copy is written again; a copy of damage is kept and reported", async () => {
  const file = join(folder, "damaged.db");
  const service = createService({ store: file });
  const bandit = service.bandit("b");
  await bandit.create({ arms: ["a", "b"], seed: 1 });
  for (let i = 0; i < 3; i++) await bandit.feedback(await bandit.decide({ id: `d${i}` }), { loss: 1 });
  await service.close();
  const database = new Database(file);
  database.exec("UPDATE event SET body = replace(body, '\"loss\":1', '\"loss\":2') WHERE seq = 4; DELETE FROM snapshot");
  database.close();
  writeFileSync(join(folder, "copy.db.part"), "half of a copy");
  const { code, stdout, stderr } = await tsallis(["backup", "--db", "damaged.db", "copy.db"], "", folder);
  expect([code, stdout]).toEqual([1, "b: 3 events as recorded; event 4 is not\n"]);
  expect(stderr).toMatch(
    /^tsallis: copy\.db is a copy of damaged\.db\ntsallis: b: ERR_REPLAY: event 4 is not as it was written.*; the store has the same\n$/,
  );
  expect([existsSync(join(folder, "copy.db")), existsSync(join(folder, "copy.db.part"))]).toEqual([true, false]);
});

it.each([
  [["backup", "one.db"], "ERR_BACKUP: one.db exists; name a new file"],
  [["backup", "--db", "none.db", "x.db"], "none.db: ERR_FILE: no such store; name another with --db, or start one"],
  [["backup", "none/x.db"], "ERR_STORE: "],
  [["backup", ""], "ERR_USAGE: the name of the copy is empty; give the name of a new file"],
])("%j is refused, and leaves nothing behind", async (args, message) => {
  const before = readdirSync(folder).sort();
  const { code, stdout, stderr } = await tsallis(args, "", folder);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.startsWith(`tsallis: ${message}`), stderr).toBe(true);
  expect(stderr).not.toContain("secret");
  expect(readdirSync(folder).sort()).toEqual(before);
});
