import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { stream } from "tsallis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type PostgresServer, startPostgres } from "../../../test/postgres.js";
import { soak } from "../../../test/soak.js";
import { until } from "../../../test/until.js";
import { Acknowledged } from "./acknowledged.js";
import { type Attempt, Clients, type ClientsOptions } from "./clients.js";
import { type AnswerFate, type DatabaseProxy, databaseProxy, type OnQuery } from "./databaseProxy.js";
import { ServerNode } from "./serverNode.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: true });
});
afterAll(() => server?.stop());

const HOUR_MS = 3_600_000;
const BANDITS = { shared: { holdout: 0.1 }, fleeting: { windowSeconds: 2, expired: 3, policy: { policy: "htinf", alpha: 1.5, sigma: 1 } } };
/** How long a stopped machine may keep the others waiting. A busy machine is slow for everybody: what the others take while nobody is stopped does not count. */
const LONGEST_MS = 2_000;

async function query(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(server.url);
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A schema of its own, for each test. */
let schemas = 0;
async function place(): Promise<{ readonly name: string; readonly url: string }> {
  const name = `faults${++schemas}`;
  await query(`CREATE SCHEMA ${name}`);
  return { name, url: `${server.url}?options=-csearch_path%3D${name}` };
}

async function started(store: string, aheadMs = 0): Promise<ServerNode> {
  const node = await ServerNode.create(store, aheadMs);
  onTestFinished(() => node.end());
  return node;
}

async function withClients(options: ClientsOptions): Promise<Clients> {
  const clients = new Clients(options);
  onTestFinished(async () => void (await clients.end()));
  await clients.start();
  return clients;
}

async function proxied(url: string, onQuery: OnQuery): Promise<DatabaseProxy> {
  const proxy = await databaseProxy(url, onQuery);
  onTestFinished(() => proxy.close());
  return proxy;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it has asked for
  readonly body: any;
}

async function ask(node: ServerNode, method: string, path: string, body?: object): Promise<Answer> {
  const given = body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${node.url}/v1/bandits${path}`, { method, ...given });
  return { status: response.status, body: await response.json() };
}

const decide = (node: ServerNode, id: string) => ask(node, "POST", "/one/decisions", { id });

describe("a service on PostgreSQL", () => {
  it("answers 503 while the database is away, and goes on where it was when it is back", async () => {
    const [{ name, url }, elsewhere] = [await place(), await place()];
    // Whatever the database thinks of it, commits wait for the disk.
    const nodes = [await started(url), await started(`${url}%20-csynchronous_commit%3Doff`)];
    const orphaned = await started(url);
    await ask(orphaned, "PUT", "/one", { arms: ["a", "b"], windowSeconds: 1 });
    await decide(orphaned, "orphan");
    await orphaned.end();
    let away: Attempt[] | null = null;
    let since = 0;
    const onAttempt = (attempt: Attempt) => attempt.start > since && away?.push(attempt);
    const clients = await withClients({ nodes, bandits: BANDITS, clientsEach: 3, seed: 41, onAttempt });
    for (let crash = 0; crash < soak(3, 30); crash++) {
      await clients.more(300);
      await server.halt();
      since = performance.now();
      away = [];
      await until("both nodes have answered that it is away", () =>
        nodes.every((node) => away!.filter((attempt) => attempt.node === node).length > 5),
      );
      const health = await Promise.all(nodes.flatMap(({ url }) => ["/readyz", "/healthz"].map(async (path) => (await fetch(url + path)).status)));
      const seen = away;
      away = null;
      const late = started(elsewhere.url);
      await server.resume();
      await (await late).end();
      expect(health).toEqual([503, 200, 503, 200]);
      for (const { status, code, retryAfter } of seen)
        expect({ status, code, retryAfter }).toEqual({ status: 503, code: "ERR_STORE", retryAfter: "1" });
    }
    await clients.more(300);
    const acknowledged = await clients.end();
    // Nobody has asked them for it, and the one that created it is gone.
    await until(
      "the others have found the orphaned bandit",
      async () => (await query(`SELECT 1 FROM ${name}.event WHERE kind = 'expiry' AND decision = 'orphan'`)).length > 0,
    );
    await acknowledged.check(url);
  });

  it("on three machines with clocks an hour apart, any of which is killed or stopped at any time for a minute", async () => {
    const { url } = await place();
    const nodes = [await started(url, -HOUR_MS), await started(url), await started(url, HOUR_MS)];
    const longest = { stopped: 0, otherwise: 0 };
    const onAttempt = ({ node, start, status }: Attempt) => {
      if (status === null || node.awayUntil >= start) return;
      const what = nodes.some(({ stoppedUntil }) => stoppedUntil >= start) ? "stopped" : "otherwise";
      longest[what] = Math.max(longest[what], performance.now() - start);
    };
    const clients = await withClients({ nodes, bandits: BANDITS, clientsEach: 4, seed: 42, onAttempt });
    const end = performance.now() + soak(60_000, 600_000);
    const counts = { kills: 0, stops: 0 };
    const rng = stream(42, "disturbers");
    const chosen = () => {
      const present = nodes.filter(({ isAway }) => !isAway);
      return present[Math.floor(rng.uniform() * present.length)]!;
    };
    const kill = async (node: ServerNode) => {
      await node.end("SIGKILL");
      counts.kills++;
      await node.start();
    };
    const stopping = async () => {
      while (performance.now() < end) {
        const node = chosen();
        node.stop();
        counts.stops++;
        await setTimeout(300 + rng.uniform() * 4_700);
        if (rng.uniform() < 0.2) await kill(node);
        else node.wake();
        await setTimeout(rng.uniform() * 1_000);
      }
    };
    const killing = async () => {
      while (performance.now() < end) {
        await setTimeout(rng.uniform() * 4_000);
        await kill(chosen());
      }
    };
    await Promise.all([stopping(), killing()]);
    await clients.more(300);
    const acknowledged = await clients.end();
    await acknowledged.check(url);
    console.log(
      `${acknowledged.count} answers, ${counts.kills} kills, ${counts.stops} stops; longest answer ${Math.round(longest.stopped)} ms while one was stopped, ${Math.round(longest.otherwise)} ms otherwise`,
    );
    expect(longest.stopped).toBeLessThan(LONGEST_MS + 2 * longest.otherwise);
  });

  it("ends each decision once, whatever the clocks of its machines say", async () => {
    const { name, url } = await place();
    const nodes = [await started(url, -HOUR_MS), await started(url), await started(url, HOUR_MS)];
    await ask(nodes[0]!, "PUT", "/one", { arms: ["a", "b"], windowSeconds: 1, expired: 2 });
    const ids = Array.from({ length: 60 }, (_, index) => `d${index}`);
    const made = await Promise.all(ids.map((id, index) => decide(nodes[index % 3]!, id)));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    const expiries = async () => (await query(`SELECT decision FROM ${name}.event WHERE kind = 'expiry'`)).map(({ decision }) => decision);
    await until("all have expired", async () => (await expiries()).length >= ids.length);
    for (const node of nodes) {
      const late = await Promise.all(ids.map((id) => ask(node, "POST", `/one/decisions/${id}/feedback`, { loss: 1 })));
      expect(new Set(late.map(({ body }) => body.status))).toEqual(new Set([node === nodes[0] ? "late" : "repeated"]));
    }
    // When later ones have expired, every node has looked for such decisions again.
    for (const [index, node] of nodes.entries()) await decide(node, `later${index}`);
    await until("the later ones have expired", async () => (await expiries()).length >= ids.length + nodes.length);
    expect((await expiries()).length).toBe(ids.length + nodes.length);
    expect(new Set(await expiries()).size).toBe(ids.length + nodes.length);
  });

  it("writes once what the database has committed and could not acknowledge any more", async () => {
    const { url } = await place();
    const rng = stream(43, "proxy");
    let lost = 0;
    const proxy = await proxied(url, async (query, send) => {
      send(query);
      const isWrite = query.includes("tsallis append") || query.includes("COMMIT");
      if (!isWrite || rng.uniform() > 0.15) return pass;
      lost++;
      return () => "lose";
    });
    const nodes = [await started(proxy.url), await started(url)];
    const clients = await withClients({ nodes, bandits: BANDITS, clientsEach: 3, seed: 43 });
    await until("a hundred answers are lost", () => lost >= soak(100, 1_000) || clients.acknowledged.wrong.length > 0);
    await (await clients.end()).check(url);
  });

  it("lets a node that slept through a restart of the database answer what the others have answered since", async () => {
    const { url } = await place();
    const [sleeper, other] = [await started(url), await started(url)];
    await ask(sleeper, "PUT", "/one", { arms: ["a", "b", "c"], holdout: 0.2 });
    const ids = Array.from({ length: 20 }, (_, index) => `d${index}`);
    for (const id of ids) await decide(sleeper, id);
    const loss = (node: ServerNode, id: string) => ask(node, "POST", `/one/decisions/${id}/feedback`, { loss: 1 });
    sleeper.stop();
    // These lie in its sockets, and it works on them when it wakes.
    const fresh = ids.map((id) => `new${id}`);
    const asleep = Promise.all([...fresh.map((id) => decide(sleeper, id)), ...ids.map((id) => loss(sleeper, id))]);
    await server.halt();
    await server.resume();
    await until("the other one works again", async () => (await ask(other, "PATCH", "/one", { arms: ["b", "c", "d"] })).status === 200);
    const answers = [...(await Promise.all(fresh.map((id) => decide(other, id)))), ...(await Promise.all(ids.map((id) => loss(other, id))))];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 200]));
    sleeper.wake();
    const isRefusal = ({ status, body }: Answer) => status === 503 && body.code === "ERR_STORE";
    for (const [index, answer] of (await asleep).entries()) {
      const { body } = answers[index]!;
      const known = "arm" in body ? { ...body, repeated: true } : { status: "repeated" };
      if (!isRefusal(answer)) expect(answer).toEqual({ status: 200, body: known });
    }
    await until("it works again", async () => !isRefusal(await decide(sleeper, fresh[0]!)));
    for (const [index, id] of fresh.entries())
      expect(await decide(sleeper, id)).toEqual({ status: 200, body: { ...answers[index]!.body, repeated: true } });
    await new Acknowledged().check(url);
  });

  it("never goes on with a log that has lost its last events, not even when there are others in their places", async () => {
    const { name, url } = await place();
    const old = await started(url);
    /** What the old node is asked first after the loss. */
    const questions: Record<string, (bandit: string) => Promise<Answer>> = {
      another: (bandit) => ask(old, "POST", `/${bandit}/decisions`, { id: "another" }),
      lost: (bandit) => ask(old, "POST", `/${bandit}/decisions`, { id: "lost1" }),
      kept: (bandit) => ask(old, "POST", `/${bandit}/decisions`, { id: "kept1" }),
      view: (bandit) => ask(old, "GET", `/${bandit}/decisions/lost1`),
      lostFeedback: (bandit) => ask(old, "POST", `/${bandit}/decisions/lost1/feedback`, { loss: 1 }),
      keptFeedback: (bandit) => ask(old, "POST", `/${bandit}/decisions/kept1/feedback`, { loss: 1 }),
      change: (bandit) => ask(old, "PATCH", `/${bandit}`, { holdout: 0.5 }),
    };
    const [kept, lost] = [3, 2];
    /** How many events others have written since: fewer than were lost, as many, more. */
    const since = [0, lost, lost + 2];
    const bandits = since.flatMap((events) => Object.keys(questions).map((question) => ({ bandit: `${question}${events}`, question, events })));
    const make = (node: ServerNode, bandit: string, what: string, count: number) =>
      ask(node, "POST", `/${bandit}/decisions:batch`, { decisions: Array.from({ length: count }, (_, index) => ({ id: `${what}${index + 1}` })) });
    for (const { bandit } of bandits) {
      await ask(old, "PUT", `/${bandit}`, { arms: ["a", "b"] });
      await make(old, bandit, "kept", kept);
      await make(old, bandit, "lost", lost);
    }
    // What a replica that takes over does not have.
    await query(`DELETE FROM ${name}.event WHERE seq > ${kept}`);
    await query(`UPDATE ${name}.bandit SET seq = ${kept}`);
    await query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tsallis'");
    const fresh = await started(url);
    for (const { bandit, events } of bandits) if (events > 0) expect((await make(fresh, bandit, "since", events)).status).toBe(200);
    await until("it has other connections", async () => (await fetch(`${old.url}/readyz`)).status === 200);
    for (const { bandit, question } of bandits) {
      const { status, body } = await questions[question]!(bandit);
      expect({ bandit, status, code: body.code }).toEqual({ bandit, status: 503, code: "ERR_REPLAY" });
    }
    await old.end();
    await old.start();
    for (const { bandit } of bandits) expect((await ask(old, "POST", `/${bandit}/decisions`, { id: "another" })).status).toBe(201);
    await new Acknowledged().check(url);
  });

  it("is not kept waiting by a node that is stopped in the middle of what it writes, which is not written when the rest comes", async () => {
    const { url } = await place();
    const other = await started(url);
    await ask(other, "PUT", "/one", { arms: ["a", "b"] });
    let woken = () => {};
    let isCut = false;
    const proxy = await proxied(url, async (query, send) => {
      if (isCut || !query.includes("tsallis append")) send(query);
      else {
        node.stop();
        send(query.subarray(0, query.length / 2));
        isCut = true;
        await new Promise<void>((resolve) => (woken = resolve));
        send(query.subarray(query.length / 2));
      }
      return pass;
    });
    const node = await started(proxy.url);
    const usual = await usualMs(other);
    // It knows the last event, so that what it writes would be written.
    await ask(node, "GET", "/one");
    const cut = decide(node, "cut");
    await until("it is stopped", () => isCut);
    expect(await timed(async () => expect((await decide(other, "cut")).status).toBe(201))).toBeLessThan(LONGEST_MS + 2 * usual);
    node.wake();
    woken();
    // The rest comes too late: somebody has made the decision.
    expect(await cut).toEqual({ status: 200, body: (await decide(other, "cut")).body });
    await new Acknowledged().check(url);
  });

  it.each<[string, AnswerFate, (node: ServerNode) => void, (node: ServerNode) => void]>([
    ["is stopped", "pass", (node) => node.stop(), (node) => node.wake()],
    ["loses its network", "hold", () => {}, () => {}],
  ])(
    "is kept waiting for less than two seconds by a node that %s while it holds the lock of a bandit, and writes nothing stale",
    async (_, fate, disturb, recover) => {
      const { url } = await place();
      const other = await started(url);
      await ask(other, "PUT", "/one", { arms: ["a", "b"] });
      let races = 0;
      let isHeld = false;
      const proxy = await proxied(url, async (query, send) => {
        // Somebody else is always faster, until it takes the lock.
        if (!isHeld && query.includes("tsallis append")) await decide(other, `race${++races}`);
        send(query);
        if (isHeld || !query.includes("tsallis lock")) return pass;
        return () => {
          if (isHeld) return "pass";
          isHeld = true;
          disturb(node);
          return fate;
        };
      });
      const node = await started(proxy.url);
      const usual = await usualMs(other);
      const held = decide(node, "held");
      await until("it holds the lock", () => isHeld);
      const longest = await timed(async () => expect((await decide(other, "meanwhile")).status).toBe(201));
      expect(longest).toBeLessThan(LONGEST_MS + 2 * usual);
      recover(node);
      expect(await held).toMatchObject({ status: 503, body: { code: "ERR_STORE" } });
      // Until the connection is given up, everybody who asks is told at once to ask again.
      let again = await decide(node, "held");
      await until("it has another connection", async () => {
        if (again.status === 503) again = await decide(node, "held");
        return again.status !== 503;
      });
      const { status, body } = again;
      expect(status).toBe(201);
      expect((await decide(other, "held")).body).toEqual({ ...body, repeated: true });
      await new Acknowledged().check(url);
    },
  );
});

const pass = (): AnswerFate => "pass";

/** The longest of some answers of a node when nothing is wrong. */
async function usualMs(node: ServerNode): Promise<number> {
  let longest = 0;
  for (let i = 0; i < 20; i++) longest = Math.max(longest, await timed(() => decide(node, `usual${i}`)));
  return longest;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
