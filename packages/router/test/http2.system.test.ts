// A session of HTTP/2 that is destroyed takes all requests on it along. The servers speak HTTP/2 without TLS, so that no certificate is needed.
import { createServer, type Http2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect as connectSocket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { buildConnector, Dispatcher } from "undici";
import { expect, it } from "vitest";
import { until } from "../../../test/until.js";
import { createRouter } from "../src/createRouter.js";

const REQUESTS = 40;
const get = { path: "/", method: "GET" } as const;

/** Sends REQUESTS requests to one upstream over established sessions, destroys the one with the most of them, and returns how many requests fail. */
async function lost(pipelining: number, connections: number): Promise<number> {
  const streams: ServerHttp2Stream[] = [];
  const sessions: Http2Session[] = [];
  const server = createServer()
    .on("session", (session) => sessions.push(session.on("error", () => {})))
    .on("stream", (stream) => streams.push(stream.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const connect: buildConnector.connector = (_options, callback) => {
    const socket = Object.assign(connectSocket(port, "127.0.0.1"), { alpnProtocol: "h2" });
    socket.on("error", () => {}).on("connect", () => callback(null, socket as unknown as TLSSocket));
  };
  const router = createRouter({ upstreams: `http://127.0.0.1:${port}`, pool: { allowH2: true, connect, pipelining, connections } });
  const answer = (): void => {
    for (const stream of streams.splice(0)) {
      if (stream.destroyed) continue;
      stream.respond({ ":status": 200 });
      stream.end("x");
    }
  };
  const send = () =>
    router
      .dispatcher()
      .request(get)
      .then(async ({ body }: Dispatcher.ResponseData) => body.text());
  try {
    const first = Array.from({ length: connections }, send);
    await until("all sessions are open", () => streams.length === connections);
    answer();
    await Promise.all(first);
    const pending = Array.from({ length: REQUESTS }, send);
    await until("all requests have arrived", () => streams.length === REQUESTS);
    const on = (session: Http2Session) => streams.filter((stream) => stream.session === session).length;
    sessions.reduce((a, b) => (on(b) > on(a) ? b : a)).destroy();
    const settled = Promise.allSettled(pending);
    let isSettled = false;
    void settled.then(() => {
      isSettled = true;
    });
    await until("all requests have ended", () => {
      answer();
      return isSettled;
    });
    return (await settled).filter(({ status }) => status === "rejected").length;
  } finally {
    await router.dispatcher().destroy();
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

it("takes all of them along if all are on one session", async () => {
  expect(await lost(100, 1)).toBe(REQUESTS);
});

it("takes at most as many along as `pipelining` says", async () => {
  expect(await lost(5, 8)).toBe(5);
});
