import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createService, openStore, pruneStore, type Service } from "@tsallis/service";
import type { DecisionProbabilities, DecisionView, RecentDecisions, Timeline } from "@tsallis/service/client";
import Database from "libsql";
import { lomax, stream } from "tsallis";
import { expect, it, onTestFinished } from "vitest";

const START = Date.UTC(2026, 10, 16, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Services on one file, under one clock that the test moves. */
class World {
  now = START;
  readonly #folder = mkdtempSync(join(tmpdir(), "tsallis-history-"));
  readonly file = join(this.#folder, "bandits.db");
  readonly rng = stream(1, "history");
  readonly #services = new Map<string, Service>();
  #waiting: { id: string; loss: number; due: number }[] = [];

  constructor() {
    onTestFinished(async () => {
      await this.close();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  async open(): Promise<string> {
    const service = createService({ store: this.file, port: 0, now: () => this.now });
    const url = (await service.listen()).replace(/\/$/, "");
    this.#services.set(url, service);
    return url;
  }

  async close(): Promise<void> {
    for (const [url, service] of this.#services) {
      this.#services.delete(url);
      await service.close();
    }
  }

  async ask<Answer>(url: string, method: string, path: string, body?: object): Promise<Answer> {
    const given = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${url}/v1/bandits/payments${path}`, { method, ...given });
    const answer = await response.json();
    expect([path, response.ok, answer]).toEqual([path, true, answer]);
    return answer as Answer;
  }

  /** Makes decisions, two a second in each of two arms about, and answers them when their seconds are over; `slow` makes the arm b so many times slower. */
  async play(urls: readonly string[], seconds: number, slow = 1): Promise<void> {
    const law = lomax({ shape: 1.6, scale: 0.3 });
    for (let second = 0; second < seconds; second++) {
      this.now += 1_000;
      const url = urls[second % urls.length]!;
      const { decisions } = await this.ask<{ decisions: { id: string; arm: string }[] }>(url, "POST", "/decisions:batch", {
        decisions: Array.from({ length: 6 }, () => ({})),
      });
      for (const { id, arm } of decisions) {
        const loss = law.sample(this.rng) * (arm === "b" ? slow : 3);
        if (loss < 50) this.#waiting.push({ id, loss, due: this.now + 1000 * loss });
      }
      const due = this.#waiting.filter((one) => one.due <= this.now);
      this.#waiting = this.#waiting.filter((one) => one.due > this.now);
      if (due.length > 0) await this.ask(url, "POST", "/feedback", { feedback: due.map(({ id, loss }) => ({ id, loss })) });
    }
  }

  /** The timelines of all periods. They may still be read from the store. */
  async timelines(url: string): Promise<Timeline[]> {
    const all: Timeline[] = [];
    for (const period of ["15m", "1h", "24h", "7d", "30d"]) {
      for (;;) {
        const { alive: _, ...timeline } = await this.ask<Timeline>(url, "GET", `/timeline?period=${period}`);
        if (timeline.behind > 0) continue;
        all.push(timeline as Timeline);
        break;
      }
    }
    return all;
  }

  sql<Row>(text: string): Row[] {
    const database = new Database(this.file);
    const statement = database.prepare(text);
    const rows = text.startsWith("SELECT") ? (statement.all([]) as Row[]) : [];
    if (!text.startsWith("SELECT")) statement.run([]);
    database.close();
    return rows;
  }
}

const DOCUMENT = { arms: ["a", "b", "c"], policy: { policy: "matched-tinf", halfLife: 500 }, seed: 3, windowSeconds: 60, holdout: 0.2, unit: "s" };

it("now and before are the last two stretches of an arm: after it has recovered, before is when it was slow", async () => {
  const world = new World();
  const url = await world.open();
  await world.ask(url, "PUT", "", { ...DOCUMENT, holdout: 0.5 });
  await world.play([url], 240);
  await world.play([url], 120, 20);
  await world.play([url], 240);
  const [quarter] = await world.timelines(url);
  const sentences = quarter!.changes.filter(({ arm }) => arm === "b").map(({ isWorse }) => isWorse);
  expect(sentences).toEqual([false, true]);
  const [, b] = quarter!.arms;
  expect(b!.before!.median!).toBeGreaterThan(4 * b!.now.median!);
});

it("a history survives a restart and a crash, and is rebuilt from the log if it is lost, with the same answers", async () => {
  const world = new World();
  const first = await world.open();
  await world.ask(first, "PUT", "", DOCUMENT);
  await world.play([first], 120);
  await world.timelines(first);
  await world.close();
  const rows = world.sql<Record<string, unknown>>("SELECT * FROM history");
  expect(rows.length).toBeGreaterThan(20);

  const second = await world.open();
  await world.play([second], 60);
  await world.play([second], 90, 8);
  await world.ask(second, "PATCH", "", { holdout: 0.3 });
  const timelines = await world.timelines(second);
  const [quarter] = timelines;
  expect(quarter!.changes.map(({ sentence }) => sentence)).toEqual([
    "holdout 0.3",
    expect.stringMatching(/^b: median 0\.\d+ s to \d(\.\d)? s; traffic left it within \d+ s$/),
  ]);
  expect(quarter!.arms.map(({ arm, isPresent }) => [arm, isPresent])).toEqual([
    ["a", true],
    ["b", true],
    ["c", true],
  ]);
  const [, b] = quarter!.arms;
  expect(b!.now.median!).toBeGreaterThan(4 * b!.before!.median!);
  for (const timeline of timelines) expect(timeline.arms.reduce((sum, { decisions }) => sum + decisions, 0)).toBe(6 * 270);

  await world.close();
  const third = await world.open();
  expect(await world.timelines(third)).toEqual(timelines);
  await world.close();

  // As after a crash: what was saved is older than the log.
  world.sql("DELETE FROM history");
  const database = new Database(world.file);
  const insert = database.prepare("INSERT INTO history (bandit, part, at, seq, body) VALUES (?, ?, ?, ?, ?)");
  for (const row of rows) insert.run([row.bandit, row.part, row.at, row.seq, row.body]);
  database.close();
  const fourth = await world.open();
  expect(await world.timelines(fourth)).toEqual(timelines);
  await world.close();

  for (const lost of ["part = 'position'", "part <> 'position'", "true"]) {
    world.sql(`DELETE FROM history WHERE ${lost}`);
    const url = await world.open();
    expect(await world.timelines(url)).toEqual(timelines);
    await world.close();
  }

  // Of another log, as after a restore from a backup.
  world.sql(`UPDATE history SET seq = 100000, body = replace(body, '"seq":${timelines[0]!.seq},', '"seq":100000,') WHERE part = 'position'`);
  const last = await world.open();
  expect(await world.timelines(last)).toEqual(timelines);
  await world.close();
  expect(world.sql<{ seq: number }>("SELECT seq FROM history WHERE part = 'position'")).toEqual([{ seq: timelines[0]!.seq }]);
});

it("two servers of one store keep one history", async () => {
  const world = new World();
  const urls = [await world.open(), await world.open()];
  await world.ask(urls[0]!, "PUT", "", DOCUMENT);
  await world.play(urls, 60);
  const timelines = await world.timelines(urls[0]!);
  expect(await world.timelines(urls[1]!)).toEqual(timelines);
  await world.close();
  expect(await world.timelines(await world.open())).toEqual(timelines);
});

it("a history is thinned out, ends after 30 days, and is pruned with the log", async () => {
  const world = new World();
  const url = await world.open();
  await world.ask(url, "PUT", "", DOCUMENT);
  await world.play([url], 20);
  for (const _ of [1, 2]) {
    world.now += 20 * DAY;
    await world.play([url], 20);
  }
  const decisionsIn = (timelines: readonly Timeline[]) => timelines.map(({ points }) => points.reduce((sum, { decisions }) => sum + decisions, 0));
  const timelines = await world.timelines(url);
  expect(decisionsIn(timelines)).toEqual([120, 120, 120, 120, 240]);
  // A moment three weeks ago is known by hours, another one by its finest cells.
  const moment = await world.ask<Timeline>(url, "GET", `/timeline?period=15m&to=${new Date(world.now - 20 * DAY).toISOString()}`);
  expect([moment.seconds, timelines[0]!.seconds, timelines[4]!.seconds]).toEqual([3_600, 5, 14_400]);
  await world.close();
  const count = (where: string) => world.sql<{ n: number }>(`SELECT count(*) AS n FROM history WHERE ${where}`)[0]!.n;
  expect(count(`part = '1h' AND at < ${world.now - 31 * DAY}`)).toBe(0);
  expect(count(`part = '5s' AND at < ${world.now - DAY}`)).toBe(0);

  world.now += 60 * DAY;
  const again = await world.open();
  await world.play([again], 1);
  await world.close();
  const store = await openStore(world.file);
  const pruned = await pruneStore(store, { before: world.now - 32 * DAY, file: `${world.file}.ndjson`, now: () => world.now });
  await store.close();
  expect(pruned[0]!.events).toBeGreaterThan(100);
  expect(count("part <> 'position' AND at < (SELECT min(at) - 3600000 FROM event)")).toBe(0);
  const after = await world.timelines(await world.open());
  expect(decisionsIn(after)).toEqual([6, 6, 6, 6, 6]);
});

it("a page that knows a timeline gets only what is new", async () => {
  const world = new World();
  const url = await world.open();
  await world.ask(url, "PUT", "", DOCUMENT);
  await world.play([url], 60);
  const [known] = await world.timelines(url);
  const last = known!.points.at(-1)!;
  await world.play([url], 7);
  const next = await world.ask<Timeline>(url, "GET", `/timeline?period=15m&after=${last.at}`);
  const [whole] = await world.timelines(url);
  expect(next.points.length).toBeLessThanOrEqual(3);
  expect([...known!.points.filter(({ at }) => at < next.points[0]!.at), ...next.points]).toEqual(whole!.points);
});

it("the last decisions have a reason, and the exact probabilities of all arms, also in segments and after a restart", async () => {
  const world = new World();
  let url = await world.open();
  await world.ask(url, "PUT", "", { ...DOCUMENT, segments: ["web"] });
  await world.play([url], 30);
  const { id } = await world.ask<{ id: string }>(url, "POST", "/decisions", { segment: "web" });
  await world.play([url], 30);
  await world.ask(url, "PATCH", "", { arms: ["b", "c", "d"] });
  await world.play([url], 5);
  await world.close();
  url = await world.open();
  const { decisions } = await world.ask<RecentDecisions>(url, "GET", "/decisions?limit=100");
  expect(decisions.length).toBe(100);
  expect(decisions.map(({ at }) => at)).toEqual(
    decisions
      .map(({ at }) => at)
      .sort()
      .reverse(),
  );
  expect(new Set(decisions.map(({ why }) => why.split(" ")[0]))).toEqual(new Set(["Drawn", "The", "A"]));
  const ids = [...decisions.filter((_, i) => i % 9 === 0).map((one) => one.id), id];
  for (const one of ids) {
    const [known, { probabilities, why }] = await Promise.all([
      world.ask<DecisionView>(url, "GET", `/decisions/${one}`),
      world.ask<DecisionProbabilities>(url, "GET", `/decisions/${one}/probabilities`),
    ]);
    expect(probabilities!.find(({ arm }) => arm === known.arm)!.probability).toBe(known.probability);
    expect(probabilities!.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9);
    expect(why).toContain(known.holdout ? "holdout" : known.arm);
  }
});
