import { once } from "node:events";
import { request } from "node:http";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";
import { Wire, wired } from "./wire.js";

let service: Live;
let answers: Answers;
beforeAll(async () => {
  service = await live();
  answers = await Answers.of(service.url);
  await answers.put("shop", { arms: ["a", "b"], seed: 7 });
});
afterAll(() => service.close());

const KiB = 1024;
const DECISIONS = "/v1/bandits/shop/decisions";
const HOST = "Host: localhost\r\n";
const CLOSE = "Connection: close\r\n";
const JSON_HEADER = "Content-Type: application/json\r\n";
const post = (headers: string, body: string, path = DECISIONS) =>
  `POST ${path} HTTP/1.1\r\n${HOST}${JSON_HEADER}${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe("what is hardly HTTP", () => {
  test.each<[what: string, text: string, status: number, code: string]>([
    ["no request", "garbage\r\n\r\n", 400, "ERR_HTTP"],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, "ERR_HTTP"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "ERR_HTTP"],
    ["HTTP/0.9", "GET /healthz\r\n\r\n", 403, "ERR_HOST"],
    ["HTTP/3.1", `GET /healthz HTTP/3.1\r\n${HOST}\r\n`, 400, "ERR_HTTP"],
    ["no host", `GET /healthz HTTP/1.1\r\n${CLOSE}\r\n`, 400, "ERR_HTTP"],
    ["no host, HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", 403, "ERR_HOST"],
    ["a body of two lengths", `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${JSON_HEADER}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, "ERR_HTTP"],
    [
      "a length and chunks",
      `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${JSON_HEADER}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      400,
      "ERR_HTTP",
    ],
    ["a negative length", `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${JSON_HEADER}Content-Length: -2\r\n\r\n{}`, 400, "ERR_HTTP"],
    ["a wrong chunk", `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${JSON_HEADER}Transfer-Encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`, 400, "ERR_HTTP"],
    ["another encoding of the transfer", `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${JSON_HEADER}Transfer-Encoding: gzip\r\n\r\n{}`, 400, "ERR_HTTP"],
    ["a header over two lines", `GET /healthz HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`, 400, "ERR_HTTP"],
    ["a header with a NUL", `GET /healthz HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`, 400, "ERR_HTTP"],
    ["headers of 17 KiB", `GET /healthz HTTP/1.1\r\n${HOST}X: ${"a".repeat(17 * KiB)}\r\n\r\n`, 431, "ERR_HEADERS"],
    ["an address of 17 KiB", `GET /${"a".repeat(17 * KiB)} HTTP/1.1\r\n${HOST}\r\n`, 431, "ERR_HEADERS"],
    ["all of it", `OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404, "ERR_ROUTE"],
    ["another method", `TRACE ${DECISIONS} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 404, "ERR_ROUTE"],
    ["no body", `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 422, "ERR_BODY"],
    ["an empty body", `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${CLOSE}${JSON_HEADER}Content-Length: 0\r\n\r\n`, 400, "ERR_JSON"],
  ])("%s: refused, in our words, and nothing is written", async (_what, text, status, code) => {
    const seq = await answers.seq("shop");
    const [answer, ...more] = await wired(service.port, Buffer.from(text, "latin1"));
    expect([answer?.status, answer?.json?.code], answer?.text).toEqual([status, code]);
    expect(more).toEqual([]);
    answers.check("?", "/", answer!);
    expect(await answers.seq("shop")).toBe(seq);
  });

  test("a tunnel is not dug", async () => {
    expect(await wired(service.port, `CONNECT 127.0.0.1:${service.port} HTTP/1.1\r\n${HOST}\r\n`)).toEqual([]);
  });

  test.each<[what: string, text: string]>([
    ["HTTP/1.0", `POST ${DECISIONS} HTTP/1.0\r\n${HOST}${JSON_HEADER}Content-Length: 2\r\n\r\n{}`],
    ["leave to go on", post(`Expect: 100-continue\r\n${CLOSE}`, "{}")],
    ["another expectation", post(`Expect: tea\r\n${CLOSE}`, "{}")],
    ["an upgrade", post("Connection: Upgrade, close\r\nUpgrade: websocket\r\n", "{}")],
    ["an upgrade to HTTP/2", post("Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n", "{}")],
    [
      "chunks with trailers",
      `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${CLOSE}${JSON_HEADER}Transfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n1;x=y\r\n{\r\n1\r\n}\r\n0\r\nAuthorization: Bearer x\r\nHost: evil.example\r\n\r\n`,
    ],
    ["a whole address", post(CLOSE, "{}", `http://evil.example${DECISIONS}`)],
  ])("%s: harmless, one decision", async (_what, text) => {
    const seq = await answers.seq("shop");
    const found = await wired(service.port, text);
    expect(found.map(({ status }) => status)).toEqual([201]);
    answers.check("POST", DECISIONS, found[0]!);
    expect(await answers.seq("shop")).toBe(seq + 1);
  });

  test("requests one behind the other are answered in order; garbage behind one is never taken for its answer", async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `pipelined-${i}`);
    const found = await wired(service.port, ids.map((id, i) => post(i === 19 ? CLOSE : "", JSON.stringify({ id }))).join(""));
    expect(found.map(({ status, json }) => [status, json.id])).toEqual(ids.map((id) => [201, id]));
    for (let i = 0; i < 20; i++) {
      const id = `before-garbage-${i}`;
      const [answer] = await wired(service.port, `${post("", JSON.stringify({ id }))}garbage\r\n\r\n`);
      // No answer at all says that nobody knows whether it was written; a refusal would say that it was not.
      expect([undefined, 201], answer?.text).toContain(answer?.status);
      if (answer === undefined) expect([200, 201]).toContain((await answers.ask("POST", DECISIONS, { body: { id } })).status);
      await answers.expect(200, "GET", `${DECISIONS}/${id}`);
    }
  });
});

