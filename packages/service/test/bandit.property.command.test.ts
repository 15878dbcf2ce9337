import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditStore, type EmbeddedBandit, openStore, type Store } from "@tsallis/service";
import fc from "fast-check";
import Database from "libsql";
import type { PolicySpec } from "tsallis";
import { afterAll, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import type { BanditQueue } from "../dist/bandit/banditQueue.js";
import { BanditRegistry } from "../dist/bandit/banditRegistry.js";
import type { MadeDecision } from "../dist/bandit/pendingEvents.js";
import { change, decide, feedback } from "../dist/bandit/requests.js";
import { embeddedBandit } from "../dist/embeddedBandit.js";
import type { BanditEvidence } from "../dist/evidence/banditEvidence.js";
import { Metrics } from "../dist/http/metrics.js";
import { decisionAnswer } from "../dist/http/views.js";
import { Insights } from "../dist/insight/insights.js";
import type { LogEvent } from "../dist/log/event.js";
import type { RunningBandits } from "../dist/runBandits.js";
import { plainEvidence } from "./plainEvidence.js";
import { type PlainChange, type PlainDocument, type PlainEvent, PlainLoop } from "./plainLoop.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-property-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** With probabilities and without, with a memory that fades, with a horizon that ends, and one whose arms are fixed. */
const POLICIES: readonly PolicySpec[] = [
  { policy: "matched-tinf" },
  { policy: "matched-tinf", halfLife: 20 },
  { policy: "htinf", alpha: 1.5, sigma: 1 },
  { policy: "adatinf", horizon: 12 },
  { policy: "thompson", sigma: 1.5 },
  { policy: "ucb1" },
  { policy: "robust-ucb", estimator: "truncated", alpha: 1.5, sigma: 3 },
  { policy: "dsee", alpha: 1.5, sigma: 3, w: 2 },
];
const SEGMENTS = ["", "eu", "日本 🗾"];
const CROWD = 110;

interface Item {
  readonly id: number;
  readonly segment: number;
}
interface Told {
  readonly id: number;
  readonly loss: number;
}
type Asked =
  | { readonly kind: "decide"; readonly items: readonly Item[] }
  | { readonly kind: "feedback"; readonly items: readonly Told[] }
  | { readonly kind: "change"; readonly change: PlainChange };
type Step = (
  | Asked
  | { readonly kind: "burst"; readonly asked: readonly (Asked & { readonly server: number })[] }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "sweep" }
  | { readonly kind: "crowd" }
  | { readonly kind: "look" }
  | { readonly kind: "restart"; readonly clean: boolean; readonly snapshots: "kept" | "oldest" | "newest damaged" | "gone" }
) & { readonly server: number };

