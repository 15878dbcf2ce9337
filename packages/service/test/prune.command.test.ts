import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditFiles, auditStore, openStore, pruneStore, type Store } from "@tsallis/service";
import Database from "libsql";
import { afterAll, describe, expect, it } from "vitest";
import { BanditRegistry } from "../dist/bandit/banditRegistry.js";
import { change, decide, feedback } from "../dist/bandit/requests.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-prune-"));
const stores: Store[] = [];
afterAll(async () => {
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const DAY = 86_400_000;
const BIRTH = 1_700_000_000_000;
let files = 0;

/** A service with a clock of its own, on a file of its own. */
class Shop {
  now = BIRTH;
  readonly file = join(folder, `${++files}.db`);
  store!: Store;
  registry!: BanditRegistry;
  readonly problems: unknown[] = [];

  static async open(): Promise<Shop> {
    const shop = new Shop();
    await shop.start();
    await shop.registry.create("shop", { arms: ["a", "b", "c"], seed: 5, windowSeconds: 3600, segments: ["eu", "us", "asia", "new", "old"] });
    return shop;
  }

  async start(): Promise<void> {
    this.store = await openStore(this.file);
    stores.push(this.store);
    const { store } = this;
    const onProblem = (error: unknown) => this.problems.push(error);
    this.registry = new BanditRegistry({ store, now: () => this.now, maxOpen: 1000, onCommit: () => {}, onLostRace: () => {}, onProblem });
  }

  /** As after a crash: what is in memory is lost. */
  async crash(): Promise<void> {
    await this.store.close();
    await this.start();
  }

  async restart(): Promise<void> {
    await this.registry.close();
    await this.crash();
  }

  /** As many new snapshots as are kept. */
  async turnOver(): Promise<void> {
    for (let i = 0; i < 3; i++) {
      await this.decide([`turn${i}`]);
      await this.restart();
    }
  }

  async decide(ids: readonly string[], segment = "") {
    const queue = await this.registry.queue("shop");
    return queue.submit(decide(ids.map((id) => ({ id, segment }))));
  }

  async feedback(ids: readonly string[], loss: number): Promise<unknown[]> {
    const queue = await this.registry.queue("shop");
    const results = await queue.submit(feedback(ids.map((id) => ({ id, feedback: { loss } }))));
    return results.map((result) => (result instanceof Error ? (result as Error & { code: string }).code : result.status));
  }

  /** A day of traffic: decisions `from.0`, `from.1` and so on, answered in the hour after. */
  async day(name: string, count: number, segments: readonly string[] = [""]): Promise<void> {
    for (const segment of segments) {
      const ids = Array.from({ length: count }, (_, i) => `${name}${segment}.${i}`);
      await this.decide(ids, segment);
      this.now += 60_000;
      await this.feedback(ids.slice(1), 1.5);
      this.now += 2 * 3_600_000;
      // The first one is never answered.
      await this.registry.sweep();
    }
    this.now += DAY;
  }

  prune(before: number, file: string, bandit?: string) {
    return pruneStore(this.store, { before, file, bandit, now: () => this.now });
  }

  async audit(...exports: string[]) {
    const [result] = await auditStore(this.store, { files: exports.map((name) => ({ name, bytes: createReadStream(name) })) });
    return result!;
  }

  /** The state of every segment, and the counts. */
  async state(): Promise<unknown> {
    const queue = await this.registry.queue("shop");
    const learners: Record<string, unknown> = {};
    for (const segment of ["", ...queue.bandit.state.segments.keys()]) {
      await queue.visit(segment);
      learners[segment] = queue.bandit.learners.get(segment)!.snapshot();
    }
    return JSON.parse(JSON.stringify({ learners, counted: queue.bandit.state.counted, seq: queue.bandit.state.seq }));
  }
}

const exported = (name: string) => join(folder, `${name}.ndjson.gz`);

describe("prune", () => {
  it("moves the old events into a file; file and store together are the whole log, and the bandit goes on with the same bits", async () => {
    const [shop, twin] = [await Shop.open(), await Shop.open()];
    for (const one of [shop, twin]) {
      for (let day = 0; day < 6; day++) await one.day(`d${day}`, 8, ["", "eu"]);
      await one.restart();
      for (let day = 6; day < 9; day++) await one.day(`d${day}`, 8, ["", "eu", "us"]);
      one.now += 40 * DAY;
      await one.restart();
    }
    const whole = await shop.audit();
    const [pruned] = await shop.prune(BIRTH + 4 * DAY, exported("whole"));
    expect(pruned).toMatchObject({ name: "shop", recomputed: true });
    expect(pruned!.events).toBe(pruned!.upTo);
    expect(pruned!.events + pruned!.kept).toBe(whole.events);
    const [row] = await shop.store.bandits();
    expect(row).toMatchObject({ prunedSeq: pruned!.upTo, prunedHash: pruned!.hash });
    expect((await shop.store.events(row!.id, 0, 1))[0]!.seq).toBe(pruned!.upTo + 1);
    expect(await shop.audit(exported("whole"))).toEqual(whole);
    expect(await shop.audit()).toMatchObject({ differs: null, head: whole.head, after: expect.any(Number) });
    for (const one of [shop, twin]) {
      await one.crash();
      await one.day("later", 8, ["", "us", "eu", "new"]);
    }
    expect(await shop.state()).toEqual(await twin.state());
    const end = await shop.audit(exported("whole"));
    // Salts are random, so that two logs never have the same hashes.
    expect({ ...end, head: "" }).toEqual({ ...(await twin.audit()), head: "" });
    expect(end.differs).toBe(null);
    expect(shop.problems).toEqual([]);
  });

  it("prunes again, from where it stopped, and needs both files then", async () => {
    const shop = await Shop.open();
    for (let day = 0; day < 8; day++) {
      await shop.day(`d${day}`, 10);
      await shop.restart();
    }
    shop.now += 60 * DAY;
    const [first] = await shop.prune(BIRTH + 2 * DAY, exported("first"));
    expect(await shop.prune(BIRTH + 2 * DAY, exported("nothing"))).toEqual([]);
    expect(existsSync(exported("nothing"))).toBe(false);
    await shop.day("again", 10);
    const [second] = await shop.prune(BIRTH + 5 * DAY, exported("second"));
    expect(second).toMatchObject({ recomputed: false, events: second!.upTo - first!.upTo });
    const whole = await shop.audit(exported("first"), exported("second"));
    expect(whole).toMatchObject({ differs: null, after: 0 });
    await expect(shop.audit(exported("first"))).rejects.toMatchObject({ code: "ERR_LOG" });
    await expect(shop.audit(exported("second"))).rejects.toMatchObject({ code: "ERR_LOG" });
    const both = await auditFiles(["first", "second"].map((name) => ({ name, bytes: createReadStream(exported(name)) })));
    expect(both).toMatchObject([{ events: second!.upTo, head: second!.hash, differs: null }]);
  });

  it("refuses a date that is younger than the window and 30 days, and then does nothing", async () => {
    const shop = await Shop.open();
    await shop.day("d", 5);
    await shop.turnOver();
    shop.now = BIRTH + 50 * DAY;
    const latest = shop.now - 3_600_000 - 30 * DAY;
    await expect(shop.prune(latest + 1, exported("young"))).rejects.toMatchObject({ code: "ERR_PRUNE", parameter: "before" });
    expect(existsSync(exported("young"))).toBe(false);
    expect(await shop.prune(latest, exported("old"))).toHaveLength(1);
    await expect(shop.prune(latest, exported("old"), "nobody")).rejects.toMatchObject({ code: "ERR_UNKNOWN_BANDIT" });
  });

  it("keeps decisions that wait, however old they are, and their ids; forgets those that went", async () => {
    const shop = await Shop.open();
    const queue = await shop.registry.queue("shop");
    await shop.day("d", 6);
    await queue.submit(change({ windowSeconds: 7_000_000 }));
    const [waiting] = await shop.decide(["waits"]);
    await queue.submit(change({ windowSeconds: 3600 }));
    for (let day = 0; day < 3; day++) await shop.day(`e${day}`, 6);
    shop.now += 40 * DAY;
    await shop.restart();
    const [pruned] = await shop.prune(shop.now - 35 * DAY, exported("waiting"));
    await shop.crash();
    expect(await shop.decide(["waits"])).toEqual([{ ...waiting, repeated: true }]);
    const [row] = await shop.store.bandits();
    const [first] = await shop.store.events(row!.id, 0, 1);
    expect([first!.decision, first!.seq]).toEqual(["waits", pruned!.upTo + 1]);
    expect(await shop.feedback(["waits", "d.1", "e2.1"], 1.5)).toEqual(["applied", "ERR_UNKNOWN_DECISION", "repeated"]);
    expect((await shop.audit(exported("waiting"))).differs).toBe(null);
  });

  it("an id that went can be used again, though its outcome is still there", async () => {
    const shop = await Shop.open();
    await shop.decide(["answered", "silent", "x"]);
    shop.now += DAY;
    // They expire, and one is told of late.
    await shop.registry.sweep();
    expect(await shop.feedback(["answered"], 1)).toEqual(["late"]);
    await shop.turnOver();
    shop.now += 40 * DAY;
    const [pruned] = await shop.prune(BIRTH + DAY, exported("outcomes"));
    expect(pruned!.upTo).toBe(3);
    expect(await shop.feedback(["answered"], 1)).toEqual(["ERR_UNKNOWN_DECISION"]);
    const again = await shop.decide(["answered", "silent"]);
    expect(again.map((one) => (one as { repeated: boolean }).repeated)).toEqual([false, false]);
    await shop.crash();
    expect(await shop.feedback(["answered"], 2)).toEqual(["applied"]);
    expect(await shop.feedback(["answered"], 2)).toEqual(["repeated"]);
    shop.now += DAY;
    await shop.registry.sweep();
    expect(await shop.feedback(["silent"], 3)).toEqual(["late"]);
    await shop.restart();
    expect(await shop.feedback(["silent"], 3)).toEqual(["repeated"]);
    expect(await shop.audit(exported("outcomes"))).toMatchObject({ differs: null, after: 0 });
    expect(await shop.audit()).toMatchObject({ differs: null });
    expect(shop.problems).toEqual([]);
  });

  it("a segment that began after the prune, and whose server crashed before its first snapshot, goes on", async () => {
    const shop = await Shop.open();
    for (let day = 0; day < 3; day++) await shop.day(`d${day}`, 6);
    shop.now += 40 * DAY;
    await shop.restart();
    await shop.prune(BIRTH + 2 * DAY, exported("segment"));
    await shop.decide(["eu.0", "eu.1"], "eu");
    await shop.feedback(["eu.0"], 1);
    await shop.crash();
    // More snapshots of the bandit than are kept, without a word of the segment.
    for (let i = 0; i < 5; i++) {
      await shop.decide([`more${i}`]);
      shop.now += 70_000;
      await shop.decide([`most${i}`]);
    }
    await shop.crash();
    const [next] = await shop.decide(["eu.2"], "eu");
    expect(next).toMatchObject({ decision: { round: 3 } });
    expect((await shop.audit(exported("segment"))).differs).toBe(null);
    expect((await shop.audit()).differs).toBe(null);
    expect(shop.problems).toEqual([]);
  });

  it("a server that lags behind loads a segment that another one has saved and pruned behind it", async () => {
    const shop = await Shop.open();
    for (let day = 0; day < 3; day++) await shop.day(`d${day}`, 6, ["", "eu"]);
    shop.now += 40 * DAY;
    await shop.restart();
    const other = await openStore(shop.file);
    stores.push(other);
    const problems: unknown[] = [];
    const lagging = new BanditRegistry({
      store: other,
      now: () => shop.now,
      maxOpen: 1000,
      onCommit: () => {},
      onLostRace: () => {},
      onProblem: (error) => problems.push(error),
    });
    const queue = await lagging.queue("shop");
    for (let i = 0; i < 5; i++) {
      await shop.decide([`eu${i}`], "eu");
      shop.now += 70_000;
      await shop.decide([`more${i}`], "eu");
    }
    await shop.prune(BIRTH + 2 * DAY, exported("lagging"));
    const [made] = await queue.submit(decide([{ id: "lag", segment: "eu" }]));
    expect(made).toMatchObject({ decision: { id: "lag", segment: "eu" } });
    expect(problems).toEqual([]);
    expect((await shop.audit(exported("lagging"))).differs).toBe(null);
  });

  it("an interrupted prune loses nothing: whatever it deleted is in its file, and the next one goes on", async () => {
    const shop = await Shop.open();
    for (let day = 0; day < 6; day++) {
      await shop.day(`d${day}`, 20);
      await shop.restart();
    }
    shop.now += 40 * DAY;
    const whole = await shop.audit();
    // The store deletes in parts. Here it is stopped between two of them.
    const halfway = new Proxy(shop.store, {
      get(store, key) {
        if (key === "prune") {
          return async (bandit: number, upTo: number) => {
            const [half] = await store.events(bandit, Math.floor(upTo / 2) - 1, 1);
            await store.prune(bandit, half!.seq, half!.hash);
            throw new Error("killed");
          };
        }
        const value = Reflect.get(store, key, store) as unknown;
        return typeof value === "function" ? value.bind(store) : value;
      },
    });
    const options = { before: BIRTH + 4 * DAY, now: () => shop.now };
    await expect(pruneStore(halfway, { ...options, file: exported("killed") })).rejects.toThrow("killed");
    expect(await shop.audit(exported("killed"))).toEqual(whole);
    expect((await shop.audit()).differs).toBe(null);
    await shop.crash();
    const [rest] = await pruneStore(shop.store, { ...options, file: exported("rest") });
    expect(rest).toMatchObject({ recomputed: false });
    expect(await shop.audit(exported("killed"), exported("rest"))).toEqual(whole);
    await shop.day("after", 5);
    expect((await shop.audit(exported("killed"), exported("rest"))).differs).toBe(null);
  });

  it("deletes nothing if the file cannot be written, exists, or does not hold what it must", async () => {
    const shop = await Shop.open();
    for (let day = 0; day < 4; day++) await shop.day(`d${day}`, 10);
    await shop.restart();
    shop.now += 40 * DAY;
    const whole = await shop.audit();
    const taken = exported("taken");
    writeFileSync(taken, "mine");
    const refused = { code: "ERR_PRUNE" };
    await expect(shop.prune(BIRTH + 2 * DAY, taken)).rejects.toMatchObject(refused);
    expect(readFileSync(taken, "utf8")).toBe("mine");
    await expect(shop.prune(BIRTH + 2 * DAY, join(folder, "nowhere", "x.gz"))).rejects.toMatchObject(refused);
    const damaged = new Database(shop.file);
    damaged.exec("UPDATE event SET body = replace(body, '1.5', '1.25') WHERE seq = (SELECT min(seq) FROM event WHERE kind = 'feedback')");
    await expect(shop.prune(BIRTH + 2 * DAY, exported("damaged"))).rejects.toMatchObject(refused);
    damaged.exec("UPDATE event SET body = replace(body, '1.25', '1.5')");
    damaged.close();
    const [row] = await shop.store.bandits();
    expect(row!.prunedSeq).toBe(0);
    expect(await shop.audit()).toEqual(whole);
  });
});
