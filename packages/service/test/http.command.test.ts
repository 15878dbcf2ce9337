import { addKey, createService, openStore } from "@tsallis/service";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../test/until.js";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";

let service: Live;
let answers: Answers;
let keys: { admin: string; decide: string; read: string };
beforeAll(async () => {
  service = await live({}, [{ role: "admin" }, { role: "decide" }, { role: "read" }]);
  const [admin, decide, read] = service.keys.map(({ key }) => key) as [string, string, string];
  keys = { admin, decide, read };
  answers = await Answers.of(service.url, admin);
});
afterAll(() => service.close());

const DOCUMENT = { arms: ["a", "b"], seed: 7, segments: ["s"] };

/** Every route, with what it takes; `role` is who may use it besides admin. */
const ROUTES: readonly { method: string; path: string; role?: "admin" | "decide" | "read"; body?: object; status?: number }[] = [
  { method: "PUT", path: "/v1/bandits/routes", role: "admin", body: DOCUMENT },
  { method: "GET", path: "/v1/bandits", role: "read" },
  { method: "GET", path: "/v1/bandits/routes", role: "read" },
  { method: "PATCH", path: "/v1/bandits/routes", role: "admin", body: { windowSeconds: 10 } },
  { method: "POST", path: "/v1/bandits/routes/expire", role: "admin", body: { key: "nobody" } },
  { method: "POST", path: "/v1/bandits/routes/erase", role: "admin", body: { id: "nobody" } },
  { method: "GET", path: "/v1/bandits/routes/history", role: "read" },
  { method: "GET", path: "/v1/bandits/routes/evaluation", role: "read" },
  { method: "GET", path: "/v1/bandits/routes/timeline", role: "read" },
  { method: "POST", path: "/v1/bandits/routes/decisions", role: "decide", body: { id: "known" } },
  { method: "GET", path: "/v1/bandits/routes/decisions", role: "read" },
  { method: "GET", path: "/v1/bandits/routes/decisions/known/probabilities", role: "read" },
  { method: "GET", path: "/v1/access", role: "read" },
  {
    method: "POST",
    path: "/v1/bandits/routes/decisions:batch",
    role: "decide",
    body: { decisions: [{}, { id: "known" }, { id: "known", segment: "s" }] },
  },
  { method: "GET", path: "/v1/bandits/routes/decisions/known", role: "read" },
  { method: "POST", path: "/v1/bandits/routes/decisions/known/feedback", role: "decide", body: { loss: 1 } },
  {
    method: "POST",
    path: "/v1/bandits/routes/feedback",
    role: "decide",
    body: {
      feedback: [
        { id: "known", loss: 1 },
        { id: "unknown", loss: 1 },
        { id: "known", loss: 2 },
      ],
    },
  },
  { method: "GET", path: "/v1/bandits/routes/log", role: "read" },
  { method: "POST", path: "/v1/clock", role: "admin", body: {} },
  { method: "GET", path: "/healthz" },
  { method: "GET", path: "/readyz" },
  { method: "GET", path: "/metrics", role: "read" },
  { method: "GET", path: "/openapi.json" },
];
/** Routes that leave nothing to ask twice for: tests of their own ask them. */
const ONCE: typeof ROUTES = [
  { method: "POST", path: "/v1/bandits/routes/repair", role: "admin", body: {} },
  { method: "DELETE", path: "/v1/bandits/routes", role: "admin" },
  { method: "DELETE", path: "/v1/bandits/routes/segments?segment=s", role: "admin" },
];
const ALL = [...ROUTES, ...ONCE];
/** As the document names it. */
const templateOf = (path: string) => path.replace("routes", "{name}").replace("/known", "/{id}").replace(/\?.*/, "");