const id = fc.oneof({ weight: 2, arbitrary: fc.nat({ max: 15 }) }, fc.nat({ max: 80 }));
const item = fc.record({ id, segment: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: SEGMENTS.length - 1 })) });
const loss = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: 0, max: 10, noNaN: true }) },
  fc.constantFrom(0, -0, 1, 0.1, -3, 1e-300, -5e-324, 1e6, 1e300, -1e300),
);
const told = fc.record({ id, loss });
const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 4 });
const changed: fc.Arbitrary<PlainChange> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ arms: names }) },
  {
    weight: 10,
    arbitrary: fc.record(
      {
        arms: names,
        windowSeconds: fc.constantFrom(1, 30, 600),
        expired: fc.constantFrom<"ignore" | number>("ignore", 3, -0, 1e300),
        holdout: fc.constantFrom(0, 0.2, 0.5),
        cap: fc.constantFrom(null, 3, 8),
        state: fc.constantFrom("running" as const, "running" as const, "paused" as const),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.constant({ state: "archived" as const }) },
);
const asked: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("decide" as const), items: fc.array(item, { minLength: 1, maxLength: 6 }) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("feedback" as const), items: fc.array(told, { minLength: 1, maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("change" as const), change: changed }) },
);
const server = fc.nat({ max: 1 });
const withServer = <Kind extends object>(arbitrary: fc.Arbitrary<Kind>) => fc.tuple(arbitrary, server).map(([one, its]) => ({ ...one, server: its }));
const step: fc.Arbitrary<Step> = withServer(
  fc.oneof(
    { weight: 120, arbitrary: asked },
    { weight: 20, arbitrary: fc.record({ kind: fc.constant("burst" as const), asked: fc.array(withServer(asked), { minLength: 2, maxLength: 8 }) }) },
    { weight: 30, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(1, 999, 9_000, 31_000, 61_000, 700_000, -5_000) }) },
    { weight: 20, arbitrary: fc.constant({ kind: "sweep" as const }) },
    { weight: 10, arbitrary: fc.constant({ kind: "look" as const }) },
    { weight: 3, arbitrary: fc.constant({ kind: "crowd" as const }) },
    {
      weight: 10,
      arbitrary: fc.record({
        kind: fc.constant("restart" as const),
        clean: fc.boolean(),
        snapshots: fc.constantFrom("kept" as const, "oldest" as const, "newest damaged" as const, "gone" as const),
      }),
    },
  ),
);
const world = fc.record({
  document: fc.record({
    arms: fc.constantFrom<readonly string[]>(["a", "b"], ["a", "b", "c"]),
    policy: fc.constantFrom(...POLICIES),
    seed: fc.nat(),
    windowSeconds: fc.constantFrom(1, 30, 600),
    expired: fc.constantFrom<"ignore" | number>("ignore", 2, -0),
    holdout: fc.constantFrom(0, 0, 0.3),
    cap: fc.constantFrom(null, 5, 5),
    direction: fc.constantFrom("loss" as const, "loss" as const, "reward" as const),
  }),
  maxOpen: fc.constantFrom(6, 100_000, 100_000),
  embedded: fc.tuple(fc.boolean(), fc.boolean()),
  steps: fc.array(step, { minLength: 10, maxLength: 50 }),
});

interface Server {
  /** What went wrong while it was alive. */
  readonly problems: unknown[];
  readonly store: Store;
  readonly registry: BanditRegistry;
  readonly queue: BanditQueue;
  /** As `createService().bandit()` gives it; null where the routes of HTTP ask. */
  readonly embedded: EmbeddedBandit | null;
}

/** Plays a world on two servers that share a file, asked as the routes of HTTP do it or in the process, and on the plain loop. */
class World {
  readonly #file: string;
  readonly #database: Database.Database;
  readonly #loop: PlainLoop;
  readonly #servers: Server[] = [];
  readonly #maxOpen: number;
  readonly #embedded: readonly boolean[];
  #now = 1_789_000_000_000;
  #seq = 0;
  #crowds = 0;

  private constructor(file: string, document: PlainDocument, maxOpen: number, embedded: readonly boolean[]) {
    this.#file = file;
    this.#embedded = embedded;
    // The other server may be saving a snapshot.
    this.#database = new Database(file, { timeout: 60_000 });
    this.#maxOpen = maxOpen;
    this.#loop = new PlainLoop(document, maxOpen);
  }

  static async begin(file: string, document: PlainDocument, maxOpen: number, embedded: readonly boolean[]): Promise<World> {
    const first = await openStore(file);
    const registry = new BanditRegistry(optionsOf(first, () => 1, maxOpen, []));
    await registry.create("b", {
      ...document,
      arms: [...document.arms],
      segments: [...SEGMENTS.slice(1), ...Array.from({ length: CROWD }, (_, i) => `s${i}`)],
    });
    await first.close();
    const one = new World(file, document, maxOpen, embedded);
    for (const place of [0, 1]) one.#servers[place] = await one.#start(place);
    return one;
  }