describe("what is slow", () => {
  const underWay: Wire[] = [];
  let before: number;
  let start: number;
  // All at the same time: each takes ten seconds.
  beforeAll(async () => {
    before = await answers.seq("shop");
    start = performance.now();
    for (const text of ["", "GET /heal", `GET /healthz HTTP/1.1\r\n${HOST}X-A: b\r\n`, post("", "{}").slice(0, -1), post("", "{}").slice(0, -2)]) {
      underWay.push((await Wire.to(service.port)).send(text));
    }
    const dripping = (await Wire.to(service.port)).send(`GET /healthz HTTP/1.1\r\n${HOST}`);
    const body = (await Wire.to(service.port)).send(`POST ${DECISIONS} HTTP/1.1\r\n${HOST}${JSON_HEADER}Content-Length: 60000\r\n\r\n{`);
    underWay.push(dripping, body);
    const timer = setInterval(() => {
      dripping.send("X-A: b\r\n");
      body.send(" ");
    }, 500);
    dripping.socket.once("close", () => clearInterval(timer));
  });

  test("everybody else is served meanwhile", async () => {
    await answers.decide("shop");
  });

  test("headers and bodies that do not come, or come drop by drop: 408 after ten seconds, and the end of the connection", async () => {
    for (const wire of underWay) {
      const [answer, ...more] = await wire.answers();
      expect([answer?.status, answer?.json?.code], answer?.text).toEqual([408, "ERR_SLOW"]);
      answers.check("?", "/", answer!);
      expect(more).toEqual([]);
    }
    expect(performance.now() - start).toBeGreaterThan(9_000);
    expect(await answers.seq("shop")).toBe(before + 1);
    // What was cut off is no defect.
    expect(service.events.filter(({ event, status }) => event === "problem" || Number(status) >= 500)).toEqual([]);
  });
});

