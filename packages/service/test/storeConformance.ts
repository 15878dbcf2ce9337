import { openStore, type Store, type StoredKey } from "@tsallis/service";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { genesis } from "../dist/log/storedEvent.js";
import type { ReadEvent, StoredEvent } from "../src/log/storedEvent.js";

const BANDIT = { name: "checkout", document: '{"arms":["a","b"]}', version: "0.1.0", bits: "abc", createdAt: 1_789_000_000_123 };
const KEY: StoredKey = {
  id: "k1",
  hash: "ab".repeat(32),
  role: "decide",
  scopes: ["team-a.*", "checkout"],
  note: "Zoë's 🔑",
  createdAt: 1_789_000_000_000,
  revokedAt: null,
  lastUsed: null,
};

const hashOf = (seq: number) => `hash ${seq}`;
/** The end of a log of these events. */
export const after = (seq: number, name = "checkout") => ({ seq, hash: seq === 0 ? genesis({ ...BANDIT, name }) : hashOf(seq) });

export function decision(seq: number, id: string, segment = ""): StoredEvent {
  return {
    seq,
    kind: "decision",
    decision: id,
    origin: `salt of ${id}`,
    slot: 0,
    segment,
    at: 1_789_000_000_000 + seq,
    body: `{"arm":"a","n":${seq}}`,
    hash: hashOf(seq),
  };
}

export function feedback(seq: number, id: string, segment = ""): StoredEvent {
  return { ...decision(seq, id, segment), kind: "feedback", slot: 1, body: '{"loss":0.1}' };
}

function change(seq: number): StoredEvent {
  return { seq, kind: "change", decision: null, origin: null, slot: null, segment: null, at: seq, body: '{"windowSeconds":60}', hash: hashOf(seq) };
}

const late = (seq: number, id: string): StoredEvent => ({ ...feedback(seq, id), kind: "late", slot: 2 });
const asRead = (event: StoredEvent): ReadEvent => ({ ...event, before: event.seq === 1 ? "" : hashOf(event.seq - 1) });
const refused = { code: "ERR_STORE" };

/** Opens a store for one test. */
export async function opened(where: string): Promise<Store> {
  const store = await openStore(where);
  onTestFinished(() => store.close());
  return store;
}

/** Creates a bandit with these events, and returns its number. */
export async function withEvents(store: Store, events: readonly StoredEvent[], name = "checkout"): Promise<number> {
  expect(await store.create({ ...BANDIT, name })).toBe(true);
  const { id } = (await store.bandit(name))!;
  expect(await store.append(id, after(0, name), events)).toBe("written");
  return id;
}