describe("the document", () => {
  test("is OpenAPI 3.1, and describes every operation wholly", () => {
    const { openapi, info, paths, components } = answers.document;
    expect(openapi).toBe("3.1.0");
    expect(info).toMatchObject({ title: "tsallis", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(components.securitySchemes).toEqual({ key: { type: "http", scheme: "bearer" } });
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort();
    expect(described).toEqual(ALL.map(({ method, path }) => `${method} ${templateOf(path)}`).sort());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    for (const { path, method, operation } of operations) {
      const what = `${method} ${path}`;
      expect(operation.operationId, what).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation, what).toHaveProperty("summary");
      const { role } = ALL.find((route) => route.method.toLowerCase() === method && path === templateOf(route.path))!;
      expect(operation.security, what).toEqual(role === undefined ? undefined : [{ key: [] }]);
      // Each name in braces is a parameter, and no other parameter is in the path.
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => name).sort(), what).toEqual(named.sort());
      for (const parameter of operation.parameters ?? []) {
        expect(parameter.required, what).toBe(parameter.in === "path" || what === "delete /v1/bandits/{name}/segments");
        expect(parameter.schema, what).toHaveProperty("type");
      }
      if (["put", "post", "patch"].includes(method)) expect(Object.keys(operation.requestBody!.content), what).toEqual(["application/json"]);
      else expect(operation.requestBody, what).toBeUndefined();
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(status, what).toMatch(/^(200|201|4XX|5XX)$/);
        expect(response.description, what).not.toBe("");
        expect(Object.values(response.content)[0]!.schema, what).toHaveProperty("type");
      }
      expect(Object.keys(operation.responses), what).toEqual(expect.arrayContaining(["200", "4XX", "5XX"]));
    }
    // Nothing of the library that made the schemas shines through, and no reference is left open.
    expect(JSON.stringify(answers.document)).not.toMatch(/"~|\$ref|"nullable"/);
  });
});

test("a refusal is a problem document of RFC 9457, with code, parameter, value and remedy", async () => {
  const body = { arms: ["a", "b"], policy: { policy: "htinf", alpha: 2.5, sigma: 1 } };
  const { json, headers } = await answers.refused(422, "ERR_PARAMETER", "PUT", "/v1/bandits/problem", { body });
  expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(json).toEqual({
    type: "urn:tsallis:error:ERR_PARAMETER",
    title: "a parameter is outside its range or of the wrong type",
    status: 422,
    detail: expect.stringContaining("alpha must be in (1, 2], got 2.5"),
    code: "ERR_PARAMETER",
    parameter: expect.stringContaining("alpha"),
    value: 2.5,
    remedy: "correct the request",
  });
});

test("a request's id and trace are in its answer and in the log; one without an id gets one", async () => {
  const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const given = await answers.ask("GET", "/v1/bandits", { headers: { "x-request-id": "order:81723/1", traceparent: trace } });
  expect([given.headers.get("x-request-id"), given.headers.get("traceparent")]).toEqual(["order:81723/1", trace]);
  expect(service.events.find(({ request }) => request === "order:81723/1")).toMatchObject({ event: "request", status: 200, trace });
  const ids: (string | null)[] = [];
  for (const id of ["", "two words", "x".repeat(129), "é"]) {
    const { headers } = await answers.ask("GET", "/nothing", {
      headers: { "x-request-id": encodeURI(id).replaceAll("%20", " "), traceparent: "00-1-2-3" },
    });
    ids.push(headers.get("x-request-id"));
    expect(headers.get("traceparent")).toBe(null);
  }
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(service.events.filter(({ request }) => request === id)).toHaveLength(1);
});

test("the list comes in pages: each begins after the name that the one before ended with", async () => {
  for (const name of ["page.a", "page.b", "page.c"]) await answers.put(name, { arms: ["a", "b"] });
  const names: string[] = [];
  for (let after = ""; ; ) {
    const { bandits, next } = await answers.expect(200, "GET", `/v1/bandits?limit=1${after}`);
    names.push(...bandits.map(({ name }: { name: string }) => name));
    if (next === null) break;
    expect(next).toBe(names.at(-1));
    after = `&after=${next}`;
  }
  const whole = await answers.expect(200, "GET", "/v1/bandits");
  expect(whole.next).toBe(null);
  expect(names).toEqual(whole.bandits.map(({ name }: { name: string }) => name));
  expect(names.length).toBeGreaterThan(1);
  for (const query of ["limit=0", "limit=10001", "after=", "after=%20"]) await answers.refused(422, "ERR_BODY", "GET", `/v1/bandits?${query}`);
});

