import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditStore, openStore } from "@tsallis/service";
import Database from "libsql";
import { stream } from "tsallis";
import { afterAll, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
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

it("random clients of two servers, and an older copy that is restored under them: what is answered afterwards is in the log, or refused", async () => {
  const one = await live();
  const two = await live({ store: one.file });
  const servers = [await Answers.of(one.url), await Answers.of(two.url)];
  const rng = stream(7, "restore");
  const names = ["a", "b", "c"];
  const acknowledged = new Map<string, { readonly name: string; readonly id: string; readonly arm: string }>();
  const refusals = new Set<string>();
  let made = 0;
  const play = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const server = servers[Math.floor(rng.uniform() * 2)]!;
      const name = names[Math.floor(rng.uniform() * names.length)]!;
      const id = `${name}${rng.uniform() < 0.2 ? Math.floor(rng.uniform() * made) : made++}`;
      const { status, json } = await server.ask("POST", `/v1/bandits/${name}/decisions`, { body: { id } });
      if (status >= 300) {
        refusals.add(`${status} ${json?.code}`);
        continue;
      }
      expect(acknowledged.get(id)?.arm ?? json.arm).toBe(json.arm);
      acknowledged.set(id, { name, id, arm: json.arm });
      if (rng.uniform() < 0.7)
        await server.ask("POST", `/v1/bandits/${name}/decisions/${id}/feedback`, { body: { loss: rng.uniform(), arm: json.arm } });
    }
  };
  for (const name of ["a", "b"]) await servers[0]!.put(name, { arms: ["x", "y"] });
  await play(150);
  const copy = join(folder, "under-load.db");
  new Database(one.file).prepare("VACUUM INTO ?").run([copy]);
  // This one, still without events, is not in the copy.
  await servers[0]!.put("c", { arms: ["x", "y"] });
  await servers[1]!.view("c");
  await play(soak(150, 1_500));
  restore(copy, one.file);
  await servers[1]!.ask("PUT", "/v1/bandits/d", { body: { arms: ["p", "q", "r"] } });
  acknowledged.clear();
  refusals.clear();
  await play(soak(150, 1_500));
  expect([...refusals].every((refusal) => ["503 ERR_REPLAY", "503 ERR_STORE", "404 ERR_UNKNOWN_BANDIT"].includes(refusal))).toBe(true);
  expect(refusals.size).toBeGreaterThan(0);
  await two.close();
  await one.close({ keep: true });
  const store = await openStore(one.file);
  for (const result of await auditStore(store)) expect(result.differs).toBeNull();
  expect((await store.bandit("d"))!.seq).toBe(0);
  for (const { name, id, arm } of acknowledged.values()) {
    const { id: bandit } = (await store.bandit(name))!;
    expect(JSON.parse((await store.look(bandit, [id])).found.get(id)!.decision.body)).toMatchObject({ arm });
  }
  await store.close();
  one.remove();
});
