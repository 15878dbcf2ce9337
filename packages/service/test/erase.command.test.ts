import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditFiles, auditStore, eraseDecision, openStore, pruneStore } from "@tsallis/service";
import Database from "libsql";
import { afterAll, describe, expect, it } from "vitest";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-erase-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAY = 86_400_000;
const SECRET = "anna.schmidt-1987";

async function audited(file: string) {
  const store = await openStore(file);
  try {
    return (await auditStore(store))[0]!;
  } finally {
    await store.close();
  }
}

/** Every text of every table of a store. */
function everything(file: string): string {
  const database = new Database(file);
  const tables = (database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").raw().all([]) as [string][]).map(([name]) => name);
  const text = tables.map((table) => JSON.stringify(database.prepare(`SELECT * FROM ${table}`).raw().all([]))).join("\n");
  database.close();
  return text;
}

/** A bandit with some decisions, of which one has the secret id. */
async function shop(service: Live, how: "answered" | "open" | "late", clock: { now: number }): Promise<Answers> {
  const answers = await Answers.of(service.url);
  await answers.put("shop", { arms: ["a", "b"], seed: 3, windowSeconds: 60, segments: ["eu"] });
  for (let i = 0; i < 5; i++) {
    await answers.decide("shop", { id: `d${i}` });
    await answers.feedback("shop", `d${i}`, { loss: i });
  }
  await answers.expect(201, "POST", "/v1/bandits/shop/decisions", {
    body: { id: SECRET, segment: "eu" },
    headers: { "x-request-id": `req-${SECRET}`, traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
  });
  if (how === "late") clock.now += 61_000;
  if (how !== "open") await answers.feedback("shop", SECRET, { loss: 2 });
  await answers.decide("shop", { id: "last" });
  return answers;
}

const erase = (answers: Answers, id = SECRET) => answers.expect(200, "POST", "/v1/bandits/shop/erase", { body: { id } });

describe("an erased id", () => {
  it("is not in the file either where pages were split: 100 of 2,500", async () => {
    const service = await live();
    const answers = await Answers.of(service.url);
    await answers.put("shop", { arms: ["a", "b"], seed: 3 });
    // In no order, so that the index is split in its middle.
    const ids = Array.from({ length: 2_500 }, (_, i) => `${((i * 7_919) % 2_500).toString(36)}-${SECRET}-${i}`);
    for (let from = 0; from < ids.length; from += 100) {
      const some = ids.slice(from, from + 100);
      await answers.expect(200, "POST", "/v1/bandits/shop/decisions:batch", { body: { decisions: some.map((id) => ({ id })) } });
      await answers.expect(200, "POST", "/v1/bandits/shop/feedback", { body: { feedback: some.map((id) => ({ id, loss: 1 })) } });
    }
    const gone = ids.filter((_, i) => i % 25 === 0);
    for (const id of gone) await erase(answers, id);
    const bytes = Buffer.concat([service.file, `${service.file}-wal`].map((name) => readFileSync(name)));
    expect(ids.filter((id) => bytes.includes(id)).length).toBeGreaterThanOrEqual(ids.length - gone.length);
    expect(gone.filter((id) => bytes.includes(id))).toEqual([]);
    await service.close();
  });

  it.each(["answered", "open", "late"] as const)("of a decision that is %s is nowhere, and the log is proved as before", async (how) => {
    const clock = { now: 1_789_000_000_000 };
    const service = await live({ now: () => clock.now });
    const answers = await shop(service, how, clock);
    const before = await audited(service.file);
    expect(everything(service.file)).toContain(SECRET);
    const { erased } = await erase(answers);
    expect(erased).toBe(how === "late" ? 3 : 2);
    // An open one is ended first, and one event says that an id was erased.
    const events = before.events + 1 + (how === "open" ? 1 : 0);
    const { seq } = await answers.view("shop");
    expect(seq).toBe(events);
    expect(await erase(answers)).toEqual({ erased: 0 });
    expect(await answers.seq("shop")).toBe(seq);
    await answers.refused(404, "ERR_UNKNOWN_DECISION", "GET", `/v1/bandits/shop/decisions/${SECRET}`);
    await answers.refused(404, "ERR_UNKNOWN_DECISION", "POST", `/v1/bandits/shop/decisions/${SECRET}/feedback`, { body: { loss: 2 } });
    for (const path of ["", "/history", "/evaluation", "/log"]) {
      const { text } = await answers.ask("GET", `/v1/bandits/shop${path}`);
      expect(text, path).not.toContain(SECRET);
    }
    // Not in the tables, and not in the bytes that SQLite has freed or keeps in its write-ahead log.
    expect(everything(service.file)).not.toContain(SECRET);
    for (const name of [service.file, `${service.file}-wal`]) expect(readFileSync(name).includes(SECRET), name).toBe(false);
    const log = await answers.ask("GET", "/v1/bandits/shop/log");
    const said = JSON.parse(log.text.trimEnd().split("\n").at(-1)!);
    expect(said).toMatchObject({ kind: "erasure", body: { mark: expect.stringMatching(/^[0-9a-f]{32}$/) } });
    expect(log.text).toContain(`"decision":"~${said.body.mark}"`);
    expect(await audited(service.file)).toMatchObject({ differs: null, events, decisions: 7, unproved: 0, erased: 1 });
    const [fromFile] = await auditFiles([
      {
        name: "log",
        bytes: (async function* () {
          yield Buffer.from(log.text);
        })(),
      },
    ]);
    expect(fromFile).toMatchObject({ differs: null, events, erased: 1 });
    await service.close({ keep: true });
    expect(everything(service.file)).not.toContain(SECRET);
    // It goes on, and the id may be used again, for another decision.
    const again = await live({ store: service.file, now: () => clock.now });
    const there = await Answers.of(again.url);
    await there.decide("shop", { id: SECRET, segment: "eu" });
    await there.feedback("shop", SECRET, { loss: 1 });
    await again.close();
    expect(await audited(service.file)).toMatchObject({ differs: null, decisions: 8, erased: 1 });
    service.remove();
  });

  it("a server that still has the decision open learns of its end under the mark", async () => {
    const one = await live();
    const two = await live({ store: one.file });
    try {
      const [first, second] = [await shop(one, "open", { now: 0 }), await Answers.of(two.url)];
      expect((await second.view("shop")).counters.open).toBe(2);
      await erase(first);
      await second.decide("shop", { id: "next", segment: "eu" });
      expect((await second.view("shop")).counters).toMatchObject({ open: 2, expired: 1 });
      expect(await audited(one.file)).toMatchObject({ differs: null, erased: 1 });
    } finally {
      await two.close();
      await one.close();
    }
  });

  it("late feedback that another server is about to write does not bring it back", async () => {
    const clock = { now: 1_789_000_000_000 };
    const one = await live({ now: () => clock.now });
    const two = await live({ store: one.file, now: () => clock.now });
    try {
      const [first, second] = [await shop(one, "open", clock), await Answers.of(two.url)];
      clock.now += 61_000;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          i === 10
            ? first.ask("POST", "/v1/bandits/shop/erase", { body: { id: SECRET } })
            : (i % 2 === 0 ? first : second).ask("POST", `/v1/bandits/shop/decisions/${SECRET}/feedback`, { body: { loss: 4 } }),
        ),
      );
      for (const { status } of answers) expect([200, 404]).toContain(status);
      await erase(second);
      expect(everything(one.file)).not.toContain(SECRET);
      expect(await audited(one.file)).toMatchObject({ differs: null, erased: 1 });
    } finally {
      await two.close();
      await one.close();
    }
  });

  it("is erased from what is left of a pruned decision too, by the function that the command uses; what was exported before still has it", async () => {
    const clock = { now: 1_789_000_000_000 };
    const service = await live({ now: () => clock.now });
    const answers = await Answers.of(service.url);
    await answers.put("shop", { arms: ["a", "b"], seed: 3, windowSeconds: 10 * 86_400 });
    await answers.decide("shop", { id: SECRET });
    await answers.decide("shop", { id: "waits" });
    clock.now += 2 * DAY;
    await answers.feedback("shop", SECRET, { loss: 2 });
    clock.now += 60 * DAY;
    await answers.decide("shop", { id: "new" });
    await service.close({ keep: true });
    const store = await openStore(service.file);
    const file = join(folder, "pruned.ndjson");
    const [pruned] = await pruneStore(store, { before: clock.now - 61 * DAY, file, now: () => clock.now });
    expect(pruned!.upTo).toBe(1);
    expect(await store.mentions((await store.bandit("shop"))!.id, SECRET)).toHaveLength(1);
    expect(await eraseDecision(store, { bandit: "shop", id: SECRET, by: "me", now: () => clock.now })).toBe(1);
    expect(await eraseDecision(store, { bandit: "shop", id: SECRET, by: "me", now: () => clock.now })).toBe(0);
    expect(everything(service.file)).not.toContain(SECRET);
    const bytes = async function* () {
      yield readFileSync(file);
    };
    const [result] = await auditStore(store, { files: [{ name: file, bytes: bytes() }] });
    expect(result).toMatchObject({ differs: null, unproved: 0, erased: 0 });
    expect(readFileSync(file, "utf8")).toContain(SECRET);
    await store.close();
    service.remove();
  });
});

