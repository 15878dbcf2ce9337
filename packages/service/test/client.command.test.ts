import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { ClientError, createClient } from "@tsallis/service/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bundle } from "../../../test/bundle.js";
import { ROOT } from "../../../test/repository.js";
import { until } from "../../../test/until.js";
import { type Fate, flakyProxy } from "./flakyProxy.js";
import { type Live, live } from "./live.js";

const LONG = 60_000;

let service: Live;
beforeAll(async () => {
  service = await live({}, [{ role: "admin" }, { role: "decide", scopes: ["shop*"] }]);
  for (const name of ["shop", "shop.flaky", "shop.deadline", "shop.batch", "other"]) {
    const response = await fetch(`${service.url}/v1/bandits/${name}`, {
      method: "PUT",
      headers: { "content-type": "application/json", authorization: `Bearer ${service.keys[0]!.key}` },
      body: JSON.stringify({ arms: ["a", "b", "c"], segments: ["é 1", "s"] }),
    });
    expect(response.status).toBe(201);
  }
});
afterAll(() => service.close());

const key = () => service.keys[1]!.key;

async function look(path: string): Promise<Record<string, never>> {
  const response = await fetch(`${service.url}/v1/bandits/${path}`, { headers: { authorization: `Bearer ${service.keys[0]!.key}` } });
  return (await response.json()) as Record<string, never>;
}

