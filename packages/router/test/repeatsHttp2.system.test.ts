// Retries and hedges over HTTP/2, without TLS, so that no certificate is needed.
import { createServer, type Http2Server, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect as connectSocket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { buildConnector } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { sums } from "./sums.js";

type Answering = (stream: ServerHttp2Stream, headers: Record<string, unknown>) => void;

const good: Answering = (stream) => {
  stream.respond({ ":status": 200 });
  stream.end("good");
};
const FAILING: Record<string, Answering> = {
  "a 503": (stream) => {
    stream.respond({ ":status": 503 });
    stream.end("no");
  },
  "a stream that is reset": (stream) => stream.close(8),
  "a session that is destroyed": (stream) => stream.session?.destroy(),
};

const servers: { server: Http2Server; sessions: Set<Http2Session>; answer: Answering; seen: string[] }[] = [];
const routers: Router[] = [];

async function serve(answer: Answering): Promise<string> {
  const sessions = new Set<Http2Session>();
  const own = { server: createServer(), sessions, answer, seen: [] as string[] };
  own.server.on("session", (session) => {
    sessions.add(session.on("error", () => {}).on("close", () => sessions.delete(session)));
  });
  own.server.on("stream", (stream, headers) => {
    own.seen.push(String(headers[":method"]));
    own.answer(
      stream.on("error", () => {}),
      headers,
    );
  });
  await new Promise<void>((resolve) => own.server.listen(0, "127.0.0.1", resolve));
  servers.push(own);
  return `http://127.0.0.1:${(own.server.address() as AddressInfo).port}`;
}

const connect: buildConnector.connector = ({ port }, callback) => {
  const socket = Object.assign(connectSocket(Number(port), "127.0.0.1"), { alpnProtocol: "h2" });
  socket.on("error", (error) => callback(error, null)).on("connect", () => callback(null, socket as unknown as TLSSocket));
};

async function over(answers: readonly Answering[], options: Partial<RouterOptions>): Promise<Router> {
  const upstreams = await Promise.all(answers.map(serve));
  const router = createRouter({ upstreams, seed: 1, timeoutMs: 10_000, pool: { allowH2: true, connect }, ...options });
  routers.push(router);
  return router;
}

async function get(router: Router, method: "GET" | "POST" = "GET") {
  const { statusCode, body } = await router.dispatcher().request({ path: "/", method, ...(method === "POST" && { body: "x" }) });
  return { status: statusCode, text: await body.text() };
}

afterEach(async () => {
  await Promise.all(routers.splice(0).map((router) => router.dispatcher().destroy()));
  for (const { server, sessions } of servers.splice(0)) {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe.each(Object.entries(FAILING))("%s", (_name, failing) => {
  it("is retried elsewhere, and a POST is not", async () => {
    const router = await over([failing, good], { retry: { budget: 1 } });
    for (let i = 0; i < 20; i++) expect(await get(router)).toEqual({ status: 200, text: "good" });
    const { failed } = sums(router);
    expect(failed).toBeGreaterThan(0);
    expect(router.explain().retry).toMatchObject({ requests: 20, retried: failed });
    const before = servers.reduce((sum, { seen }) => sum + seen.length, 0);
    for (let i = 0; i < 20; i++) await get(router, "POST").catch(() => {});
    expect(servers.reduce((sum, { seen }) => sum + seen.length, 0)).toBe(before + 20);
    expect(sums(router).open).toBe(0);
  });
});

it("a late request is sent to a second upstream, and the stream that lost is reset", async () => {
  const router = await over([good, good], { hedge: { budget: 1 } });
  for (let i = 0; i < 60; i++) await get(router);
  let first: ServerHttp2Stream | null = null;
  for (const own of servers) {
    own.answer = (stream, headers) => {
      if (first === null) first = stream;
      else good(stream, headers);
    };
  }
  expect(await get(router)).toEqual({ status: 200, text: "good" });
  await new Promise<void>((resolve) => (first!.closed ? resolve() : first!.on("close", resolve)));
  expect(sums(router)).toMatchObject({ open: 0 });
  expect(router.explain().hedge!.won).toBeGreaterThanOrEqual(1);
  // The session goes on.
  expect(await get(router)).toEqual({ status: 200, text: "good" });
});