describe("each route", () => {
  test("answers as described: with its role, and with a repeat", async () => {
    for (const route of ROUTES) {
      const { status } = await answers.ask(route.method, route.path, { body: route.body });
      expect(status, `${route.method} ${route.path}`).toBeLessThan(300);
    }
    await answers.expect(200, "POST", "/v1/bandits/routes/decisions", { body: { id: "known" } });
    await answers.expect(201, "POST", "/v1/bandits/routes/decisions", { body: { segment: "s" } });
    await answers.expect(200, "GET", "/v1/bandits/routes?segment=s");
    await answers.expect(200, "GET", "/v1/bandits/routes?segment=unknown");
    await answers.expect(200, "GET", "/v1/bandits/routes/log?after=2&limit=2");
    await answers.expect(200, "PUT", "/v1/bandits/routes", { body: { ...DOCUMENT, windowSeconds: 10 } });
    await answers.expect(201, "PUT", "/v1/bandits/second", { body: { ...DOCUMENT, policy: { policy: "thompson", sigma: 1 } } });
    await answers.expect(200, "GET", "/v1/bandits/second");
    // What can be done once only.
    await answers.expect(201, "POST", "/v1/bandits/second/decisions", { body: { segment: "s" } });
    expect(await answers.expect(200, "DELETE", "/v1/bandits/second/segments?segment=s")).toMatchObject({ segments: [], document: { segments: [] } });
    await answers.refused(409, "ERR_NOT_ARCHIVED", "DELETE", "/v1/bandits/second");
    await answers.refused(409, "ERR_REPAIR", "POST", "/v1/bandits/second/repair", { body: {} });
    await answers.expect(200, "PATCH", "/v1/bandits/second", { body: { state: "archived" } });
    expect(await answers.expect(200, "DELETE", "/v1/bandits/second")).toEqual({ seq: 5, head: expect.stringMatching(/^[0-9a-f]{32}$/) });
    await answers.refused(404, "ERR_UNKNOWN_BANDIT", "GET", "/v1/bandits/second");
    await answers.refused(410, "ERR_DELETED", "PUT", "/v1/bandits/second", { body: DOCUMENT });
  });

  test("lets in its role and admin, and nobody else", async () => {
    for (const { method, path, body, role } of ALL) {
      const isOnce = ONCE.some((one) => one.path === path && one.method === method);
      const asked = body === undefined ? {} : { body };
      for (const [name, key] of Object.entries(keys)) {
        if (isOnce && name === "admin") continue;
        const answer = await answers.ask(method, path, { ...asked, key });
        const what = `${method} ${path} as ${name}: ${answer.text.slice(0, 200)}`;
        if (role === undefined || name === role || name === "admin") expect(answer.status, what).toBeLessThan(300);
        else expect([answer.status, answer.json?.code], what).toEqual([403, "ERR_ROLE"]);
      }
      const stranger = await Answers.of(service.url);
      const { status } = await stranger.ask(method, path, asked);
      expect(status, `${method} ${path} without a key`).toBe(role === undefined ? 200 : 401);
      for (const seen of stranger.seen) answers.seen.add(seen);
      if (role === undefined) continue;
      // A key in the address is no key.
      expect(
        (
          await stranger.ask(
            method,
            `${path}${path.includes("?") ? "&" : "?"}key=${keys.admin}&authorization=${keys.admin}&access_token=${keys.admin}`,
            asked,
          )
        ).status,
      ).toBe(401);
    }
  });

  test("an unknown bandit, an unknown decision, an unknown route, another method", async () => {
    for (const { method, path, body } of ALL) {
      if (!path.includes("routes") || method === "PUT") continue;
      await answers.refused(404, "ERR_UNKNOWN_BANDIT", method, path.replace("routes", "nobody"), body === undefined ? {} : { body });
    }
    await answers.refused(404, "ERR_UNKNOWN_DECISION", "GET", "/v1/bandits/routes/decisions/unknown");
    await answers.refused(404, "ERR_UNKNOWN_DECISION", "POST", "/v1/bandits/routes/decisions/unknown/feedback", { body: { loss: 1 } });
    for (const path of ["/v1", "/v1/", "/v2/bandits", "/v1/bandits/routes/", "/v1/bandits/routes/decisions/known/", "//", "/V1/bandits", "/admin"]) {
      await answers.refused(404, "ERR_ROUTE", "GET", path);
    }
    await answers.refused(422, "ERR_BODY", "GET", "/v1/bandits/");
    for (const method of ["POST", "OPTIONS"]) await answers.refused(404, "ERR_ROUTE", method, "/v1/bandits/routes");
    expect((await answers.ask("HEAD", "/v1/bandits/routes")).status).toBe(404);
  });

  test("names and ids may have 128 characters, of all kinds that are allowed", async () => {
    const long = `a.:_-${"Z9".repeat(61)}x`;
    expect(long).toHaveLength(128);
    await answers.put(long, DOCUMENT);
    expect(await answers.decide(long, { id: long })).toMatchObject({ id: long, bandit: long });
    await answers.feedback(long, encodeURIComponent(long), { loss: 1 });
    expect(await answers.expect(200, "GET", `/v1/bandits/${long.replaceAll("Z", "%5A")}/decisions/${long.replaceAll("9", "%39")}`)).toMatchObject({
      id: long,
    });
    await answers.refused(422, "ERR_BODY", "PUT", `/v1/bandits/${long}y`, { body: DOCUMENT });
    await answers.refused(404, "ERR_ROUTE", "GET", `/v1/bandits/${"y".repeat(2_000)}`);
    await answers.refused(404, "ERR_ROUTE", "GET", "/v1/bandits/%E0%A4%A");
    await answers.refused(404, "ERR_ROUTE", "GET", "/%");
  });
});