/** A stand-in for the service; returns its address. */
async function standIn(
  answer: (request: IncomingMessage, response: ServerResponse, number: number) => void,
): Promise<{ url: string; asked: number[] }> {
  const asked: number[] = [];
  const server = createServer((request, response) => {
    asked.push(performance.now());
    answer(request, response, asked.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}, code = "ERR_BUSY") =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify({ code, detail: "no" }));

const decision = { id: "x", bandit: "shop", arm: "a", round: 1, probability: 0.5, holdout: false, expires: "2030-01-01T00:00:00.000Z" };

describe("with the service", () => {
  test("decides and learns, with its key; the same id gives the same decision", async () => {
    const client = createClient({ url: `${service.url}/`, key: key() });
    const first = await client.decide("shop", { id: "order-1" });
    expect(first).toMatchObject({ id: "order-1", bandit: "shop", holdout: false, fallback: false, round: 1 });
    expect(first.probability).toBeCloseTo(1 / 3);
    const { repeated, ...again } = (await client.decide("shop", { id: "order-1" })) as typeof first & { repeated?: boolean };
    expect(repeated).toBe(true);
    expect(again).toEqual(first);
    expect(await client.feedback("shop", first, { loss: 1.5 })).toEqual({ status: "applied" });
    expect(await client.feedback("shop", first, { loss: 1.5 })).toEqual({ status: "repeated" });
    await expect(client.feedback("shop", first, { loss: 2 })).rejects.toMatchObject({
      name: "ClientError",
      code: "ERR_FEEDBACK_DIFFERS",
      status: 409,
      parameter: "loss",
    });
  });

  test("makes an id that the service takes, and another each time", async () => {
    const client = createClient({ url: new URL(service.url), key: key() });
    const made = await Promise.all(Array.from({ length: 20 }, () => client.decide("shop", { segment: "é 1" })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(20);
    for (const { id, segment } of made) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(segment).toBe("é 1");
    }
    expect(await client.feedback("shop", made[0]!, { loss: -3 })).toEqual({ status: "applied" });
    expect(await look(`shop/decisions/${made[0]!.id}`)).toMatchObject({ outcome: { loss: -3 } });
  });

  test("a batch of decisions: each one, or why it was refused, in order; those without an id get one", async () => {
    const client = createClient({ url: service.url, key: key() });
    const items = [{ id: "all-1" }, { id: "all-2", segment: "nowhere" }, {}, { id: "all-1" }];
    const made = await client.decideAll("shop.batch", items);
    expect(made).toMatchObject([
      { id: "all-1", fallback: false },
      { id: "all-2", error: { name: "ClientError", code: "ERR_UNKNOWN_SEGMENT", status: null } },
      { id: expect.stringMatching(/^[0-9a-f-]{36}$/), fallback: false },
      { id: "all-1", fallback: false, repeated: true },
    ]);
    const many = await client.decideAll(
      "shop.batch",
      Array.from({ length: 1_001 }, (_, i) => ({ id: `many-${i}` })),
      { timeoutMs: LONG },
    );
    expect(many.map(({ id }) => id)).toEqual(Array.from({ length: 1_001 }, (_, i) => `many-${i}`));
    expect(many.every((one) => "arm" in one)).toBe(true);
    expect(await client.decideAll("shop.batch", [])).toEqual([]);
  });

  test("an operator's calls: create, change, look, expire, and all pages of the list", async () => {
    const client = createClient({ url: service.url, key: service.keys[0]!.key });
    expect(await client.create("made.here", { arms: ["a", "b"], seed: 1 })).toMatchObject({ name: "made.here", seq: 0 });
    expect(await client.create("made.here", { arms: ["a", "b"], seed: 1 })).toMatchObject({ seq: 0 });
    await expect(client.create("made.here", { arms: ["a", "c"] })).rejects.toMatchObject({ code: "ERR_BANDIT_DIFFERS", status: 409 });
    expect(await client.change("made.here", { holdout: 0.1, segments: ["eu"] })).toMatchObject({ document: { holdout: 0.1 } });
    const { id } = await client.decide("made.here", { segment: "eu" });
    expect(await client.decision("made.here", id)).toMatchObject({ id, outcome: null });
    expect(await client.view("made.here", { segment: "eu" })).toMatchObject({ segment: "eu", counters: { open: 1 } });
    expect(await client.evaluation("made.here", { error: 0.1 })).toMatchObject({ error: 0.1 });
    expect(await client.expire("made.here", { key: "none" })).toBe(0);
    expect(await client.expire("made.here")).toBe(1);
    expect(await client.erase("made.here", id)).toBeGreaterThan(0);
    expect(await client.erase("made.here", id)).toBe(0);
    await expect(client.repair("made.here", { dryRun: true })).rejects.toMatchObject({ code: "ERR_REPAIR", status: 409 });
    await client.delete("made.here", { segment: "eu" });
    expect(await client.view("made.here")).toMatchObject({ document: { segments: [] } });
    await expect(client.delete("made.here")).rejects.toMatchObject({ code: "ERR_NOT_ARCHIVED", status: 409 });
    const { revision } = await client.view("made.here");
    await client.change("made.here", { state: "archived" }, { revision });
    await expect(client.change("made.here", { state: "running" }, { revision })).rejects.toMatchObject({ code: "ERR_REVISION", status: 412 });
    await client.delete("made.here");
    await expect(client.view("made.here")).rejects.toMatchObject({ status: 404, code: "ERR_UNKNOWN_BANDIT" });
    await expect(client.create("made.here", { arms: ["a", "b"] })).rejects.toMatchObject({ status: 410, code: "ERR_DELETED" });
    expect((await client.bandits()).map(({ name }) => name)).toEqual(["other", "shop", "shop.batch", "shop.deadline", "shop.flaky"]);
    await expect(createClient({ url: service.url, key: key() }).bandits()).rejects.toMatchObject({ code: "ERR_ROLE", status: 403 });
  });

  test("refusals reject at once, with the service's code", async () => {
    const asked: string[] = [];
    const counting: typeof fetch = (...request) => {
      asked.push(String(request[0]));
      return fetch(...request);
    };
    const client = createClient({ url: service.url, key: key(), fetch: counting });
    await expect(client.decide("nobody")).rejects.toMatchObject({ code: "ERR_UNKNOWN_BANDIT", status: 404 });
    await expect(client.decide("other")).rejects.toMatchObject({ code: "ERR_UNKNOWN_BANDIT", status: 404 });
    await expect(client.decide("shop", { id: "no spaces" })).rejects.toMatchObject({ code: "ERR_BODY", status: 422, parameter: "id" });
    await expect(client.feedback("shop", { id: "unknown", arm: "a" }, { loss: 1 })).rejects.toBeInstanceOf(ClientError);
    await expect(createClient({ url: service.url }).decide("shop")).rejects.toMatchObject({ code: "ERR_KEY", status: 401 });
    await expect(client.feedback("../shop", { id: "x/../../y", arm: "a" }, { loss: 1 })).rejects.toMatchObject({ status: 404 });
    expect(asked).toHaveLength(5);
    // With a fallback it always has an arm, and says why.
    expect(await client.decide("nobody", { fallback: "a" })).toMatchObject({ arm: "a", fallback: true, reason: { code: "ERR_UNKNOWN_BANDIT" } });
  });

  test("answers that get lost after they were written: each decision and each loss counts once", async () => {
    const fates: Fate[] = ["lose", "pass", "halve", "pass", "refuse", "pass", "lose"];
    const proxy = await flakyProxy(service.port, (connection) => fates[connection % fates.length]!);
    onTestFinished(() => proxy.close());
    const client = createClient({ url: proxy.url, key: key() });
    const count = 20;
    for (let from = 0; from < count; from += 10) {
      const ids = Array.from({ length: 10 }, (_, i) => `flaky-${from + i}`);
      await Promise.all(
        ids.map(async (id, i) => {
          const { arm } = await client.decide("shop.flaky", { id, timeoutMs: LONG });
          expect(await look(`shop.flaky/decisions/${id}`)).toMatchObject({ arm });
          // Whether its answer was lost cannot be known: then the second one says repeated.
          expect(["applied", "repeated"]).toContain(
            (await client.feedback("shop.flaky", { id, arm }, { loss: from + i }, { timeoutMs: LONG })).status,
          );
        }),
      );
    }
    expect(proxy.connections).toBeGreaterThan(3 * count);
    expect(await look("shop.flaky")).toMatchObject({ seq: 2 * count, counters: { decisions: count, answered: count, open: 0 } });
  });

  test("after the deadline: the fallback, whose feedback is dropped, though the service has decided", async () => {
    let fate: Fate = "hold";
    const proxy = await flakyProxy(service.port, () => fate);
    onTestFinished(() => proxy.close());
    const client = createClient({ url: proxy.url, key: key() });
    const start = performance.now();
    const given = await client.decide("shop.deadline", { id: "late-1", timeoutMs: 300, fallback: "b", segment: "s" });
    expect(performance.now() - start).toBeGreaterThan(140);
    expect(given).toMatchObject({ id: "late-1", bandit: "shop.deadline", segment: "s", arm: "b", round: null, probability: null, fallback: true });
    expect(given).toMatchObject({ reason: { name: "ClientError", code: "ERR_TIMEOUT", status: null } });
    // The service made it, perhaps with another arm; nothing must be learned.
    await expect.poll(() => look("shop.deadline/decisions/late-1"), { timeout: LONG }).toMatchObject({ outcome: null });
    fate = "pass";
    expect(await client.feedback("shop.deadline", given, { loss: 1 })).toEqual({ status: "dropped" });
    const all = await client.feedbackAll("shop.deadline", [
      { id: "unknown", arm: "a", loss: 1 },
      { ...given, loss: 1 },
    ]);
    expect(all).toMatchObject([
      { id: "unknown", error: { code: "ERR_UNKNOWN_DECISION" } },
      { id: "late-1", status: "dropped" },
    ]);
    expect(await look("shop.deadline")).toMatchObject({ seq: 1, counters: { answered: 0 } });
    // Who asks again and gets the service's answer goes by that.
    const asked = await client.decide("shop.deadline", { id: "late-1", timeoutMs: LONG, fallback: "b", segment: "s" });
    expect(asked).toMatchObject({ fallback: false, repeated: true });
    expect(await client.feedback("shop.deadline", asked, { loss: 1 })).toEqual({ status: "applied" });
  });

  test("feedback in batches of a thousand, each with its status, in order", async () => {
    const client = createClient({ url: service.url, key: key() });
    const decided = await Promise.all(Array.from({ length: 20 }, () => client.decide("shop.batch", { timeoutMs: LONG })));
    const items = Array.from({ length: 2_100 }, (_, i) => decided[i] ?? { id: `unknown-${i}`, arm: "a" });
    const ids = items.map(({ id }) => id);
    const results = await client.feedbackAll("shop.batch", [...items.map((item, loss) => ({ ...item, loss })), { ...items[0]!, loss: 5 }], {
      timeoutMs: LONG,
    });
    expect(results.map(({ id }) => id)).toEqual([...ids, ids[0]]);
    expect(results.slice(0, 20).map((result) => "status" in result && result.status)).toEqual(new Array(20).fill("applied"));
    expect(results.slice(20, 2_100).every((result) => "error" in result && result.error.code === "ERR_UNKNOWN_DECISION")).toBe(true);
    expect(results.at(-1)).toMatchObject({ error: { code: "ERR_FEEDBACK_DIFFERS" } });
    expect(await client.feedbackAll("shop.batch", [])).toEqual([]);
  });
});

describe("retries", () => {
  test("with one id and the key, where the service is busy", async () => {
    const seen: string[] = [];
    const { url, asked } = await standIn(async (request, response, number) => {
      let body = "";
      for await (const data of request) body += data;
      seen.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
      const statuses = [408, 429, 500, 502, 503];
      if (number <= statuses.length) refuse(response, statuses[number - 1]!);
      else response.end(JSON.stringify(decision));
    });
    await createClient({ url: `${url}/deep///`, key: "tsk_1" }).decide("shop", { timeoutMs: LONG });
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]).toMatch(/^POST \/deep\/v1\/bandits\/shop\/decisions Bearer tsk_1 \{"id":"[0-9a-f-]{36}"\}$/);
    const pauses = asked.slice(1).map((at, i) => at - asked[i]!);
    // Half of the longest wait at least, and the longest doubles. Timers may fire a millisecond early.
    for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThan(25 * 2 ** i - 2);
  });

  test("wait as long as Retry-After says, and give up at once if that is too long", async () => {
    const one = await standIn((_request, response, number) =>
      number === 1 ? refuse(response, 503, { "retry-after": "1" }) : response.end(JSON.stringify(decision)),
    );
    await createClient({ url: one.url }).decide("shop", { timeoutMs: LONG });
    expect(one.asked[1]! - one.asked[0]!).toBeGreaterThan(990);

    const many = await standIn((_request, response) => refuse(response, 429, { "retry-after": "3600" }, "ERR_RATE"));
    await expect(createClient({ url: many.url }).decide("shop", { timeoutMs: LONG })).rejects.toMatchObject({
      code: "ERR_RATE",
      status: 429,
      message: "no",
    });
    expect(many.asked).toHaveLength(1);

    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const dated = await standIn((_request, response) => refuse(response, 503, { "retry-after": date }));
    expect(await createClient({ url: dated.url }).decide("shop", { timeoutMs: LONG, fallback: "b" })).toMatchObject({
      fallback: true,
      reason: { code: "ERR_BUSY" },
    });
    expect(dated.asked).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 409, 413, 415, 422, 431])("never after %i", async (status) => {
    const { url, asked } = await standIn((_request, response) => refuse(response, status, {}, "ERR_X"));
    await expect(createClient({ url }).feedback("shop", { id: "x", arm: "a" }, { loss: 1 })).rejects.toMatchObject({ code: "ERR_X", status });
    expect(asked).toHaveLength(1);
  });

  test("what is not the service's answer is an error too", async () => {
    const page = await standIn((_request, response) => response.writeHead(404).end("<html>"));
    await expect(createClient({ url: page.url }).decide("shop")).rejects.toMatchObject({ code: "ERR_ANSWER", status: 404 });
    const elsewhere = await standIn((_request, response) => response.writeHead(302, { location: page.url }).end());
    await expect(createClient({ url: elsewhere.url }).decide("shop", { timeoutMs: 200 })).rejects.toMatchObject({
      code: "ERR_TIMEOUT",
      status: null,
    });
    expect(page.asked).toHaveLength(1);
  });

  test("end at the deadline, also with a fetch that never ends", async () => {
    const client = createClient({ url: "http://127.0.0.1:9", fetch: () => new Promise(() => {}) });
    await expect(client.decide("shop", { timeoutMs: 50 })).rejects.toMatchObject({ code: "ERR_TIMEOUT", status: null });
    const broken = createClient({ url: "http://127.0.0.1:9", fetch: () => Promise.reject(new TypeError("no route")) });
    await expect(broken.feedback("shop", { id: "x", arm: "a" }, { loss: 1 }, { timeoutMs: 200 })).rejects.toMatchObject({
      code: "ERR_TIMEOUT",
      cause: { message: "no route" },
    });
    // A server that breaks down half-way is still the last one that said something.
    const { url } = await standIn((_request, response, number) => (number === 1 ? refuse(response, 503) : undefined));
    await expect(createClient({ url }).decide("shop", { timeoutMs: 3000 })).rejects.toMatchObject({ code: "ERR_BUSY", status: 503 });
  });
});

