import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { afterAll, expect, it } from "vitest";
import { Answers } from "./answers.js";
import { live } from "./live.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-restore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Puts the tables of an older copy into a store that is open, as a restore under a running server does. */
function restore(copy: string, file: string): void {
  const database = new Database(file);
  database.exec(`ATTACH '${copy}' AS older`);
  const tables = ["bandit", "event", "snapshot", "key"];
  database.exec(
    `BEGIN IMMEDIATE; ${tables.map((table) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM older.${table}`).join("; ")}; COMMIT`,
  );
  database.close();
}

it("a bandit without events whose place another one took, after a restore under running servers: refused, and the other one is untouched", async () => {
  const one = await live();
  try {
    // A second server on the same file, which knows nothing of what the first has in memory.
    const two = await live({ store: one.file });
    try {
      const [first, second] = [await Answers.of(one.url), await Answers.of(two.url)];
      await first.put("kept", { arms: ["a", "b"], seed: 1 });
      const copy = join(folder, "older.db");
      copyFileSync(one.file, copy);
      copyFileSync(`${one.file}-wal`, `${copy}-wal`);
      await first.put("checkout", { arms: ["a", "b"] });
      restore(copy, one.file);
      await second.put("stranger", { arms: ["x", "y", "z"] });
      await first.refused(503, "ERR_REPLAY", "POST", "/v1/bandits/checkout/decisions", { body: { id: "order-1" } });
      expect(await second.view("stranger")).toMatchObject({ seq: 0 });
      await second.decide("stranger", { id: "order-1" });
      await second.feedback("stranger", "order-1", { loss: 1 });
    } finally {
      await two.close();
    }
  } finally {
    await one.close();
  }
});

it("a bandit that is created again, without a seed, after a restore: the server that knows the one before does not write to it", async () => {
  const one = await live();
  try {
    const two = await live({ store: one.file });
    try {
      const [first, second] = [await Answers.of(one.url), await Answers.of(two.url)];
      const copy = join(folder, "empty.db");
      copyFileSync(one.file, copy);
      copyFileSync(`${one.file}-wal`, `${copy}-wal`);
      await first.put("checkout", { arms: ["a", "b"] });
      restore(copy, one.file);
      await second.put("checkout", { arms: ["a", "b"] });
      await first.refused(503, "ERR_REPLAY", "POST", "/v1/bandits/checkout/decisions", { body: { id: "order-1" } });
      await second.decide("checkout", { id: "order-1" });
    } finally {
      await two.close();
    }
  } finally {
    await one.close();
  }
});