it("while ids are erased, an audit that has begun before finds nothing wrong", async () => {
  const service = await live();
  const answers = await Answers.of(service.url);
  await answers.put("shop", { arms: ["a", "b"], seed: 3 });
  const ids = Array.from({ length: 1_000 }, (_, i) => `d${i}`);
  await answers.expect(200, "POST", "/v1/bandits/shop/decisions:batch", { body: { decisions: ids.map((id) => ({ id })) } });
  await answers.expect(200, "POST", "/v1/bandits/shop/feedback", { body: { feedback: ids.map((id) => ({ id, loss: 1 })) } });
  const store = await openStore(service.file);
  let erasures = 0;
  // Between its first look at the bandit and its first look at the events, an id is erased.
  const events = store.events.bind(store);
  store.events = async (...given) => {
    if (erasures === 0) erasures = (await erase(answers, "d7")).erased;
    return events(...given);
  };
  expect(await auditStore(store)).toMatchObject([{ differs: null, erased: 1, events: 2_001 }]);
  expect(erasures).toBe(2);
  await store.close();
  await service.close();
});

it("an event keeps the request that it came with, if that has the right form", async () => {
  const service = await live();
  const answers = await Answers.of(service.url);
  const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const ask = (method: string, path: string, body: object, headers: Record<string, string>) =>
    answers.ask(method, `/v1/bandits/shop${path}`, { body, headers });
  await answers.put("shop", { arms: ["a", "b"], seed: 3 });
  await ask("POST", "/decisions", { id: "d1" }, { "x-request-id": "r-1", traceparent: trace });
  await ask("POST", "/decisions/d1/feedback", { loss: 1 }, { "x-request-id": "r-2" });
  await ask("PATCH", "", { holdout: 0.1 }, { traceparent: trace });
  await ask("POST", "/decisions", { id: "d2" }, { "x-request-id": "no spaces please", traceparent: `${trace}x` });
  await ask("POST", "/decisions", { id: "d3" }, { "x-request-id": "x".repeat(129) });
  const { text } = await answers.ask("GET", "/v1/bandits/shop/log");
  const origins = text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => (JSON.parse(line) as { origin?: string }).origin?.replace(/^[^ ]+/, "salt"));
  expect(origins).toEqual([`salt r-1 ${trace}`, "salt r-2", `salt - ${trace}`, "salt", "salt"]);
  expect(await audited(service.file)).toMatchObject({ differs: null });
  await service.close();
});