describe("what is not the service's answer", () => {
  const GARBAGE = [
    "",
    "<html>",
    "null",
    "[]",
    "{}",
    '"a"',
    "5",
    '{"id":"x"}',
    '{"arm":5,"id":"x"}',
    '{"feedback":{}}',
    '{"feedback":[null]}',
    '{"feedback":[{"id":"x"}]}',
  ];

  test("with 200: an error, and with a fallback the fallback", async () => {
    // The client asks again until its time is over, so that all wait for the same deadline.
    const timeoutMs = 5000;
    const refused = { name: "ClientError", code: "ERR_ANSWER", status: 200 };
    const refuses = async (text: string) => {
      const { url } = await standIn((_request, response) => response.end(text));
      const client = createClient({ url });
      await Promise.all([
        expect(client.decide("shop", { timeoutMs }), text).rejects.toMatchObject(refused),
        expect(client.feedback("shop", { id: "y", arm: "a" }, { loss: 1 }, { timeoutMs }), text).rejects.toMatchObject(refused),
        expect(client.feedbackAll("shop", [{ id: "y", arm: "a", loss: 1 }], { timeoutMs }), text).rejects.toMatchObject(refused),
        expect(client.decide("shop", { id: "x", timeoutMs, fallback: "no such arm" }), text).resolves.toMatchObject({
          arm: "no such arm",
          fallback: true,
          reason: refused,
        }),
      ]);
      expect(await client.feedback("shop", { id: "x", arm: "no such arm", fallback: true }, { loss: 1 }), text).toEqual({ status: "dropped" });
    };
    await Promise.all(GARBAGE.map(refuses));
  });

  test.each(["null", "5", '{"code":null}', '{"code":"ERR_NONE"}', '{"code":5,"detail":"x"}', '{"code":"ERR_X","detail":"x","parameter":{}}'])(
    "%s with 422: an error all the same",
    async (text) => {
      const { url } = await standIn((_request, response) => response.writeHead(422).end(text));
      await expect(createClient({ url }).decide("shop")).rejects.toMatchObject({
        name: "ClientError",
        status: 422,
        code: text.includes("ERR_X") ? "ERR_X" : "ERR_ANSWER",
      });
    },
  );

  test("an answer that comes after the fallback changes nothing", async () => {
    const held: ServerResponse[] = [];
    const { url } = await standIn((_request, response) => held.push(response));
    const client = createClient({ url });
    const given = await client.decide("shop", { id: "x", timeoutMs: 120, fallback: "b" });
    expect(given).toMatchObject({ arm: "b", fallback: true });
    for (const response of held) response.end(JSON.stringify(decision));
    expect(await client.feedback("shop", given, { loss: 1 })).toEqual({ status: "dropped" });
  });

  test("a key is never sent to where a redirect points", async () => {
    const keys: (string | undefined)[] = [];
    const target = await standIn((request, response) => {
      keys.push(request.headers.authorization);
      response.end(JSON.stringify(decision));
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const { url } = await standIn((_request, response) => response.writeHead(status, { location: target.url }).end());
      expect(await createClient({ url, key: "tsk_1" }).decide("shop", { timeoutMs: 100, fallback: "a" })).toMatchObject({ fallback: true });
    }
    expect(keys).toEqual([]);
  });
});

describe("a signal", () => {
  test("ends a call that waits for an answer, and one that waits to ask again, with the signal's reason; the fallback is not taken", async () => {
    const silent = await standIn(() => {});
    const busy = await standIn((_request, response) => refuse(response, 503, { "retry-after": "30" }));
    for (const { url, asked } of [silent, busy]) {
      const controller = new AbortController();
      const called = createClient({ url }).decide("shop", { timeoutMs: LONG, fallback: "a", signal: controller.signal });
      await until("it was asked", () => asked.length > 0);
      controller.abort(new Error("enough"));
      await expect(called).rejects.toThrow("enough");
      expect(asked).toHaveLength(1);
    }
  });

  test("that is aborted already asks nothing", async () => {
    const { url, asked } = await standIn((_request, response) => response.end(JSON.stringify(decision)));
    await expect(createClient({ url }).view("shop", { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    expect(asked).toEqual([]);
  });
});

test("a list of several pages is asked for page by page", async () => {
  const { url } = await standIn((request, response) => {
    const after = new URL(request.url!, "http://x").searchParams.get("after");
    response.end(
      JSON.stringify(after === null ? { bandits: [{ name: "a" }, { name: "b" }], next: "b" } : { bandits: [{ name: `after ${after}` }], next: null }),
    );
  });
  expect((await createClient({ url }).bandits()).map(({ name }) => name)).toEqual(["a", "b", "after b"]);
});

describe("mistakes of the one who calls", () => {
  test("an address that is none, or has secrets in it, is refused at once, without quoting it", () => {
    for (const url of [
      "",
      "127.0.0.1:7411",
      "ftp://host",
      "file:///x",
      "http://",
      "http://ada:hush@host",
      "http://hush@host",
      "http://host/?key=hush",
      "http://host/#hush",
    ]) {
      let message = "";
      try {
        createClient({ url });
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        message = (error as Error).message;
      }
      expect(message, url).toMatch(/^url must/);
      expect(message).not.toContain("hush");
    }
    for (const key of ["", "tsk_1\n", "tsk 1", "tsk_é"])
      expect(() => createClient({ url: "http://host", key })).toThrow(/^key must be one line of text without spaces/);
  });

  test("a time that is none is refused, whether there is a fallback or not", async () => {
    const asked: unknown[] = [];
    const client = createClient({ url: "http://127.0.0.1:9", fetch: (...request) => Promise.reject(asked.push(request)) });
    for (const timeoutMs of [Number.NaN, -1, Number.POSITIVE_INFINITY, 2 ** 31]) {
      await expect(client.decide("shop", { timeoutMs, fallback: "a" })).rejects.toThrow(RangeError);
      await expect(client.feedback("shop", { id: "x", arm: "a" }, { loss: 1 }, { timeoutMs })).rejects.toThrow(RangeError);
    }
    expect(asked).toEqual([]);
    expect(await client.decide("shop", { timeoutMs: 0, fallback: "a" })).toMatchObject({ fallback: true });
  });

  test("what cannot be written is not tried again and again", async () => {
    const asked: unknown[] = [];
    const client = createClient({ url: "http://127.0.0.1:9", fetch: (...request) => Promise.reject(asked.push(request)) });
    const unwritable = { name: "ClientError", code: "ERR_BODY", status: null };
    await expect(client.feedback("shop", { id: "x", arm: "a" }, { loss: 1n as unknown as number })).rejects.toMatchObject(unwritable);
    await expect(client.decide("\ud800")).rejects.toMatchObject(unwritable);
    expect(await client.decide("\ud800", { fallback: "a" })).toMatchObject({ arm: "a", fallback: true, reason: unwritable });
    expect(asked).toEqual([]);
    // JSON has no NaN: the service says so.
    await createClient({ url: service.url, key: key() }).decide("shop", { id: "not-a-number" });
    await expect(
      createClient({ url: service.url, key: key() }).feedback("shop", { id: "not-a-number", arm: "a" }, { loss: Number.NaN }),
    ).rejects.toMatchObject({
      code: "ERR_LOSS",
      status: 422,
    });
  });
});

test("bundled for a browser, it is a script of its own that works without Node", async () => {
  const code = await bundle(fileURLToPath(import.meta.resolve("@tsallis/service/client")), ROOT, "tsallisClient");
  expect(code.length).toBeLessThan(10_000);
  // Nothing is there but what browsers have too.
  const asked: [string, RequestInit][] = [];
  const browser = createContext({
    URL,
    AbortSignal,
    performance,
    setTimeout,
    clearTimeout,
    crypto,
    location: { href: "https://shop.example/page?x#y" },
  });
  const { createClient: create } = runInContext(`${code}; tsallisClient`, browser) as { createClient: typeof createClient };
  const fetch = async (url: unknown, init?: RequestInit) => {
    asked.push([String(url), init!]);
    return Response.json({ ...decision, id: JSON.parse(String(init!.body)).id });
  };
  const client = create({ url: "/bandits/", key: "tsk_1", fetch });
  expect(await client.decide("shop", { timeoutMs: LONG })).toMatchObject({ arm: "a", fallback: false });
  expect(asked[0]![0]).toBe("https://shop.example/bandits/v1/bandits/shop/decisions");
  expect(asked[0]![1]).toMatchObject({ credentials: "omit", redirect: "error" });
  expect(await client.decide("shop", { timeoutMs: LONG, signal: new AbortController().signal })).toMatchObject({ arm: "a" });
});

test("the build of the client imports nothing from outside its folder, and no module of Node", () => {
  const entry = fileURLToPath(import.meta.resolve("@tsallis/service/client"));
  const folder = dirname(entry);
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    expect(text).not.toMatch(/\b(require|process|Buffer)\b/);
    for (const [, from] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g)) {
      expect(from).toMatch(/^\.\//);
      const target = resolve(dirname(file), from!);
      expect(relative(folder, target)).not.toMatch(/^\.\./);
      visit(target);
    }
  };
  visit(entry);
  expect([...seen].map((file) => relative(folder, file)).sort()).toContain("createClient.js");
});
