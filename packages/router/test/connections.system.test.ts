// What of the time of a request counts as its latency. Time is what the cases say: connecting takes 5 seconds, an answer 1.
import type { IncomingMessage, ServerResponse } from "node:http";
import { buildConnector } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { closeAll, DOORS, routed } from "./doors.js";

const CONNECT = 5;
const ANSWER = 1;

afterEach(closeAll);

/** A router over one upstream on a clock that connections and answers push on, and what it has learned. */
async function timed(answer: (response: ServerResponse) => void, connections?: number) {
  let now = 0;
  const open = buildConnector({});
  const connect: buildConnector.connector = (options, callback) => {
    now += CONNECT;
    open(options, callback);
  };
  const { router, servers } = await routed(
    (_request: IncomingMessage, response: ServerResponse) => {
      now += ANSWER;
      answer(response);
    },
    { policy: { policy: "uniform" }, clockSeconds: () => now, timeoutMs: 900_000, pool: { connect, ...(connections && { connections }) } },
  );
  router.remove(servers[1]!.url);
  return { router, learned: () => router.snapshot().upstreams[0]!.losses };
}

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
  it("opening a connection is no part of the latency", async () => {
    const { router, learned } = await timed((response) => response.end("x"));
    for (let i = 0; i < 3; i++) await door(router, "/");
    expect(learned()).toEqual([ANSWER, ANSWER, ANSWER]);
  });

  it("it is, if the upstream closes every connection after its answer", async () => {
    const { router, learned } = await timed((response) => response.setHeader("connection", "close").end("x"));
    for (let i = 0; i < 3; i++) await door(router, "/");
    expect(learned()).toEqual(Array(3).fill(CONNECT + ANSWER));
  });

  it("waiting in the queue of a pool with all its connections in use is", async () => {
    const { router, learned } = await timed((response) => response.end("x"), 1);
    await Promise.all([door(router, "/"), door(router, "/"), door(router, "/")]);
    expect(learned()).toEqual([ANSWER, 2 * ANSWER, 3 * ANSWER]);
  });
});
