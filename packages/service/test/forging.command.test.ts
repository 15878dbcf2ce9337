import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Audited, auditStore, openStore } from "@tsallis/service";
import Database from "libsql";
import { BITS, createPolicy, restorePolicy, stream } from "tsallis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digest } from "../dist/log/digest.js";
import { erased, markOf, newSalt } from "../dist/log/origin.js";
import { chained, genesis } from "../dist/log/storedEvent.js";
import { Answers } from "./answers.js";
import { live } from "./live.js";

/** A forger can write to the store, and knows how to seal a chain. */
const folder = mkdtempSync(join(tmpdir(), "tsallis-forging-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ORIGINAL = join(folder, "original.db");
const START = 1_789_000_000_000;
let copies = 0;

interface Event {
  seq: number;
  kind: string;
  decision: string | null;
  origin: string | null;
  slot: number | null;
  segment: string | null;
  at: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever an event has
  body: any;
}

interface Forged {
  events: Event[];
  // biome-ignore lint/suspicious/noExplicitAny: whatever a document has
  document: any;
  version: string;
  bits: string;
  name: string;
  createdAt: number;
}

/** A log with everything: segments, a holdout, a pause, arms that come and go, rewards, expiries that teach, late feedback, an operator. */
beforeAll(async () => {
  const clock = { now: START };
  const service = await live({ store: ORIGINAL, now: () => clock.now });
  const answers = await Answers.of(service.url);
  const patch = (body: object) => answers.expect(200, "PATCH", "/v1/bandits/b", { body });
  // Under this policy every loss of this size moves all later probabilities.
  const policy = { policy: "htinf", alpha: 1.5, sigma: 100 };
  await answers.put("b", { arms: ["x", "y", "z"], policy, seed: 11, windowSeconds: 60, expired: 2, holdout: 0.2, segments: ["eu", "us"] });
  for (let i = 0; i < 24; i++) {
    clock.now += 9_000;
    await answers.decide("b", { id: `d${i}` });
    await answers.decide("b", { id: `e${i}`, segment: "eu" });
    if (i % 3 !== 0) await answers.feedback("b", `d${i}`, { loss: 1 + i / 8 });
    if (i % 2 !== 0) await answers.feedback("b", `e${i}`, { loss: -i / 4 });
    if (i === 6) await patch({ state: "paused" });
    if (i === 6) await patch({ state: "running" });
    if (i === 10) await patch({ arms: ["y", "z", "w"] });
    if (i === 15) await patch({ windowSeconds: 90, expired: 3 });
  }
  await answers.feedback("b", "d0", { loss: 9 });
  await answers.decide("b", { id: "now" });
  await answers.expect(200, "POST", "/v1/bandits/b/expire", { body: { key: "nobody" } });
  await service.close();
}, 300_000);

function read(database: Database.Database): Forged & { id: number } {
  const [[id, document, version, bits, createdAt]] = database.prepare("SELECT id, document, version, bits, created_at FROM bandit").raw().all([]) as [
    [number, string, string, string, number],
  ];
  const rows = database.prepare("SELECT seq, kind, decision, origin, slot, segment, at, body FROM event ORDER BY seq").raw().all([]) as unknown[][];
  const events = rows.map(
    ([seq, kind, decision, origin, slot, segment, at, body]) =>
      ({ seq, kind, decision, origin, slot, segment, at, body: JSON.parse(body as string) }) as Event,
  );
  return { id, name: "b", createdAt, document: JSON.parse(document), version, bits, events };
}

/** Forges a copy of the store: all events numbered and sealed again, the head and the snapshots made to fit. */
function forge(change: (log: Forged) => void, { snapshots = false } = {}): string {
  const file = join(folder, `${++copies}.db`);
  copyFileSync(ORIGINAL, file);
  const database = new Database(file);
  const { id, ...log } = read(database);
  change(log);
  const document = JSON.stringify(log.document);
  let hash = genesis({ ...log, document });
  database
    .prepare("UPDATE bandit SET name = ?, document = ?, version = ?, bits = ?, created_at = ?, genesis = ?, seq = ?")
    .run([log.name, document, log.version, log.bits, log.createdAt, hash, log.events.length]);
  database.exec(`DELETE FROM event${snapshots ? "" : "; DELETE FROM snapshot"}`);
  const insert = database.prepare(
    "INSERT INTO event (bandit, seq, kind, decision, origin, slot, segment, at, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (const [i, { kind, decision, origin, slot, segment, at, body: fields }] of log.events.entries()) {
    const row = { seq: i + 1, kind: kind as "decision", decision, origin, slot: slot as 0, segment, at, body: JSON.stringify(fields) };
    hash = chained(hash, row);
    insert.run([id, row.seq, kind, decision, origin, slot, segment, at, row.body, hash]);
  }
  database.close();
  return file;
}

async function audited(file: string, heads: readonly string[] = []): Promise<Audited> {
  const store = await openStore(file);
  try {
    return (await auditStore(store, { heads }))[0]!;
  } finally {
    await store.close();
  }
}

const first = (log: Forged, which: (event: Event) => boolean): Event => log.events.find(which)!;
const place = (log: Forged, event: Event): number => log.events.indexOf(event);
const drop = (log: Forged, event: Event): void => void log.events.splice(place(log, event), 1);
const of =
  (kind: string, more: (event: Event) => boolean = () => true) =>
  (event: Event) =>
    event.kind === kind && more(event);
const outcomeOf = (log: Forged, { decision }: Event) => first(log, (event) => event.decision === decision && event.slot === 1);
const own = of("decision", ({ body, segment }) => !body.holdout && segment === "");

/** A version event with whatever state the forger likes. */
function versioned(log: Forged, at: Event, version: string, bits: string, segment = ""): Event {
  const seq = place(log, at) + 1;
  const policy = createPolicy(log.document.policy, 3);
  // The forger's favourite.
  const rng = stream(1);
  for (let i = 0; i < 200; i++) {
    const choice = policy.choose(rng);
    policy.update(choice, choice.arm === 0 ? 0 : 50);
  }
  const state = {
    policy: restorePolicy(policy.snapshot()).snapshot(),
    arms: [0, 1, 2],
    rng: stream(log.document.seed, "segment", segment, seq).state(),
    holdoutRng: stream(log.document.seed, "holdout", segment, seq).state(),
    probabilitiesAt: 0,
  };
  return { seq: 0, kind: "version", decision: null, origin: null, slot: null, segment, at: at.at, body: { version, bits, state } };
}

const erasure = (mark: string, at: number): Event => ({
  ...{ seq: 0, kind: "erasure", decision: null, origin: null, slot: null, segment: null, at, body: { mark } },
});

/** Erases the id of one event only, and says so. */
function eraseOnly(log: Forged, event: Event): void {
  log.events.push(erasure(markOf(event.decision!, event.origin!), log.events.at(-1)!.at));
  Object.assign(event, erased(event.decision!, event.origin!));
}

const FORGERIES: Readonly<Record<string, (log: Forged) => void>> = {
  "a version event with our own bits": (log) => {
    const at = log.events[5]!;
    log.events.splice(5, 0, versioned(log, at, log.version, BITS));
  },
  "a version event of an older version": (log) => {
    const at = log.events[5]!;
    log.events.splice(5, 0, versioned(log, at, "0.0.0", "older"));
  },
  "a version event whose generators are chosen": (log) => {
    const event = versioned(log, log.events[5]!, "99.0.0", "newer");
    event.body.state.rng = [1, 2, 3, 4];
    log.events.splice(5, 0, event);
  },
  "another arm": (log) => {
    const { body } = first(log, own);
    [body.arm, body.number] = body.number === 0 ? ["y", 1] : ["x", 0];
  },
  "the name of another arm": (log) => {
    first(log, own).body.arm = "nobody";
  },
  "an arm that is not there": (log) => {
    first(log, own).body.number = 77;
  },
  "a probability": (log) => {
    first(log, own).body.probability += 2 ** -52;
  },
  "a round": (log) => {
    first(log, own).body.round++;
  },
  "a threshold": (log) => {
    first(log, own).body.threshold = 5;
  },
  "logged probabilities": (log) => {
    first(
      log,
      of("decision", ({ body }) => body.probabilities !== undefined),
    ).body.probabilities[0] += 1e-9;
  },
  "logged probabilities that are left out": (log) => {
    delete first(
      log,
      of("decision", ({ body }) => body.probabilities !== undefined),
    ).body.probabilities;
  },
  "a decision of the policy made one of the holdout": (log) => {
    Object.assign(first(log, own).body, { holdout: true, round: null, probability: 1 / 3, threshold: null });
  },
  "a decision of the holdout made one of the policy": (log) => {
    Object.assign(
      first(
        log,
        of("decision", ({ body }) => body.holdout),
      ).body,
      { holdout: false, round: 1 },
    );
  },
  "another arm of the holdout": (log) => {
    const { body } = first(
      log,
      of("decision", ({ body }) => body.holdout),
    );
    [body.arm, body.number] = body.number === 0 ? ["y", 1] : ["x", 0];
  },
  "an expiry put off": (log) => {
    first(log, own).body.expires += 1;
  },
  "an expiry put forward": (log) => {
    first(log, own).body.expires -= 30_000;
  },
  "the segment of a decision": (log) => {
    first(log, own).segment = "us";
  },
  "a segment that is not listed": (log) => {
    for (const event of log.events) if (event.segment === "eu") event.segment = "asia";
  },
  "the segment of an outcome": (log) => {
    first(
      log,
      of("feedback", ({ segment }) => segment === ""),
    ).segment = "eu";
  },
  "the segment of late feedback": (log) => {
    first(log, of("late")).segment = "eu";
  },
  "a decision while paused": (log) => {
    const pause = place(
      log,
      first(
        log,
        of("change", ({ body }) => body.state === "paused"),
      ),
    );
    const [run] = log.events.splice(pause + 1, 1);
    log.events.splice(pause + 2, 0, run!);
  },
  "a decision after an archival": (log) => {
    const event = { ...first(log, of("change")), body: { state: "archived" } };
    log.events.splice(-3, 0, event);
  },
  "an id twice": (log) => {
    const [one, two] = log.events.filter(own);
    two!.decision = one!.decision;
    two!.slot = null;
  },
  "an id that no request has": (log) => {
    const one = first(log, own);
    for (const event of log.events) if (event.decision === one.decision && event !== one) event.decision = "no spaces";
    one.decision = "no spaces";
  },
  "a decision that is left out": (log) => drop(log, first(log, own)),
  "a decision without its outcome's feedback": (log) =>
    drop(
      log,
      first(
        log,
        of("feedback", ({ body }) => body.status === "applied"),
      ),
    ),
  "two events in another order": (log) => {
    const at = place(
      log,
      first(
        log,
        of("feedback", ({ body, segment }) => body.status === "applied" && segment === ""),
      ),
    );
    const next = log.events.findIndex((event, i) => i > at && own(event));
    log.events.splice(at, 0, ...log.events.splice(next, 1));
  },
  "a loss": (log) => {
    first(
      log,
      of("feedback", ({ body }) => body.status === "applied"),
    ).body.loss += 1;
  },
  "a loss larger than any": (log) => {
    first(
      log,
      of("feedback", ({ body }) => body.status === "recorded"),
    ).body.loss = 1e301;
  },
  "a loss that is text": (log) => {
    first(
      log,
      of("feedback", ({ body }) => body.status === "recorded"),
    ).body.loss = "1";
  },
  "a status": (log) => {
    first(
      log,
      of("feedback", ({ body }) => body.status === "applied"),
    ).body.status = "retired";
  },
  "feedback of the holdout that was learned": (log) => {
    first(
      log,
      of("feedback", ({ body }) => body.status === "recorded"),
    ).body.status = "applied";
  },
  "feedback for a decision that nobody made": (log) => {
    first(log, of("feedback")).decision = "nobody";
  },
  "feedback twice": (log) => {
    const event = first(log, of("feedback"));
    log.events.splice(place(log, event) + 1, 0, { ...event, slot: null });
  },
  "feedback learned after its window": (log) => {
    const expiry = first(
      log,
      of("expiry", ({ body }) => body.loss !== null),
    );
    Object.assign(expiry, { kind: "feedback", body: { loss: 2, status: "applied" } });
  },
  "an answered decision turned into an expiry": (log) => {
    const event = first(
      log,
      of("feedback", ({ body }) => body.status === "applied"),
    );
    Object.assign(event, { kind: "expiry", body: { loss: 2 } });
  },
  "an expiry before its time": (log) => {
    const expiry = first(log, of("expiry"));
    expiry.at = first(log, (event) => event.decision === expiry.decision).at + 1_000;
  },
  "an expiry that teaches another loss": (log) => {
    first(
      log,
      of("expiry", ({ body }) => body.loss !== null),
    ).body.loss = 20;
  },
  "an expiry that teaches nothing": (log) => {
    first(
      log,
      of("expiry", ({ body }) => body.loss !== null),
    ).body.loss = null;
  },
  "an expiry by an operator that teaches": (log) => {
    first(
      log,
      of("expiry", ({ body }) => body.loss !== null),
    ).body.by = "operator";
  },
  "late feedback for an answered decision": (log) => {
    first(log, of("late")).decision = first(log, of("feedback")).decision;
  },
  "late feedback for an open decision": (log) => {
    const late = first(log, of("late"));
    late.decision = "now";
    log.events.push(...log.events.splice(place(log, late), 1));
  },
  "late feedback before the expiry": (log) => {
    const late = first(log, of("late"));
    const expiry = outcomeOf(log, late);
    log.events.splice(place(log, expiry), 0, ...log.events.splice(place(log, late), 1));
  },
  "a change that changes nothing": (log) => {
    const event = { ...first(log, of("change")), body: { state: "running" } };
    log.events.splice(1, 0, event);
  },
  "a window that no request may have": (log) => {
    first(
      log,
      of("change", ({ body }) => body.windowSeconds !== undefined),
    ).body.windowSeconds = 0;
  },
  "a holdout that no request may have": (log) => {
    log.events.push({ ...first(log, of("change")), body: { holdout: 0.9 } });
  },
  "a state that no request may have": (log) => {
    log.events.push({ ...first(log, of("change")), body: { state: "hidden" } });
  },
  "the numbers of arms": (log) => {
    first(
      log,
      of("change", ({ body }) => body.arms !== undefined),
    ).body.arms[2].number = 0;
  },
  "an arm that a change leaves out": (log) => {
    first(
      log,
      of("change", ({ body }) => body.arms !== undefined),
    ).body.arms.pop();
  },
  "a field that no event has": (log) => {
    first(log, of("feedback")).body.note = "approved";
  },
  "a field of a change that no request has": (log) => {
    log.events.push({ ...first(log, of("change")), body: { windowSeconds: 30, seed: 4 } });
  },
  "the fields in another order": (log) => {
    const event = first(log, of("feedback"));
    event.body = Object.fromEntries(Object.entries(event.body).reverse());
  },
  "the seed": (log) => {
    log.document.seed = 12;
  },
  "the policy": (log) => {
    log.document.policy = createPolicy({ policy: "uniform" }, 3).spec;
  },
  "a document that the service would not write": (log) => {
    log.document = { ...log.document, note: "x" };
  },
  "the window of the document": (log) => {
    log.document.windowSeconds = 61;
  },
  "an id that was erased, though no event says so": (log) => {
    const { decision, origin } = first(log, of("feedback"));
    for (const event of log.events) if (event.decision === decision) Object.assign(event, erased(decision!, origin!));
  },
  "the salt of an outcome": (log) => {
    first(log, of("feedback")).origin = newSalt();
  },
  "the salt of late feedback": (log) => {
    first(log, of("late")).origin = newSalt();
  },
  "an origin that no request has": (log) => {
    const event = first(log, of("feedback"));
    event.origin += " no such request";
  },
  "a decision without a salt": (log) => {
    first(log, own).origin = null;
  },
  "feedback whose id was erased, while its decision still has it": (log) => eraseOnly(log, first(log, of("feedback"))),
  "late feedback whose id was erased, while its decision still has it": (log) => eraseOnly(log, first(log, of("late"))),
  "late feedback that still has the id of its decision": (log) => {
    const { decision, origin, at } = first(log, of("late"));
    log.events.push(erasure(markOf(decision!, origin!), at));
    for (const event of log.events) if (event.decision === decision && event.kind !== "late") Object.assign(event, erased(decision!, event.origin!));
  },
  "an erasure of the id of an open decision, which could go on to teach": (log) => {
    const event = first(log, ({ decision }) => decision === "now");
    eraseOnly(log, event);
  },
  "an erasure of an id that is still there": (log) => {
    const { decision, origin, at } = first(log, of("feedback"));
    log.events.push(erasure(markOf(decision!, origin!), at));
  },
  "an erasure of an id that never was": (log) => {
    log.events.push(erasure("ab".repeat(16), log.events.at(-1)!.at));
  },
  "a repair that says of an id that is still there that it was erased": (log) => {
    const { decision, origin, at } = first(log, of("feedback"));
    const body = { dropped: 1, head: "", erased: [markOf(decision!, origin!)] };
    log.events.push({ ...erasure("", at), kind: "repair", body });
  },
  "a time that is text": (log) => {
    first(log, of("change")).at = "yesterday" as unknown as number;
  },
  "a time with a fraction": (log) => {
    first(log, of("change")).at += 0.5;
  },
  "a time that no date has": (log) => {
    first(log, of("change")).at = 9e15;
  },
  "a key that is more than an id": (log) => {
    first(log, own).body.key = { note: "approved" };
  },
  "a key that is nothing": (log) => {
    first(log, own).body.key = null;
  },
  "a change by something else than a name": (log) => {
    first(log, of("change")).body.by = { note: "approved" };
  },
  "an expiry by nothing": (log) => {
    const { decision, origin, segment, at } = first(log, (event) => event.decision === "now");
    log.events.push({ seq: 0, kind: "expiry", decision, origin, slot: 1, segment, at: at + 1, body: { loss: null, by: null } });
  },
  "an erasure by a number": (log) => {
    const { decision, origin, at } = first(log, of("feedback"));
    const event = erasure(markOf(decision!, origin!), at);
    log.events.push({ ...event, body: { ...event.body, by: 7 } });
    for (const event of log.events) if (event.decision === decision) Object.assign(event, erased(decision!, event.origin!));
  },
  "a repair of something else than a name": (log) => {
    const body = { dropped: 1, head: "", of: ["b"] };
    log.events.push({ ...erasure("", log.events.at(-1)!.at), kind: "repair", body });
  },
  "a repair with a list of no marks": (log) => {
    log.events.push({ ...erasure("", log.events.at(-1)!.at), kind: "repair", body: { dropped: 1, head: "", erased: [] } });
  },
  "a change that forgets nothing": (log) => {
    log.events.push({ ...first(log, of("change")), body: { forgotten: [] } });
  },
  "an origin that says nothing": (log) => {
    first(log, of("change")).origin = "-";
  },
  "an origin with a request that says nothing": (log) => {
    first(log, of("feedback")).origin += " -";
  },
  "the name of the bandit": (log) => {
    log.name = "no such/name";
  },
  "the time when the bandit was created": (log) => {
    log.createdAt = 9e15;
  },
  "the direction of the document": (log) => {
    log.document.direction = "sideways";
  },
  "a unit of the document that no request has": (log) => {
    log.document.unit = "x".repeat(1_000);
  },
  "a segment of the document that no request has": (log) => {
    log.document.segments.push("");
  },
  "an erasure of something else than a mark": (log) => {
    log.events.push(erasure("d1", log.events.at(-1)!.at));
  },
  "a repair that dropped nothing": (log) => {
    log.events.push({ ...erasure("", log.events.at(-1)!.at), kind: "repair", body: { dropped: 0, head: "ab".repeat(16) } });
  },
  "a reward where losses are taken": (log) => {
    first(
      log,
      of("feedback", ({ body }) => body.status === "recorded"),
    ).body.reward = true;
  },
  "a segment that is forgotten while decisions wait in it": (log) => {
    const at = log.events.findIndex((event) => event.kind === "decision" && event.segment === "eu");
    log.events.splice(at + 1, 0, { ...first(log, of("change")), body: { forgotten: ["eu"] } });
  },
  "a segment that is forgotten, and never was": (log) => {
    log.events.push({ ...first(log, of("change")), body: { forgotten: ["asia"] } });
  },
  "a time that moves an expiry": (log) => {
    first(log, own).at += 5;
  },
};

describe("a log that was forged, with its chain sealed again", () => {
  it("the one that was not is as recorded, and so are its snapshots", async () => {
    expect(await audited(ORIGINAL)).toMatchObject({ differs: null, unproved: 0 });
    expect(await audited(forge(() => {}))).toMatchObject({ differs: null, unproved: 0 });
    expect(await audited(forge(() => {}, { snapshots: true }))).toMatchObject({ differs: null, unproved: 0 });
  });

  it("there are at least 40 kinds", () => {
    expect(Object.keys(FORGERIES).length).toBeGreaterThanOrEqual(40);
  });

  it.each(Object.entries(FORGERIES))("%s: found", async (_, change) => {
    const { differs } = await audited(forge(change));
    expect(differs).not.toBeNull();
  });

  it("a takeover by a version that nobody can ask: what follows counts as not proved", async () => {
    const file = forge((log) => {
      const at = log.events.findIndex(own);
      log.events.splice(at, 0, versioned(log, log.events[at]!, "99.0.0", "newer"));
      log.events.length = at + 2;
    });
    expect(await audited(file)).toMatchObject({ differs: null, unproved: 1, versions: ["99.0.0"] });
  });

  it("a takeover as the last event, whose state a server would go on with: its version is named, so that not all counts as proved", async () => {
    const file = forge((log) => {
      const at = log.events.findIndex(own);
      log.events.splice(at, 0, versioned(log, log.events[at]!, log.version, "forged"));
      log.events.length = at + 1;
    });
    expect(await audited(file)).toMatchObject({ differs: null, unproved: 0, versions: [expect.any(String)] });
  });

  it("a takeover from a version that never was: its version is named too", async () => {
    const file = forge((log) => {
      log.events = [versioned(log, log.events[0]!, log.version, BITS)];
      log.bits = "forged";
    });
    expect(await audited(file)).toMatchObject({ differs: null, unproved: 0, versions: [expect.any(String)] });
  });

  it("a takeover of a segment that the bandit does not list: found", async () => {
    const file = forge((log) => void log.events.splice(5, 0, versioned(log, log.events[5]!, log.version, "forged", "asia")));
    expect((await audited(file)).differs).toMatchObject({ seq: 6, message: expect.stringContaining("asia") });
  });
});

describe("what only a head that was kept elsewhere shows", () => {
  const head = async () => (await audited(ORIGINAL)).head;

  it.each<[string, (log: Forged) => void]>([
    ["the last events cut off", (log) => void log.events.splice(-3)],
    ["a loss at the end, of which nothing follows yet", (log) => void log.events.splice(place(log, log.events.filter(of("feedback")).at(-1)!) + 1)],
    [
      "feedback that was never sent, at the end",
      (log) => {
        const { decision, origin, at } = first(log, (event) => event.decision === "now");
        const { holdout } = first(log, (event) => event.decision === "now").body;
        log.events.push({
          seq: 0,
          kind: "feedback",
          decision,
          origin,
          slot: 1,
          segment: "",
          at: at + 1,
          body: { loss: 0.1, status: holdout ? "recorded" : "applied" },
        });
      },
    ],
    [
      "an expiry by an operator that never was",
      (log) => {
        const { at, origin } = first(log, (event) => event.decision === "now");
        log.events.push({ seq: 0, kind: "expiry", decision: "now", origin, slot: 1, segment: "", at: at + 1, body: { loss: null, by: "operator" } });
      },
    ],
    [
      "another id, everywhere",
      (log) => {
        for (const event of log.events) if (event.decision === "d1") event.decision = "d1-forged";
      },
    ],
  ])("%s", async (what, change) => {
    const kept = await head();
    const { differs, heads } = await audited(forge(change), [kept]);
    expect(differs).toBeNull();
    // What was only added leaves the head where it was: it shows that everything up to it is as it was.
    expect(heads.length).toBe(what.includes("never") ? 1 : 0);
    expect((await audited(ORIGINAL, [kept])).heads).toEqual([{ hash: kept, seq: expect.any(Number) }]);
  });
});

describe("a snapshot that was forged, with its digest", () => {
  it.each<[string, (saved: { state: { counted: Record<string, number> }; learner: { rng: number[] }; open: number }) => void]>([
    ["a generator", ({ learner }) => void learner.rng.reverse()],
    ["a count", ({ state }) => void state.counted.answered!++],
  ])("%s: found", async (_, change) => {
    const file = join(folder, `${++copies}.db`);
    copyFileSync(ORIGINAL, file);
    const database = new Database(file);
    for (const [part, seq, body] of database.prepare("SELECT part, seq, body FROM snapshot").raw().all([]) as [string, number, string][]) {
      const saved = JSON.parse(body.slice(32));
      change(saved);
      const text = JSON.stringify(saved);
      database.prepare("UPDATE snapshot SET body = ? WHERE part = ? AND seq = ?").run([digest(text) + text, part, seq]);
    }
    database.close();
    expect((await audited(file)).differs?.message).toMatch(/^the snapshot .* is not what the log gives/);
  });
});