test("a log that was changed shuts its bandit: 503 on its routes, and the others go on", async () => {
  const damaged = await live();
  const before = await Answers.of(damaged.url);
  await before.put("routes", DOCUMENT);
  await before.put("sound", DOCUMENT);
  for (const id of ["known", "other"]) await before.decide("routes", { id });
  const copy = `${damaged.file}.copy`;
  const database = new Database(damaged.file);
  database.exec(`UPDATE event SET body = replace(body, '"round":2', '"round":3'); VACUUM INTO '${copy}'`);
  database.close();
  onTestFinished(() => damaged.close());
  const service = createService({ store: copy, port: 0 });
  const there = await Answers.of((await service.listen()).replace(/\/$/, ""));
  try {
    for (const { method, path, body } of ROUTES) {
      if (!path.includes("routes") || path.endsWith("/log")) continue;
      await there.refused(503, "ERR_REPLAY", method, path, body === undefined ? {} : { body });
    }
    const { bandits } = await there.expect(200, "GET", "/v1/bandits");
    expect(bandits).toMatchObject([
      { name: "routes", state: "shut", alarms: ["ERR_REPLAY"] },
      { name: "sound", state: "running" },
    ]);
    await there.expect(200, "GET", "/v1/bandits/routes/log");
    await there.decide("sound");
    await there.refused(503, "ERR_REPLAY", "DELETE", "/v1/bandits/routes/segments?segment=s");
    expect(await there.expect(200, "POST", "/v1/bandits/routes/repair", { body: {} })).toMatchObject({ kept: 1, dropped: 1 });
    expect(await there.expect(200, "POST", "/v1/bandits/routes/decisions", { body: { id: "known" } })).toMatchObject({ repeated: true });
  } finally {
    await service.close();
  }
  for (const seen of there.seen) answers.seen.add(seen);
});