  async #start(place: number): Promise<Server> {
    const store = await openStore(this.#file);
    const problems: unknown[] = [];
    const registry = new BanditRegistry(optionsOf(store, () => this.#now, this.#maxOpen, problems));
    const running = { store, registry, insights: new Insights(store), metrics: new Metrics() } as unknown as RunningBandits;
    const embedded = this.#embedded[place] ? embeddedBandit(async () => running, "b") : null;
    return { store, registry, queue: await registry.queue("b"), problems, embedded };
  }

  async play(one: Step): Promise<void> {
    const { registry, queue } = this.#servers[one.server]!;
    switch (one.kind) {
      case "wait":
        this.#now += one.ms;
        return;
      case "decide":
      case "feedback":
      case "change": {
        const expected = this.#predicted(one);
        expect(await this.#ask(one, one.server)).toStrictEqual(expected);
        return this.#same();
      }
      case "crowd": {
        const crowd = ++this.#crowds;
        const items = Array.from({ length: CROWD }, (_, i) => ({ id: `crowd${crowd}.${i}`, segment: `s${i}` }));
        const answers = await queue.submit(decide(items));
        const expected = items.map(({ id, segment }) => this.#expected(() => this.#decided(this.#loop.decide(id, segment, this.#now))));
        expect(answers.map(shownDecision)).toStrictEqual(expected);
        return this.#same();
      }
      case "sweep": {
        const due = new Set(this.#loop.due(this.#now));
        await registry.sweep();
        await queue.refresh();
        await registry.sweep();
        this.#follow();
        for (const id of due) expect(this.#loop.decisions.get(id)!.ended, id).toBe(true);
        return;
      }
      case "burst":
        return this.#burst(one.asked);
      case "look":
        return this.#look(one.server);
      case "restart":
        return this.#restart(one);
    }
  }

  async #burst(all: readonly (Asked & { readonly server: number })[]): Promise<void> {
    const answers = await Promise.all(all.map((one) => this.#ask(one, one.server)));
    const before = new Set(this.#loop.decisions.keys());
    this.#follow();
    const made = new Map<string, number>();
    for (const [place, one] of all.entries()) {
      if (one.kind === "change") continue;
      for (const [i, answer] of (answers[place] as unknown[]).entries()) {
        if (one.kind === "decide") {
          const { id } = named(one.items[i]!);
          if (typeof answer === "string") continue;
          const { repeated, ...decision } = answer as { repeated?: true };
          expect(decision).toStrictEqual(this.#decided({ decision: this.#loop.decisions.get(id)!.event, repeated: false }));
          made.set(id, (made.get(id) ?? 0) + (repeated ? 0 : 1));
        } else if (typeof answer !== "string") {
          const { id, loss: given } = one.items[i]!;
          expect(this.#loop.decisions.get(`d${id}`)!.told).toBe((this.#loop.document.direction === "reward" ? 0 - given : given) + 0);
        }
      }
    }
    for (const [id, times] of made) expect(times, id).toBe(before.has(id) ? 0 : 1);
  }

  /** What the server must answer. The plain loop moves on. */
  #predicted(one: Asked): unknown {
    const now = this.#now;
    if (one.kind === "change") return this.#expected(() => void this.#loop.change(one.change, now));
    if (one.kind === "decide") {
      return one.items.map(named).map(({ id, segment }) => this.#expected(() => this.#decided(this.#loop.decide(id, segment, now))));
    }
    return one.items.map(({ id, ...given }) => this.#expected(() => this.#loop.feedback(`d${id}`, this.#told(given.loss), now)));
  }

  #expected<Value>(run: () => Value): Value | string {
    try {
      return run();
    } catch (error) {
      return codeOf(error);
    }
  }

  #decided({ decision, repeated }: { readonly decision: PlainEvent; readonly repeated: boolean }): object {
    const { decision: id, segment, arm, round, probability, holdout, expires } = decision as PlainEvent & { expires: number };
    const said = { id, bandit: "b", ...(segment === "" ? {} : { segment }), arm, round, probability, holdout };
    return { ...said, expires: new Date(expires).toISOString(), ...(repeated ? { repeated } : {}) };
  }

  /** Asks as a client does: a 503 means, ask again. */
  async #ask(one: Asked, place: number): Promise<unknown> {
    const { queue, embedded } = this.#servers[place]!;
    if (embedded !== null) return this.#askEmbedded(one, embedded);
    for (let tries = 0; ; tries++) {
      try {
        if (one.kind === "change") return await queue.submit(change(one.change as never));
        if (one.kind === "decide") return (await queue.submit(decide(one.items.map(named)))).map(shownDecision);
        const given = one.items.map(({ id, ...rest }) => ({ id: `d${id}`, feedback: this.#told(rest.loss) as { loss: number } }));
        return (await queue.submit(feedback(given))).map(shown);
      } catch (error) {
        const code = codeOf(error);
        if (code !== "ERR_STORE" || tries > 100) return code;
      }
    }
  }

  /** As a program does it: one call for each decision, all at once. */
  async #askEmbedded(one: Asked, bandit: EmbeddedBandit): Promise<unknown> {
    const all = <Item, Answer>(items: readonly Item[], call: (item: Item) => Promise<Answer>) =>
      Promise.all(items.map((item) => again(() => call(item))));
    if (one.kind === "change") return again(async () => void (await bandit.change(one.change as never)));
    if (one.kind === "decide") return all(one.items.map(named), ({ id, segment }) => bandit.decide(segment === "" ? { id } : { id, segment }));
    return all(one.items, ({ id, ...rest }) => bandit.feedback({ id: `d${id}` }, this.#told(rest.loss) as { loss: number }));
  }

  #told(value: number): { loss?: number; reward?: number } {
    return this.#loop.document.direction === "reward" ? { reward: value } : { loss: value };
  }

  /** What the log has got since the last look. */
  #tail(): PlainEvent[] {
    const rows = this.#database
      .prepare("SELECT seq, kind, decision, segment, at, body FROM event WHERE seq > ? ORDER BY seq")
      .raw()
      .all([this.#seq]) as [number, string, string | null, string | null, number, string][];
    return rows.map(([seq, kind, decision, segment, at, body]) => {
      expect(seq).toBe(++this.#seq);
      return { kind, at, ...(decision === null ? {} : { decision }), ...(segment === null ? {} : { segment }), ...JSON.parse(body) };
    });
  }

  /** The log has what the plain loop wrote. */
  #same(): void {
    const from = this.#seq;
    expect(this.#tail()).toStrictEqual(this.#loop.log.slice(from));
  }

  /** The plain loop does what the log says, and writes the same. */
  #follow(): void {
    for (const event of this.#tail()) {
      const { kind, at, decision: id, segment, loss: its, reward, ...rest } = event as PlainEvent & { loss: number; reward?: true };
      const given = reward ? { reward: -its } : { loss: its };
      const length = this.#loop.log.length;
      if (kind === "decision") this.#loop.decide(id!, segment!, at);
      else if (kind === "expiry") this.#loop.expire(id!, at);
      else if (kind === "change") {
        const { arms, ...settings } = rest as { arms?: { name: string }[] };
        this.#loop.change({ ...settings, ...(arms === undefined ? {} : { arms: arms.map(({ name }) => name) }) }, at);
      } else this.#loop.feedback(id!, given, at);
      expect([event]).toStrictEqual(this.#loop.log.slice(length));
    }
  }

  /** A server's memory is the plain loop's, to the last bit. */
  async #look(place: number): Promise<void> {
    const { queue } = this.#servers[place]!;
    await queue.refresh();
    const loop = this.#loop;
    const { state, learners } = queue.bandit;
    expect(state.seq).toBe(loop.log.length);
    expect({ ...state.counted, open: state.open.size }).toStrictEqual(loop.counters);
    expect([...state.arms.values()]).toStrictEqual(loop.arms);
    expect(state.status).toBe(loop.status);
    this.#lookAtEvidence(state.evidence!);
    expect(new Set(state.segments.keys())).toEqual(new Set([...loop.segments.keys()].filter((name) => name !== "")));
    for (const [name, { policy, rng, holdoutRng, probabilitiesAt }] of loop.segments) {
      expect(await queue.visit(name), name).toBe(true);
      const learner = learners.get(name)!;
      const probabilities = learner.probabilities();
      expect(probabilities === null ? null : [...probabilities]).toStrictEqual(loop.probabilities(name));
      expect(learner.round).toBe(policy.round);
      const expected = {
        policy: policy.snapshot(),
        arms: loop.arms.map(({ number }) => number),
        rng: rng.state(),
        holdoutRng: holdoutRng.state(),
        probabilitiesAt,
      };
      expect(JSON.parse(JSON.stringify(learner.snapshot()))).toStrictEqual(JSON.parse(JSON.stringify(expected)));
    }
    expect(learners.size).toBeLessThanOrEqual(105);
  }

  /** The evidence is that of the whole log, whatever was restored from snapshots. */
  #lookAtEvidence({ claim }: BanditEvidence): void {
    const { cap = null, holdout, arms } = this.#loop.document;
    const log = this.#loop.log.map((event, i) => ({ ...event, seq: i + 1 })) as unknown as LogEvent[];
    const plain = plainEvidence({ cap, holdout, arms: [...arms.keys()] }, log);
    expect(claim === null).toBe(plain === null);
    for (const [segment, still] of plain?.still ?? []) {
      const own = segment === "" ? claim!.all : claim!.segment(segment);
      // Only so many segments are evaluated.
      if (own !== undefined || segment === "") expect(own!.still.snapshot()).toStrictEqual(still.snapshot());
    }
  }

  async #restart({ server: place, clean, snapshots }: Extract<Step, { kind: "restart" }>): Promise<void> {
    const { store, registry, problems } = this.#servers[place]!;
    if (clean) await registry.close();
    expect(problems).toEqual([]);
    await store.close();
    const which = { kept: "false", oldest: "seq > (SELECT min(seq) FROM snapshot)", "newest damaged": "", gone: "true" }[snapshots];
    if (which !== "") this.#database.exec(`DELETE FROM snapshot WHERE ${which}`);
    else this.#database.exec("UPDATE snapshot SET body = replace(body, '1', '2') WHERE seq = (SELECT max(seq) FROM snapshot)");
    this.#servers[place] = await this.#start(place);
    await this.#look(place);
  }

  async end(): Promise<void> {
    for (const place of [0, 1]) await this.#look(place);
    const [result] = await auditStore(this.#servers[0]!.store);
    expect(result).toMatchObject({ differs: null, events: this.#loop.log.length, decisions: this.#loop.counters.decisions });
    for (const { problems } of this.#servers) expect(problems).toEqual([]);
  }

  async close(): Promise<void> {
    this.#database.close();
    for (const { store } of this.#servers) await store.close();
  }
}

/** A 503 means: ask again. */
async function again(call: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const code = codeOf(error);
      if (code !== "ERR_STORE" || tries > 100) return code;
    }
  }
}

function optionsOf(store: Store, now: () => number, maxOpen: number, problems: unknown[]): ConstructorParameters<typeof BanditRegistry>[0] {
  // So few that a crowd of segments unloads others.
  return { store, now, maxOpen, mostArmsLoaded: 100, onCommit: () => {}, onLostRace: () => {}, onProblem: (error) => problems.push(error) };
}

function named({ id, segment }: Item): { id: string; segment: string } {
  return { id: `d${id}`, segment: SEGMENTS[segment]! };
}

function shownDecision(made: MadeDecision | Error): unknown {
  return shown(made instanceof Error ? made : decisionAnswer("b", made));
}

function shown(answer: unknown): unknown {
  return answer instanceof Error ? codeOf(answer) : answer;
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  if (typeof code !== "string") throw error;
  return code;
}

let files = 0;

interface Played {
  readonly document: PlainDocument;
  readonly maxOpen: number;
  readonly embedded: readonly boolean[];
  readonly steps: readonly Step[];
}

async function played({ document, maxOpen, embedded, steps }: Played): Promise<void> {
  const one = await World.begin(join(folder, `${++files}.db`), document, maxOpen, embedded);
  try {
    for (const step of steps) await one.play(step);
    await one.end();
  } finally {
    await one.close();
  }
}

it("property: two servers on one file, by HTTP's routes or embedded, whatever happens to them, are a plain loop over the library in the order of the log, bit for bit", async () => {
  // A world takes a second, and smaller ones are no nearer to the cause: the first that fails is shown as it is.
  await fc.assert(fc.asyncProperty(world, played), { numRuns: soak(30, 3_000), endOnFailure: true });
});
