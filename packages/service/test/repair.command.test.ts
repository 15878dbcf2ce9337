import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditStore, eraseDecision, openStore, repairBandit, type Store } from "@tsallis/service";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BanditRegistry } from "../dist/bandit/banditRegistry.js";
import { Answers } from "./answers.js";
import { live } from "./live.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-repair-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SOUND = join(folder, "sound.db");
let copies = 0;

beforeAll(async () => {
  const service = await live({ store: SOUND });
  const answers = await Answers.of(service.url);
  await answers.put("shop", { arms: ["a", "b", "c"], seed: 5, segments: ["eu"] });
  for (let i = 0; i < 20; i++) {
    await answers.decide("shop", { id: `d${i}`, ...(i % 3 === 0 ? { segment: "eu" } : {}) });
    if (i % 2 === 0) await answers.feedback("shop", `d${i}`, { loss: i });
  }
  await service.close();
});

/** A copy of the store whose event 20 was changed. */
function damaged(statement = "UPDATE event SET at = at + 1 WHERE seq = 20"): string {
  const file = join(folder, `${++copies}.db`);
  copyFileSync(SOUND, file);
  const database = new Database(file);
  database.exec(`${statement}; DELETE FROM snapshot`);
  database.close();
  return file;
}

async function using<T>(file: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(file);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const audits = (file: string, heads: readonly string[] = []) => using(file, (store) => auditStore(store, { heads }));

describe("a bandit whose log does not replay", () => {
  it("is cut after its last good event; the log names what was dropped, and goes on", async () => {
    const { head } = (await audits(SOUND))[0]!;
    const file = damaged();
    expect((await audits(file))[0]!.differs!.seq).toBe(20);
    const dry = await using(file, (store) => repairBandit(store, { bandit: "shop", dryRun: true }));
    expect(dry).toMatchObject({ name: "shop", kept: 19, dropped: 11, head, reason: expect.stringMatching(/^event 20 is not as it was written/) });
    expect((await audits(file))[0]!.differs!.seq).toBe(20);
    expect(await using(file, (store) => repairBandit(store, { bandit: "shop", by: "me" }))).toEqual(dry);
    const [result] = await audits(file, [head, dry.hash]);
    expect(result).toMatchObject({ differs: null, events: 20, unproved: 0, repairs: [{ seq: 20, dropped: 11, head }] });
    expect(result!.heads).toEqual([{ hash: dry.hash, seq: 19 }]);
    await expect(using(file, (store) => repairBandit(store, { bandit: "shop" }))).rejects.toMatchObject({ code: "ERR_REPAIR" });
    const service = await live({ store: file });
    const answers = await Answers.of(service.url);
    await answers.decide("shop", { id: "new" });
    await answers.refused(404, "ERR_UNKNOWN_DECISION", "GET", "/v1/bandits/shop/decisions/d19");
    expect(await answers.decide("shop", { id: "d19" })).not.toHaveProperty("repeated");
    await service.close();
    expect((await audits(file))[0]).toMatchObject({ differs: null, events: 22 });
  });

  it("is copied up to there under a new name, and stays as it is", async () => {
    const file = damaged();
    const { head } = (await audits(SOUND))[0]!;
    await using(file, (store) => repairBandit(store, { bandit: "shop", fork: "shop-2" }));
    const [old, fork] = await audits(file);
    expect(old).toMatchObject({ name: "shop", differs: { seq: 20 } });
    expect(fork).toMatchObject({ name: "shop-2", differs: null, events: 20, unproved: 0, repairs: [{ seq: 20, dropped: 11, head }] });
    for (const name of ["shop-2", "shop"])
      await expect(using(file, (store) => repairBandit(store, { bandit: "shop", fork: name }))).rejects.toMatchObject({
        code: "ERR_REPAIR",
        parameter: "fork",
      });
    // It decides as the sound one would have: the same events, the same seed.
    const service = await live({ store: file });
    const answers = await Answers.of(service.url);
    expect(await answers.expect(200, "GET", "/v1/bandits/shop-2/decisions/d3")).toMatchObject({ arm: expect.any(String) });
    await answers.decide("shop-2", { id: "new", segment: "eu" });
    await answers.refused(503, "ERR_REPLAY", "POST", "/v1/bandits/shop/decisions", { body: {} });
    // And one that is shut can be deleted.
    expect(await answers.expect(200, "DELETE", "/v1/bandits/shop")).toMatchObject({ seq: 30 });
    await answers.refused(404, "ERR_UNKNOWN_BANDIT", "GET", "/v1/bandits/shop");
    await service.close();
    expect(await audits(file)).toMatchObject([{ name: "shop-2", differs: null, events: 21 }]);
  });

  it.each([
    ["the last event is missing", "DELETE FROM event WHERE seq = 30", 29],
    ["an event in the middle is missing", "DELETE FROM event WHERE seq = 7", 6],
    ["the first event was changed", "UPDATE event SET at = at + 1 WHERE seq = 1", 0],
  ])("%s", async (what, statement, kept) => {
    const { head } = (await audits(SOUND))[0]!;
    const file = damaged(statement);
    const expected = { dropped: 30 - kept, head: what.startsWith("the last") ? "" : head };
    expect(await using(file, (store) => repairBandit(store, { bandit: "shop" }))).toMatchObject({ kept, ...expected });
    expect((await audits(file))[0]).toMatchObject({ differs: null, events: kept + 1, repairs: [{ seq: kept + 1, ...expected }] });
  });

  it("keeps ids erased whose events of erasure are dropped, and says so", async () => {
    const sound = join(folder, `${++copies}.db`);
    copyFileSync(SOUND, sound);
    await using(sound, (store) => eraseDecision(store, { bandit: "shop", id: "d1" }));
    const database = new Database(sound);
    database.exec("UPDATE event SET at = at + 1 WHERE seq = 20; DELETE FROM snapshot");
    database.close();
    await using(sound, (store) => repairBandit(store, { bandit: "shop", fork: "shop-2" }));
    await using(sound, (store) => repairBandit(store, { bandit: "shop" }));
    for (const result of await audits(sound)) expect(result).toMatchObject({ differs: null, events: 20, erased: 1, repairs: [{ dropped: 13 }] });
  });

  it("that needs none is refused, and a fork of a pruned one", async () => {
    const pruned = damaged(
      "UPDATE bandit SET pruned_seq = 2, pruned_hash = (SELECT hash FROM event WHERE seq = 2); DELETE FROM event WHERE seq <= 2",
    );
    await expect(using(pruned, (store) => repairBandit(store, { bandit: "shop" }))).rejects.toMatchObject({ code: "ERR_REPAIR" });
    const cut = join(folder, `${++copies}.db`);
    copyFileSync(SOUND, cut);
    const database = new Database(cut);
    database.exec("UPDATE bandit SET pruned_seq = 2, pruned_hash = (SELECT hash FROM event WHERE seq = 2); DELETE FROM event WHERE seq <= 2");
    database.exec("UPDATE bandit SET seq = 31");
    database.close();
    await expect(using(cut, (store) => repairBandit(store, { bandit: "shop", fork: "copy" }))).rejects.toMatchObject({
      code: "ERR_REPAIR",
      parameter: "fork",
    });
    expect(await using(cut, (store) => repairBandit(store, { bandit: "shop" }))).toMatchObject({ kept: 30, dropped: 1 });
    const file = damaged("SELECT 1");
    await expect(using(file, (store) => repairBandit(store, { bandit: "shop" }))).rejects.toMatchObject({ code: "ERR_REPAIR" });
    await expect(using(file, (store) => repairBandit(store, { bandit: "nobody" }))).rejects.toMatchObject({ code: "ERR_UNKNOWN_BANDIT" });
  });

  it("is opened again by a server that runs, once its log has changed", async () => {
    const file = damaged();
    await using(file, async (store) => {
      const ignore = () => {};
      const registry = new BanditRegistry({ store, now: () => Date.now(), maxOpen: 10, onCommit: ignore, onLostRace: ignore, onProblem: ignore });
      const { signal } = new AbortController();
      for (let i = 0; i < 2; i++) {
        await registry.warm(signal);
        expect([...registry.shut]).toEqual([["shop", "ERR_REPLAY"]]);
      }
      await using(file, (other) => repairBandit(other, { bandit: "shop" }));
      await registry.warm(signal);
      expect([...registry.shut]).toEqual([]);
      expect((await registry.queue("shop")).bandit.state.seq).toBe(20);
      await registry.close();
    });
  });
});

describe("a segment that is deleted", () => {
  it("forgets what it has learned, ends what is open, and begins again with another generator if it is listed again", async () => {
    const service = await live();
    const answers = await Answers.of(service.url);
    await answers.put("shop", { arms: ["a", "b"], seed: 5, segments: ["eu", "us"] });
    const play = async (name: string, count: number) => {
      for (let i = 0; i < count; i++) {
        await answers.decide("shop", { id: `${name}${i}`, segment: "eu" });
        if (i < count - 1) await answers.feedback("shop", `${name}${i}`, { loss: i });
      }
    };
    await play("first", 5);
    const remove = () => answers.expect(200, "DELETE", "/v1/bandits/shop/segments?segment=eu");
    expect(await remove()).toMatchObject({ segments: [], document: { segments: ["us"] }, counters: { open: 0, expired: 1 } });
    const seq = await answers.seq("shop");
    await answers.refused(422, "ERR_UNKNOWN_SEGMENT", "DELETE", "/v1/bandits/shop/segments?segment=eu");
    await answers.refused(422, "ERR_UNKNOWN_SEGMENT", "POST", "/v1/bandits/shop/decisions", { body: { segment: "eu" } });
    expect(await answers.seq("shop")).toBe(seq);
    expect(await answers.feedback("shop", "first4", { loss: 1 })).toEqual({ status: "late" });
    await answers.expect(200, "PATCH", "/v1/bandits/shop", { body: { segments: ["us", "eu"] } });
    await play("second", 3);
    expect(await answers.view("shop", "?segment=eu")).toMatchObject({ round: 3 });
    await service.close({ keep: true });
    expect((await audits(service.file))[0]).toMatchObject({ differs: null, unproved: 0 });
    // Also without any snapshot, and by a server that loads the segment alone.
    const database = new Database(service.file);
    database.exec("DELETE FROM snapshot");
    database.close();
    const again = await live({ store: service.file });
    const there = await Answers.of(again.url);
    expect(await there.view("shop", "?segment=eu")).toMatchObject({ round: 3 });
    await there.decide("shop", { id: "third", segment: "eu" });
    await again.close();
    expect((await audits(service.file))[0]).toMatchObject({ differs: null, unproved: 0 });
    service.remove();
  });
});

it("a server that knows a bandit which another one has deleted: 404, and nothing is written", async () => {
  const one = await live();
  const two = await live({ store: one.file });
  const [first, second] = [await Answers.of(one.url), await Answers.of(two.url)];
  await first.put("shop", { arms: ["a", "b"] });
  await second.decide("shop", { id: "d" });
  await first.expect(200, "PATCH", "/v1/bandits/shop", { body: { state: "archived" } });
  await first.expect(200, "DELETE", "/v1/bandits/shop");
  await second.refused(404, "ERR_UNKNOWN_BANDIT", "POST", "/v1/bandits/shop/decisions", { body: { id: "e" } });
  await second.refused(410, "ERR_DELETED", "PUT", "/v1/bandits/shop", { body: { arms: ["a", "b"] } });
  expect(await audits(one.file)).toEqual([]);
  await two.close();
  await one.close();
});

it("a bandit that takes rewards takes no losses, and the other way round", async () => {
  const service = await live();
  const answers = await Answers.of(service.url);
  await answers.put("sales", { arms: ["a", "b"], direction: "reward", unit: "EUR" });
  await answers.put("waits", { arms: ["a", "b"] });
  for (const name of ["sales", "waits"]) await answers.decide(name, { id: "d" });
  await answers.refused(422, "ERR_DIRECTION", "POST", "/v1/bandits/sales/decisions/d/feedback", { body: { loss: 3 } });
  await answers.refused(422, "ERR_DIRECTION", "POST", "/v1/bandits/waits/decisions/d/feedback", { body: { reward: 3 } });
  await answers.feedback("sales", "d", { reward: 3 });
  expect(await answers.expect(200, "GET", "/v1/bandits/sales/decisions/d")).toMatchObject({ outcome: { loss: -3 } });
  const change = (body: object) => answers.expect(200, "PATCH", "/v1/bandits/sales", { body });
  expect((await change({ unit: "USD" })).document).toMatchObject({ unit: "USD", direction: "reward" });
  const seq = await answers.seq("sales");
  await change({ unit: "USD" });
  expect(await answers.seq("sales")).toBe(seq);
  await answers.refused(422, "ERR_BODY", "PATCH", "/v1/bandits/sales", { body: { direction: "loss" } });
  await service.close({ keep: true });
  expect((await audits(service.file))[0]).toMatchObject({ differs: null });
  service.remove();
});