describe("keys", () => {
  test("malformed, unknown, and in other schemes", async () => {
    const stranger = await Answers.of(service.url);
    const unknown = `tsk_${"A".repeat(43)}`;
    for (const authorization of [
      `Bearer ${unknown}`,
      "Bearer",
      "Bearer tsk_",
      keys.admin,
      `Basic ${keys.admin}`,
      `Bearer ${keys.admin}x`,
      `Bearer ${keys.admin} ${keys.admin}`,
      `Bearer  ${keys.admin}`,
    ]) {
      const { json } = await stranger.refused(401, "ERR_KEY", "GET", "/v1/bandits", { headers: { authorization } });
      expect(json.detail).toMatch(/unknown, revoked or expired/);
      expect(json.detail).not.toContain(keys.admin);
      expect(json.detail).not.toContain(unknown);
    }
    await stranger.expect(200, "GET", "/v1/bandits", { headers: { authorization: `bearer ${keys.read}` } });
  });

  test("outside its scope a bandit does not exist, in the very words for one that does not", async () => {
    const store = await openStore(service.file);
    const { key } = await addKey(store, { role: "admin", scopes: ["team-a.*", "shared"] });
    await store.close();
    await answers.put("team-b.1", DOCUMENT);
    await answers.put("shared", DOCUMENT);
    await until("the key is known", async () => (await answers.ask("GET", "/v1/bandits", { key })).status === 200);
    for (const { method, path, body } of ALL) {
      if (!path.includes("routes")) continue;
      const asked = { key, ...(body === undefined ? {} : { body }) };
      const foreign = await answers.refused(404, "ERR_UNKNOWN_BANDIT", method, path.replace("routes", "team-b.1"), asked);
      const unknown = await answers.refused(404, "ERR_UNKNOWN_BANDIT", method, path.replace("routes", "team-b.2"), asked);
      expect(foreign.text).toBe(unknown.text.replaceAll("team-b.2", "team-b.1"));
    }
    await answers.put("team-a.1", DOCUMENT, key);
    const { bandits } = await answers.expect(200, "GET", "/v1/bandits", { key });
    expect(bandits.map(({ name }: { name: string }) => name)).toEqual(["shared", "team-a.1"]);
    const { text } = await answers.ask("GET", "/metrics", { key });
    expect(text).toContain('bandit="team-a.1"');
    expect(text).not.toContain("team-b");
  });

  test("a key that is revoked is refused within about a second, and the last one leaves the door shut", async () => {
    const alone = await live({}, [{ role: "admin" }]);
    onTestFinished(() => alone.close());
    const [{ id, key }] = alone.keys as [{ id: string; key: string }];
    const there = await Answers.of(alone.url, key);
    await there.put("mine", DOCUMENT);
    const store = await openStore(alone.file);
    onTestFinished(() => store.close());
    expect(await store.revokeKey(id, Date.now())).toBe(true);
    await until("it is known to be revoked", async () => (await there.ask("GET", "/v1/bandits/mine")).status === 401);
    await there.refused(401, "ERR_KEY", "GET", "/v1/bandits/mine");
    await (await Answers.of(alone.url)).refused(401, "ERR_KEY", "GET", "/v1/bandits/mine");
  });

  test("more than 60 wrong keys a minute: 429 for those, and the right ones still work", async () => {
    const guarded = await live({}, [{ role: "read" }]);
    onTestFinished(() => guarded.close());
    const there = await Answers.of(guarded.url);
    const statuses: number[] = [];
    for (let i = 0; i < 65; i++) statuses.push((await there.ask("GET", "/v1/bandits", { key: `tsk_${"B".repeat(43)}` })).status);
    expect(statuses).toEqual([...new Array(60).fill(401), ...new Array(5).fill(429)]);
    const { headers } = await there.refused(429, "ERR_RATE", "GET", "/metrics", { key: "wrong" });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(30);
    await there.expect(200, "GET", "/v1/bandits", { key: guarded.keys[0]!.key });
  });

  test("a key that asks too often gets 429, and the others do not", async () => {
    const slow = await live({ requestsPerSecond: 5 }, [{ role: "read" }, { role: "read" }]);
    onTestFinished(() => slow.close());
    const [one, other] = slow.keys.map(({ key }) => key) as [string, string];
    const there = await Answers.of(slow.url);
    await there.expect(200, "GET", "/v1/bandits", { key: one });
    // A busy machine may need more than a second for six requests.
    await until("too many", async () => {
      const many = await Promise.all(Array.from({ length: 30 }, () => there.ask("GET", "/v1/bandits", { key: one })));
      return many.some(({ status, json }) => status === 429 && json?.code === "ERR_RATE");
    });
    await there.expect(200, "GET", "/v1/bandits", { key: other });
  });

  test("without one, the service listens on this machine only", async () => {
    const empty = await live();
    onTestFinished(() => empty.close());
    for (const host of ["0.0.0.0", "::"]) {
      const service = createService({ store: empty.file, host, port: 0 });
      await expect(service.listen()).rejects.toMatchObject({ code: "ERR_OPTIONS", parameter: "host" });
      await service.close();
    }
  });
});

test("all of the document was seen: every success, 4XX of every route, 5XX wherever a bandit is asked", () => {
  const described = Object.entries(answers.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => Object.keys(responses).map((status) => `${method} ${path} ${status}`)),
  );
  const withoutStore = ["/healthz", "/readyz", "/openapi.json"];
  const missing = described.filter((answer) => {
    const [, path, status] = answer.split(" ") as [string, string, string];
    if (answers.seen.has(answer)) return false;
    // These fail only when the process or the store does, which the tests of faults see to; a foreign name is refused in http.hostile.command.test.ts.
    // Repairing and deleting are what to do with a bandit that is shut.
    if (status === "5XX")
      return path.includes("{name}") && !path.endsWith("/log") && !path.endsWith("/repair") && !answer.startsWith("delete /v1/bandits/{name} ");
    return !(status === "4XX" && withoutStore.includes(path));
  });
  expect(missing).toEqual([]);
});