describe("bodies", () => {
  const padded = (body: string, bytes: number) => body + " ".repeat(bytes - body.length);
  const BATCH = "/v1/bandits/shop/decisions:batch";
  const SINGLE: readonly [path: string, body: string][] = [
    [DECISIONS, '{"id":"large"}'],
    [`${DECISIONS}/large/feedback`, '{"loss":1}'],
  ];
  const LARGE: readonly [method: string, path: string, body: string][] = [
    ["POST", BATCH, '{"decisions":[{"id":"large"}]}'],
    ["POST", "/v1/bandits/shop/feedback", '{"feedback":[{"id":"large","loss":1}]}'],
    ["PUT", "/v1/bandits/shop", '{"arms":["a","b"]}'],
    ["PATCH", "/v1/bandits/shop", '{"state":"running"}'],
  ];

  test("of 64 KiB on single routes and of 1 MiB on the others are taken, and not a byte more", async () => {
    const seq = await answers.seq("shop");
    for (const [path, body] of SINGLE) {
      for (const bytes of [64 * KiB + 1, 65 * KiB, 2048 * KiB]) {
        await answers.refused(413, "ERR_TOO_LARGE", "POST", path, { body: padded(body, bytes) });
        await chunked("POST", path, padded(body, bytes));
      }
    }
    for (const [method, path, body] of LARGE) {
      for (const bytes of [1024 * KiB + 1, 2048 * KiB]) {
        await answers.refused(413, "ERR_TOO_LARGE", method, path, { body: padded(body, bytes) });
        await chunked(method, path, padded(body, bytes));
      }
    }
    expect(await answers.seq("shop")).toBe(seq);
    for (const [path, body] of SINGLE) expect((await answers.ask("POST", path, { body: padded(body, 64 * KiB) })).status).toBeLessThan(300);
    for (const [method, path, body] of LARGE) expect((await answers.ask(method, path, { body: padded(body, 1024 * KiB) })).status).toBeLessThan(300);
  });

  /** Sends a body without telling its length, as far as the service takes it. */
  async function chunked(method: string, path: string, body: string): Promise<void> {
    const sent = request(service.url + path, { method, headers: { "content-type": "application/json" } });
    // The service may end the connection while the rest is still on its way.
    sent.on("error", () => {});
    for (let at = 0; at < body.length; at += 16 * KiB) sent.write(body.slice(at, at + 16 * KiB));
    const answered = once(sent, "response");
    sent.end();
    const [{ statusCode }] = await answered;
    expect(statusCode).toBe(413);
    sent.destroy();
  }

  test("that are not declared as JSON are refused, so that no foreign page can send them", async () => {
    const seq = await answers.seq("shop");
    const wrong = ["text/plain", "text/plain; application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json"];
    for (const type of [...wrong, "application/jsonp", "application/json, text/plain", "application/vnd.api+json", "application", "*/*", ""]) {
      for (const [path, body] of SINGLE) await answers.refused(415, "ERR_CONTENT_TYPE", "POST", path, { body, headers: { "content-type": type } });
      for (const [method, path, body] of LARGE)
        await answers.refused(415, "ERR_CONTENT_TYPE", method, path, { body, headers: { "content-type": type } });
    }
    // As a form or a beacon without a type sends it.
    const [answer] = await wired(service.port, `POST ${DECISIONS} HTTP/1.1\r\n${HOST}${CLOSE}Content-Length: 2\r\n\r\n{}`);
    expect([answer!.status, answer!.json?.code]).toEqual([415, "ERR_CONTENT_TYPE"]);
    expect(await answers.seq("shop")).toBe(seq);
    for (const type of ["application/json; charset=utf-8", "Application/JSON"])
      await answers.expect(201, "POST", DECISIONS, { body: "{}", headers: { "content-type": type } });
  });
});

describe("under another name", () => {
  const PATHS = ["/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/bandits", "/v1/bandits/shop", "/nothing", "/dashboard.js"];

  test.each([
    "evil.example",
    "evil.example:7411",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "localhost.",
    "0.0.0.0",
    "[::]",
    "127.0.0.2",
    "user@localhost",
    "localhost:x",
  ])("%j: a service without keys answers nothing, so that no page can reach it by a name that it points here", async (host) => {
    for (const path of PATHS) {
      const answer = await answers.exact("GET", path, { host });
      expect([answer.status, answer.json?.code], `${path} ${answer.text}`).toEqual([403, "ERR_HOST"]);
    }
    const seq = await answers.seq("shop");
    const { status } = await answers.exact("POST", DECISIONS, { host, "content-type": "application/json" }, "{}");
    expect(status).toBe(403);
    expect(await answers.seq("shop")).toBe(seq);
  });

  test("its own names are all right, with any port", async () => {
    for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1", `127.0.0.1:${service.port}`, "[::1]", "[::1]:80"])
      expect((await answers.exact("GET", "/v1/bandits/shop", { host })).status).toBe(200);
    // The first one counts, and the second one is not seen.
    for (const host of ["Host: evil.example", "Host:", "Host: ,localhost"]) {
      const [answer] = await wired(service.port, `GET /healthz HTTP/1.1\r\n${host}\r\n${HOST}${CLOSE}\r\n`);
      expect(answer!.status, host).toBe(403);
    }
  });

  test("with keys, the key decides", async () => {
    const guarded = await live({}, [{ role: "read" }]);
    onTestFinished(() => guarded.close());
    const there = await Answers.of(guarded.url);
    const host = "bandits.example";
    expect((await there.exact("GET", "/healthz", { host })).status).toBe(200);
    expect((await there.exact("GET", "/v1/bandits", { host })).status).toBe(401);
    expect((await there.exact("GET", "/v1/bandits", { host, authorization: `Bearer ${guarded.keys[0]!.key}` })).status).toBe(200);
  });
});