/** What every store promises. `place` makes a new place for one, and `setSchema` writes another number of its schema, after a statement. */
export function storeConformance(place: () => Promise<string>, setSchema: (where: string, version: number, first?: string) => Promise<void>): void {
  it("creates bandits, each name once", async () => {
    const store = await opened(await place());
    expect(await store.bandits()).toEqual([]);
    expect(await store.bandit("checkout")).toBeNull();
    expect(await store.create(BANDIT)).toBe(true);
    expect(await store.create({ ...BANDIT, document: "{}" })).toBe(false);
    expect(await store.create({ ...BANDIT, name: "Checkout" })).toBe(true);
    const bandits = await store.bandits();
    const rest = { id: expect.any(Number), seq: 0, prunedSeq: 0, prunedHash: "" };
    expect(bandits).toEqual([
      { ...BANDIT, ...rest },
      { ...BANDIT, name: "Checkout", ...rest },
    ]);
    expect(await store.bandit("checkout")).toEqual(bandits[0]);
    await store.ping(1);
  });

  it("takes the first event of a bandit only from a server that knows the same bandit", async () => {
    const store = await opened(await place());
    expect(await store.create(BANDIT)).toBe(true);
    const { id } = (await store.bandit("checkout"))!;
    expect(await store.look(id, [])).toMatchObject({ seq: 0, hash: genesis(BANDIT) });
    for (const other of [
      { ...BANDIT, name: "search" },
      { ...BANDIT, document: '{"arms":["a","c"]}' },
      { ...BANDIT, createdAt: 1 },
    ])
      expect(await store.append(id, { seq: 0, hash: genesis(other) }, [decision(1, "x")])).toBe("behind");
    expect(await store.append(id, { seq: 0, hash: "" }, [decision(1, "x")])).toBe("behind");
    expect(await store.append(id, after(0), [decision(1, "x")])).toBe("written");
  });

  it("appends events that follow on the last one, and only those", async () => {
    const store = await opened(await place());
    const events = [decision(1, "x"), change(2), feedback(3, "x")];
    const id = await withEvents(store, events.slice(0, 2));
    expect(await store.append(id, after(0), [decision(1, "y")])).toBe("behind");
    expect(await store.append(id, after(3), [decision(4, "y")])).toBe("behind");
    expect(await store.append(id + 1000, after(0), [decision(1, "y")])).toBe("behind");
    expect(await store.append(id, { seq: 2, hash: hashOf(3) }, events.slice(2))).toBe("behind");
    expect(await store.append(id, after(2), events.slice(2))).toBe("written");
    expect(await store.append(id, after(3), [])).toBe("written");
    expect(await store.append(id, after(2), [])).toBe("behind");
    expect(await store.events(id, 0, 10)).toEqual(events.map(asRead));
    expect((await store.bandit("checkout"))!.seq).toBe(3);
    await expect(store.append(id, after(3), [decision(5, "z")])).rejects.toMatchObject({ code: "ERR_INTERNAL" });
  });

  it("refuses a second decision or outcome, alone and as a whole", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x"), feedback(2, "x")]);
    const other = await withEvents(store, [decision(1, "x")], "other");
    const fine = store.append(other, after(1), [feedback(2, "x")]);
    const second = store.append(id, after(2), [decision(3, "y"), decision(4, "x")]);
    expect(await second).toBe("taken");
    expect(await fine).toBe("written");
    expect(await store.append(id, after(2), [feedback(3, "x")])).toBe("taken");
    expect(await store.look(id, ["y"])).toEqual({ ...after(2), found: new Map() });
    expect(await store.events(id, 2, 10)).toEqual([]);
    expect(await store.append(id, after(2), [decision(3, "y")])).toBe("written");
    expect((await store.events(other, 0, 10)).length).toBe(2);
  });

  it("lets exactly one of many win the same place", async () => {
    const where = await place();
    const stores = [await opened(where), await opened(where)];
    const id = await withEvents(stores[0]!, []);
    for (let round = 0; round < 10; round++) {
      const tries = Array.from({ length: 8 }, (_, index) => stores[index % 2]!.append(id, after(round), [decision(round + 1, `r${round}.${index}`)]));
      expect((await Promise.all(tries)).sort()).toEqual([...new Array<string>(7).fill("behind"), "written"]);
    }
    expect((await stores[1]!.events(id, 0, 100)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("property: appends for many bandits that are asked for together have the outcomes that they have alone", async () => {
    const store = await opened(await place());
    const names = ["a", "b", "c", "d", "e"];
    const ids = new Map<string, number>();
    for (const name of names) ids.set(name, await withEvents(store, [decision(1, `${name}1`)], name));
    const seqs = new Map(names.map((name) => [name, 1]));
    const one = fc.record({ name: fc.constantFrom(...names), fate: fc.constantFrom("written", "written", "written", "behind", "taken") });
    const turns = fc.array(fc.uniqueArray(one, { selector: ({ name }) => name, minLength: 1 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(turns, async (turns) => {
        for (const turn of turns) {
          const answers = turn.map(({ name, fate }) => {
            const seq = seqs.get(name)!;
            if (fate === "written") seqs.set(name, seq + 2);
            // The second one of them is the one that cannot be written.
            const events = [
              decision(seq + 1, `${name}${seq + 1}`),
              fate === "taken" ? decision(seq + 2, `${name}1`) : feedback(seq + 2, `${name}${seq + 1}`),
            ];
            return store.append(ids.get(name)!, fate === "behind" ? { seq, hash: hashOf(seq + 1) } : after(seq), events);
          });
          expect(await Promise.all(answers)).toEqual(turn.map(({ fate }) => fate));
        }
        for (const name of names) {
          const events = await store.events(ids.get(name)!, 0, 10_000);
          expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: seqs.get(name)! }, (_, i) => i + 1));
          expect(events.every(({ decision }) => decision!.startsWith(name))).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("says all about decisions", async () => {
    const store = await opened(await place());
    const [x, y, z] = [decision(1, "x"), decision(2, "y"), decision(3, "z")];
    const [expiry, tardy] = [{ ...feedback(4, "x"), kind: "expiry" } as const, late(5, "x")];
    const id = await withEvents(store, [x, y, z, expiry, tardy, feedback(6, "z")]);
    const { seq, found } = await store.look(id, ["z", "x", "nobody", "y"]);
    expect(seq).toBe(6);
    expect(Object.fromEntries(found)).toEqual({
      x: { decision: asRead(x), outcome: asRead(expiry), late: asRead(tardy) },
      y: { decision: asRead(y), outcome: null, late: null },
      z: { decision: asRead(z), outcome: asRead(feedback(6, "z")), late: null },
    });
    expect(await store.look(id, [])).toEqual({ ...after(6), found: new Map() });
    await expect(store.look(id + 1000, ["x"])).rejects.toMatchObject({ code: "ERR_UNKNOWN_BANDIT" });
  });

  it("erases the id of a decision with the event that says so, also from what is left of a pruned one", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x"), decision(2, "y"), feedback(3, "x")]);
    expect(await store.mentions(id, "x")).toEqual([decision(1, "x"), feedback(3, "x")].map(asRead));
    expect(await store.mentions(id, "nobody")).toEqual([]);
    const erasures = [1, 3].map((seq) => ({ seq, decision: "~mark", origin: "~" }));
    const said = { ...change(4), kind: "erasure" as const, body: '{"mark":"mark"}' };
    expect(
      await store.append(
        id,
        after(2),
        [said].map((event) => ({ ...event, seq: 3 })),
        erasures,
      ),
    ).toBe("behind");
    expect(await store.mentions(id, "x")).toHaveLength(2);
    expect(await store.append(id, after(3), [said], erasures)).toBe("written");
    expect(await store.mentions(id, "x")).toEqual([]);
    expect((await store.look(id, ["x", "y"])).found.size).toBe(1);
    const [first, , third] = await store.events(id, 0, 10);
    for (const [read, event] of [[first, decision(1, "x")] as const, [third, feedback(3, "x")] as const])
      expect(read).toEqual(asRead({ ...event, decision: "~mark", origin: "~" }));
    expect(await store.append(id, after(4), [decision(5, "x")])).toBe("written");
  });

  it("puts an event in the place of all that follow on another, if the log ends where it should", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x"), decision(2, "y"), feedback(3, "x")]);
    const other = await withEvents(store, [decision(1, "x")], "other");
    await store.save(
      id,
      [1, 3].map((seq) => ({ part: "bandit", seq, body: "{}" })),
    );
    const last = { ...change(2), kind: "repair" as const };
    expect(await store.truncate(id, after(2), 1, last)).toBe(false);
    expect(await store.truncate(id, { seq: 3, hash: "another" }, 1, last)).toBe(false);
    expect(await store.events(id, 0, 10)).toHaveLength(3);
    expect(await store.truncate(id, after(3), 1, last)).toBe(true);
    expect(await store.events(id, 0, 10)).toEqual([decision(1, "x"), last].map(asRead));
    expect(await store.look(id, ["x"])).toMatchObject(after(2));
    expect(await store.saved(id)).toEqual([{ part: "bandit", seq: 1 }]);
    expect(await store.append(id, after(2), [feedback(3, "x")])).toBe("written");
    expect(await store.events(other, 0, 10)).toHaveLength(1);
  });

  it("deletes a bandit, and gives neither its name nor its number to another", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x")]);
    const empty = await withEvents(store, [], "empty");
    await store.save(id, [{ part: "bandit", seq: 1, body: "{}" }]);
    for (const one of [id, empty]) await store.remove(one, 5);
    await store.remove(id, 6);
    expect(await store.bandits()).toEqual([]);
    expect(await store.bandit("checkout")).toBeNull();
    expect(await store.create(BANDIT)).toBe(false);
    await expect(store.look(id, ["x"])).rejects.toMatchObject({ code: "ERR_UNKNOWN_BANDIT" });
    expect(await store.append(id, after(1), [feedback(2, "x")])).toBe("behind");
    expect(await store.append(empty, after(0, "empty"), [decision(1, "x")])).toBe("behind");
    expect([await store.events(id, 0, 10), await store.saved(id)]).toEqual([[], []]);
    const next = await withEvents(store, [decision(1, "x")], "next");
    expect([id, empty]).not.toContain(next);
  });

  it("reads events in order, from anywhere, of a segment and of all", async () => {
    const store = await opened(await place());
    const segments = ["", "eu", "日本 🗾", "eu", "", "日本 🗾"];
    const events = segments.flatMap((segment, index) => {
      const first = 3 * index + 1;
      return [decision(first, `d${index}`, segment), change(first + 1), feedback(first + 2, `d${index}`, segment)];
    });
    const id = await withEvents(store, events);
    expect(await store.events(id, 0, 100)).toEqual(events.map(asRead));
    expect(await store.events(id, 7, 3)).toEqual(events.slice(7, 10).map(asRead));
    expect(await store.events(id, 18, 3)).toEqual([]);
    for (const segment of ["", "eu", "日本 🗾", "none"]) {
      const its = events.filter((event) => event.segment === segment || event.segment === null).map(asRead);
      expect(await store.events(id, 0, 100, segment)).toEqual(its);
      expect(await store.events(id, 4, 3, segment)).toEqual(its.filter(({ seq }) => seq > 4).slice(0, 3));
    }
  });

  it("finds the decisions that were open at an event", async () => {
    const store = await opened(await place());
    const [a, b, c, d] = [decision(1, "a"), decision(2, "b", "eu"), decision(4, "c"), decision(5, "d", "eu")];
    const id = await withEvents(store, [a, b, feedback(3, "a"), c, d, feedback(6, "b", "eu"), late(7, "a")]);
    const open = async (...args: [number, number, string?]) => (await store.open(id, ...args)).map((event) => event.decision);
    expect(await open(1, 2)).toEqual(["a", "b"]);
    expect(await open(1, 3)).toEqual(["b"]);
    expect(await open(1, 5)).toEqual(["b", "c", "d"]);
    expect(await open(1, 7)).toEqual(["c", "d"]);
    expect(await open(5, 7)).toEqual(["d"]);
    expect(await open(1, 5, "eu")).toEqual(["b", "d"]);
    expect(await open(1, 7, "")).toEqual(["c"]);
    expect(await store.open(id, 5, 7)).toEqual([asRead(d)]);
  });

  it("keeps every value exactly, and ten thousand events at once", async () => {
    const where = await place();
    const store = await opened(where);
    const numbers = [0.1, 5e-324, 1.7976931348623157e308, -0, 1 / 3, 1e300, 9007199254740991];
    const texts = ["", "'", '"', "\\", "\\N", "{}", "NULL", "a,b", " x ", "\n\t", "\u0001", "é", "😀", "日本 🗾", "$1", "%s"];
    const events = Array.from({ length: 10_000 }, (_, index): StoredEvent => {
      const text = texts[index % texts.length]!;
      const body = JSON.stringify({ number: numbers[index % numbers.length], text });
      return { ...decision(index + 1, `${text}${index}`, text), at: Number.MAX_SAFE_INTEGER - index, body, hash: `${text}${index}` };
    });
    const id = await withEvents(store, events);
    await store.close();
    const again = await opened(where);
    const chained = events.map((event, index) => ({ ...event, before: events[index - 1]?.hash ?? "" }));
    expect(await again.events(id, 0, 20_000)).toEqual(chained);
    expect(await again.open(id, 1, 10_000)).toEqual(chained);
    expect(await again.events(id, 0, 20_000, "😀")).toEqual(chained.filter(({ segment }) => segment === "😀"));
    const { found } = await again.look(id, ["NULL6", "😀12", '"2']);
    expect([...found.values()].map((its) => its.decision.seq).sort((a, b) => a - b)).toEqual([3, 7, 13]);
  });

  it("reads what was written before", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x")]);
    for (let last = 1; last < 50; last++) {
      await store.append(id, after(last), [decision(last + 1, `n${last}`)]);
      const { seq, found } = await store.look(id, [`n${last}`]);
      expect([seq, found.size]).toEqual([last + 1, 1]);
    }
  });

  it("is seen by another store at the same place", async () => {
    const where = await place();
    const [one, other] = [await opened(where), await opened(where)];
    const id = await withEvents(one, [decision(1, "x")]);
    expect((await other.bandits()).map(({ seq }) => seq)).toEqual([1]);
    expect(await other.append(id, after(1), [feedback(2, "x")])).toBe("written");
    expect(await one.append(id, after(1), [feedback(2, "x")])).toBe("behind");
    expect((await one.look(id, ["x"])).found.get("x")!.outcome).toEqual(asRead(feedback(2, "x")));
    await other.addKey(KEY);
    expect(await one.keys()).toEqual([KEY]);
  });

  it("keeps the newest three snapshots of each part", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, []);
    const other = await withEvents(store, [], "other");
    for (const seq of [10, 30, 20, 50, 40]) {
      await store.save(id, [
        { part: "bandit", seq, body: `b${seq}` },
        { part: "segment/", seq: seq * 2, body: `s${seq}` },
      ]);
    }
    await store.save(id, [{ part: "bandit", seq: 50, body: "another" }]);
    await store.save(id, []);
    await store.save(other, [{ part: "bandit", seq: 1, body: "😀" }]);
    expect(await store.snapshots(id, "bandit")).toEqual([50, 40, 30].map((seq) => ({ part: "bandit", seq, body: `b${seq}` })));
    expect((await store.snapshots(id, "segment/")).map(({ seq }) => seq)).toEqual([100, 80, 60]);
    expect(await store.snapshots(other, "bandit")).toEqual([{ part: "bandit", seq: 1, body: "😀" }]);
    expect(await store.snapshots(id, "none")).toEqual([]);
  });

  it("prunes, and remembers the hash", async () => {
    const store = await opened(await place());
    const events = Array.from({ length: 25_000 }, (_, index) => decision(index + 1, `d${index + 1}`));
    const id = await withEvents(store, events);
    const snapshots = [10_000, 22_000, 24_000].map((seq) => ({ part: "bandit", seq, body: "" }));
    await store.save(id, snapshots);
    await expect(store.prune(id, 22_000, "another hash")).rejects.toMatchObject({ code: "ERR_PRUNE" });
    await expect(store.prune(id, 25_001, hashOf(25_001))).rejects.toMatchObject({ code: "ERR_PRUNE" });
    expect((await store.events(id, 0, 1))[0]!.seq).toBe(1);
    await store.prune(id, 22_000, hashOf(22_000));
    expect(await store.bandit("checkout")).toMatchObject({ seq: 25_000, prunedSeq: 22_000, prunedHash: hashOf(22_000) });
    expect(await store.events(id, 0, 2)).toEqual([asRead(events[22_000]!), asRead(events[22_001]!)]);
    expect((await store.look(id, ["d22001"])).found.get("d22001")!.decision.before).toBe(hashOf(22_000));
    expect((await store.open(id, 1, 25_000)).length).toBe(3000);
    expect((await store.snapshots(id, "bandit")).map(({ seq }) => seq)).toEqual([24_000, 22_000]);
    expect(await store.append(id, after(25_000), [decision(25_001, "d1")])).toBe("written");
  });

  it("an id whose decision was pruned can be used again, though its outcome and its late feedback are still there", async () => {
    const store = await opened(await place());
    const expiry = { ...feedback(3, "x"), kind: "expiry" } as const;
    const id = await withEvents(store, [decision(1, "x"), decision(2, "y"), expiry, late(4, "x"), feedback(5, "y")]);
    await store.prune(id, 1, hashOf(1));
    expect(await store.events(id, 0, 10)).toMatchObject([
      { seq: 2, slot: 0 },
      { seq: 3, slot: null },
      { seq: 4, slot: null },
      { seq: 5, slot: 1 },
    ]);
    expect([...(await store.look(id, ["x", "y"])).found.keys()]).toEqual(["y"]);
    expect(await store.append(id, after(5), [decision(6, "x")])).toBe("written");
    expect((await store.open(id, 1, 6)).map(({ seq }) => seq)).toEqual([6]);
    const again = { ...feedback(7, "x"), kind: "expiry" } as const;
    expect(await store.append(id, after(6), [again, late(8, "x")])).toBe("written");
    const { found } = await store.look(id, ["x"]);
    expect(Object.values(found.get("x")!).map((event) => event?.seq)).toEqual([6, 7, 8]);
    expect(await store.append(id, after(8), [feedback(9, "x")])).toBe("taken");
  });

  it("says so if the decision of an outcome is not there", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x"), feedback(2, "y")]);
    await expect(store.look(id, ["y"])).rejects.toMatchObject({ code: "ERR_REPLAY" });
  });

  it("keeps histories: all or nothing, only what is newer, without what is too old", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x"), decision(2, "y"), decision(3, "z")]);
    const row = (part: string, at: number, body = `{"of":${at}}`) => ({ part, at, body });
    const save = (seq: number, rows: readonly ReturnType<typeof row>[], forget: readonly { part: string; before: number }[] = []) =>
      store.saveHistory(id, { seq, rows: [...rows, row("position", 0, `{"seq":${seq}}`)], forget });
    expect(await store.history(id, "1h", 0, 1e15)).toEqual([]);
    expect(await save(5, [row("1h", 10), row("1h", 20), row("5s", 20)])).toBe(true);
    expect(await save(5, [row("1h", 30)])).toBe(false);
    expect(await save(4, [row("1h", 20, "{}")], [{ part: "1h", before: 100 }])).toBe(false);
    expect(await store.history(id, "1h", 10, 20)).toEqual([row("1h", 10)]);
    expect(await save(6, [row("1h", 20, '{"of":"Zoë"}'), row("1h", 30)], [{ part: "1h", before: 20 }])).toBe(true);
    expect(await store.history(id, "1h", 0, 1e15)).toEqual([row("1h", 20, '{"of":"Zoë"}'), row("1h", 30)]);
    expect(await store.history(id, "5s", 0, 1e15)).toEqual([row("5s", 20)]);
    expect(await store.history(id, "position", 0, 1)).toEqual([row("position", 0, '{"seq":6}')]);
    // Pruned with the log: what began before the last event that goes.
    const at = decision(2, "y").at;
    expect(await save(7, [row("1h", at - 1), row("1h", at)])).toBe(true);
    await store.prune(id, 2, hashOf(2));
    expect(await store.history(id, "1h", 0, 1e15)).toEqual([row("1h", at)]);
    await store.dropHistory(id, 6);
    expect(await store.history(id, "position", 0, 1)).toEqual([row("position", 0, '{"seq":7}')]);
    await store.dropHistory(id, 7);
    expect([await store.history(id, "1h", 0, 1e15), await store.history(id, "position", 0, 1)]).toEqual([[], []]);
  });

  it("keeps keys", async () => {
    const store = await opened(await place());
    const second: StoredKey = { ...KEY, id: "k2", hash: "cd".repeat(32), scopes: [], role: "admin", createdAt: KEY.createdAt + 1 };
    expect(await store.keys()).toEqual([]);
    await store.addKey(KEY);
    await expect(store.addKey({ ...second, id: "k1" })).rejects.toMatchObject(refused);
    await expect(store.addKey({ ...second, hash: KEY.hash })).rejects.toMatchObject(refused);
    await store.addKey(second);
    await store.useKey("k1", "2026-11-16");
    await store.useKey("k1", "2026-11-15");
    await store.useKey("nobody", "2026-11-16");
    // It expires; then it is revoked, which comes earlier.
    expect(await store.revokeKey("k1", 1_799_000_000_000)).toBe(true);
    expect(await store.revokeKey("k1", 1_789_000_000_999)).toBe(true);
    expect(await store.revokeKey("k1", 1_789_000_001_000)).toBe(false);
    expect(await store.revokeKey("nobody", 1)).toBe(false);
    expect(await store.keys()).toEqual([{ ...KEY, lastUsed: "2026-11-16", revokedAt: 1_789_000_000_999 }, second]);
  });

  it("does a locked turn, and gives its error", async () => {
    const store = await opened(await place());
    const id = await withEvents(store, [decision(1, "x")]);
    const last = await store.locked(id, async (turn) => {
      const { seq } = await turn.look(id, ["x"]);
      expect(await turn.append(id, after(seq), [feedback(2, "x")])).toBe("written");
      expect(await turn.append(id, after(seq), [feedback(2, "x")])).toBe("behind");
      return (await turn.events(id, seq, 10))[0]!.seq;
    });
    expect(last).toBe(2);
    await expect(store.locked(id, () => Promise.reject(new RangeError("mine")))).rejects.toThrow(new RangeError("mine"));
    expect((await store.look(id, [])).seq).toBe(2);
  });

  it("has everything when it is opened again, also by many at once", async () => {
    const where = await place();
    const stores = await Promise.all(Array.from({ length: 4 }, () => opened(where)));
    const id = await withEvents(stores[0]!, [decision(1, "x")]);
    const [written] = await Promise.all([stores[1]!.append(id, after(1), [decision(2, "y")]), stores[1]!.close()]);
    expect(written).toBe("written");
    await expect(stores[1]!.ping(1)).rejects.toMatchObject(refused);
    await stores[1]!.close();
    await Promise.all(stores.map((store) => store.close()));
    expect((await (await opened(where)).events(id, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it("migrates a store of schema 1, which has no histories and another index, also if many open it at once", async () => {
    const where = await place();
    const store = await opened(where);
    const id = await withEvents(store, [decision(1, "x"), { ...decision(2, "y"), segment: "eu" }]);
    await store.close();
    const older = "DROP INDEX event_of_decision; CREATE UNIQUE INDEX event_of_decision ON event (bandit, decision, slot) WHERE decision IS NOT NULL";
    await setSchema(where, 1, `DROP TABLE history; ${older}`);
    const stores = await Promise.all(Array.from({ length: 4 }, () => opened(where)));
    expect(await stores[2]!.history(id, "1h", 0, 1)).toEqual([]);
    expect((await stores[3]!.events(id, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
    expect((await stores[3]!.events(id, 0, 10, "eu")).map(({ seq }) => seq)).toEqual([2]);
    expect(await stores[0]!.append(id, after(2), [decision(3, "x")])).toBe("taken");
    expect(await stores[1]!.append(id, after(2), [feedback(3, "x")])).toBe("written");
    await stores[0]!.check();
  });

  it.each([0, 4, 7])("refuses schema %i, with both numbers and a remedy, and leaves the store as it is", async (version) => {
    const where = await place();
    await (await opened(where)).close();
    await setSchema(where, version);
    const remedy = `has schema ${version}, and this version of the service reads up to schema 3; use the version of the service that wrote it, or another store`;
    for (let tries = 0; tries < 2; tries++)
      await expect(openStore(where)).rejects.toMatchObject({ code: "ERR_SCHEMA", message: expect.stringMatching(new RegExp(`${remedy}$`)) });
    await setSchema(where, 3);
    await (await opened(where)).ping(1);
  });
}
