// A separate process with servers that stand in for upstreams. Its parent says how many there are and how long each takes for each request; a
// request has its number in its path ("/17"). Each server answers with its own number. The process ends when its parent does.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createWorkers } from "./workers.js";

export interface ServerTask {
  readonly upstreams: number;
  /** Milliseconds, at `request * upstreams + upstream`; Infinity means no answer ever. With null, every answer comes at once. */
  readonly delays: Float64Array | null;
  /** How many requests each server works on at a time, while the others wait in line; Infinity means that none waits. */
  readonly workers: number;
}

async function listen(upstream: number, { upstreams, delays, workers }: ServerTask): Promise<string> {
  const untilDone = workers === Infinity ? (_now: number, work: number) => work : createWorkers(workers);
  const answer = (response: ServerResponse) => response.end(String(upstream));
  const server = createServer((request, response) => {
    const work = delays === null ? 0 : delays[Number(request.url!.slice(1)) * upstreams + upstream]!;
    const delay = untilDone(performance.now(), work);
    if (delay === 0) answer(response);
    else if (delay < Infinity) setTimeout(answer, delay, response);
  });
  // If a server closed an idle connection just as a request is sent on it, the request would fail, and no scenario intends that.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

process.once("message", async (task: ServerTask) => {
  process.send!(await Promise.all(Array.from({ length: task.upstreams }, (_, upstream) => listen(upstream, task))));
});
process.once("disconnect", () => process.exit());