describe("other sites", () => {
  const SITE = "https://shop.example";
  const allowed = ({ headers }: { headers: Headers }) => [...headers.keys()].filter((name) => name.startsWith("access-control-"));

  test("may not ask, unless --origin names them", async () => {
    for (const [method, path] of [
      ["GET", "/v1/bandits"],
      ["OPTIONS", DECISIONS],
      ["GET", "/nothing"],
    ] as const) {
      const answer = await answers.ask(method, path, { headers: { origin: SITE, "access-control-request-method": "POST" } });
      expect(allowed(answer)).toEqual([]);
    }
    const open = await live({ origin: SITE }, [{ role: "read" }]);
    onTestFinished(() => open.close());
    const there = await Answers.of(open.url);
    for (const origin of [
      "https://evil.example",
      `${SITE}.evil.example`,
      "http://shop.example",
      "https://shop.example:444",
      "null",
      SITE.toUpperCase(),
    ]) {
      expect(allowed(await there.ask("GET", "/v1/bandits", { headers: { origin } }))).toEqual([]);
      const asked = await there.ask("OPTIONS", "/v1/bandits", { headers: { origin, "access-control-request-method": "GET" } });
      expect([asked.status, allowed(asked)]).toEqual([404, []]);
    }
    const before = await there.exact("OPTIONS", "/v1/bandits", {
      origin: SITE,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    });
    expect(before.status).toBe(204);
    // An answer that says no can be read too, and no cookie is ever asked for.
    const refused = await there.refused(401, "ERR_KEY", "GET", "/v1/bandits", { headers: { origin: SITE } });
    const given = await there.ask("GET", "/v1/bandits", { key: open.keys[0]!.key, headers: { origin: SITE } });
    for (const answer of [before, refused, given]) {
      expect(answer.headers.get("access-control-allow-origin")).toBe(SITE);
      expect(answer.headers.get("access-control-allow-headers")).toBe("authorization, content-type, if-match, traceparent, x-request-id");
      expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
      expect(answer.headers.get("vary")).toBe("origin");
    }
    expect(given.status).toBe(200);
  });
});

test("the pages have no inline script, may load nothing from elsewhere and be framed by nobody", async () => {
  const page = await answers.ask("GET", "/");
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toBe("default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>|\son\w+=|javascript:|https?:\/\/(?!127)/i);
  const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => new URL(path!, `${service.url}/`).pathname);
  expect(files.length).toBeGreaterThan(1);
  for (const path of files) expect((await answers.ask("GET", path)).status, path).toBe(200);
  for (const path of ["/../package.json", "/%2e%2e/package.json", "/..%2fpackage.json", "//etc/passwd", "/dashboard.js/..", "/index.html%00.js"])
    expect((await answers.exact("GET", path)).status, path).toBe(404);
});

describe("names", () => {
  test("of the language's own objects, and of routes, are names like all others", async () => {
    const odd = ["constructor", "toString", "hasOwnProperty", "valueOf"];
    for (const name of [...odd, "decisions", "feedback", "log", "history", "bandits", "v1", "decisions:batch", "a::b", "x:name", "0", "NaN"]) {
      await answers.put(name, { arms: odd, segments: ["__proto__", "segment:x"] });
      for (const segment of ["__proto__", "segment:x"]) {
        for (const id of ["__proto__", "constructor", "feedback", "decisions:batch", "...", "-", "_", ":"]) {
          const asked = { id: segment === "__proto__" ? id : `${id}.2`, segment };
          const { arm } = await answers.decide(name, asked);
          expect(odd).toContain(arm);
          expect(await answers.feedback(name, asked.id, { loss: 1 })).toEqual({ status: "applied" });
          expect(await answers.expect(200, "GET", `/v1/bandits/${name}/decisions/${asked.id}`)).toMatchObject({
            id: asked.id,
            segment,
            outcome: { loss: 1 },
          });
        }
        expect(await answers.view(name, `?segment=${encodeURIComponent(segment)}`)).toMatchObject({ segment, round: 8 });
        await answers.expect(200, "GET", `/v1/bandits/${name}/history?segment=${encodeURIComponent(segment)}`);
      }
      expect(await answers.view(name)).toMatchObject({ seq: 32, round: 0, segments: ["__proto__", "segment:x"] });
    }
    for (const policy of ["__proto__", ...odd])
      await answers.refused(422, "ERR_UNKNOWN_NAME", "PUT", "/v1/bandits/p", { body: { arms: ["a", "b"], policy: { policy } } });
  });

  test("that an address cannot carry are no ids: their feedback would reach another route", async () => {
    for (const id of [".", "..", "", "a/b", "a b", "é", "a\n"]) {
      await answers.refused(422, "ERR_BODY", "POST", DECISIONS, { body: { id } });
      await answers.refused(422, "ERR_BODY", "POST", "/v1/bandits/shop/decisions:batch", { body: { decisions: [{ id }] } });
    }
  });

  test("are compared after they are decoded, once: no spelling leads out of a scope", async () => {
    const guarded = await live({}, [{ role: "admin" }, { role: "admin", scopes: ["team-a.*"] }]);
    onTestFinished(() => guarded.close());
    const [all, scoped] = guarded.keys.map(({ key }) => key) as [string, string];
    const there = await Answers.of(guarded.url, all);
    for (const name of ["team-a.1", "team-b.1", "TEAM-A.1"]) await there.put(name, { arms: ["a", "b"] });
    const authorization = `Bearer ${scoped}`;
    const statusOf = async (path: string) => (await there.exact("GET", `/v1/bandits/${path}`, { authorization })).status;
    for (const mine of ["team-a.1", "team%2Da.1", "team-a%2e1", "%74eam-a.1"]) expect(await statusOf(mine), mine).toBe(200);
    const foreign = [
      "team-b.1",
      "team%2db.1",
      "team-b%2e1",
      "team%252db.1",
      "TEAM-A.1",
      "team-A.1",
      "team-a.1/../team-b.1",
      "team-a.1%2f..%2fteam-b.1",
    ];
    for (const path of [
      ...foreign,
      "team-a.1%00/../team-b.1",
      "./team-b.1",
      "team-a.*",
      "*",
      "team-a",
      "",
      "%20team-a.1",
      "team-b.1?name=team-a.1",
      "team-b.1#team-a.1",
    ]) {
      expect([404, 422], path).toContain(await statusOf(path));
      expect([404, 422], path).toContain((await there.exact("GET", `/v1/bandits/${path}/log`, { authorization })).status);
    }
  });
});

describe("a store that does not answer", () => {
  test("whether the process lives is told all the same; whether it is ready is told truly", async () => {
    const there = await live();
    onTestFinished(() => there.close());
    const asked = await Answers.of(there.url);
    await asked.put("shop", { arms: ["a", "b"] });
    await asked.expect(200, "GET", "/readyz");
    // Somebody else writes, and takes his time.
    const other = new Database(there.file);
    other.exec("BEGIN IMMEDIATE");
    const waiting = asked.ask("POST", DECISIONS, { body: {} });
    let ready = false;
    const readiness = asked.ask("GET", "/readyz").then(() => {
      ready = true;
    });
    // Long enough for the keys to be read again, which the store cannot do.
    const start = performance.now();
    while (performance.now() - start < 2_000) await asked.expect(200, "GET", "/healthz");
    expect(ready).toBe(false);
    other.exec("ROLLBACK");
    expect((await waiting).status).toBe(201);
    await readiness;
    other.exec("ALTER TABLE meta RENAME TO gone");
    await asked.refused(503, "ERR_STORE", "GET", "/readyz");
    await asked.expect(200, "GET", "/healthz");
    other.exec("ALTER TABLE gone RENAME TO meta");
    await asked.expect(200, "GET", "/readyz");
    other.close();
  });
});
