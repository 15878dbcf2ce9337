// A separate process with the servers of one scenario: `sets` times one server per upstream. A request has its number in its path ("/17" or "/slow/17"). The parent
// sends the task, and then "go" when the first request is due. The process ends when its parent does.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createWorkers } from "../servers/workers.js";
import { SOCKET_SCENARIOS, type SocketScenario } from "./socketScenarios.js";
import { createSocketWorld, type SocketWorld } from "./socketWorld.js";

export interface SocketTask {
  readonly scenario: string;
  readonly seed: number;
  /** How many sets of servers there are. */
  readonly sets: number;
}

let start = performance.now();

/** One upstream; returns its address. */
async function listen(upstream: number, scenario: SocketScenario, world: SocketWorld): Promise<{ url: string; die: () => void; revive: () => void }> {
  const { medians, slowMedians, workers, limit = Infinity, conduct } = scenario;
  const untilDone = workers === undefined ? (_now: number, work: number) => work : createWorkers(workers);
  let earlier = 0;
  let inside = 0;

  function answer(incoming: IncomingMessage, response: ServerResponse): void {
    const [, isSlow, number] = /^(\/slow)?\/(\d+)$/.exec(incoming.url!)!;
    const request = Number(number);
    const now = performance.now();
    const does = conduct?.({ upstream, second: (now - start) / 1000, earlier: earlier++, luck: world.luck[request]! }) ?? { slower: 1 };
    if (does === "hangs") return;
    if ("status" in does || inside >= limit) {
      const { status, retryAfter } = "status" in does ? does : { status: 503, retryAfter: undefined };
      response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }).end();
      return;
    }
    inside++;
    const median = (isSlow === undefined ? medians : slowMedians!)[upstream]!;
    const work = does.slower * median * world.works[request * medians.length + upstream]!;
    setTimeout(
      () => {
        inside--;
        response.end("well");
      },
      untilDone(now, work),
    );
  }

  const server = createServer(answer);
  // If a server closed an idle connection just as a request is sent on it, the request would fail, and no scenario intends that.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    die() {
      server.close();
      server.closeAllConnections();
    },
    revive: () => void server.listen(port, "127.0.0.1"),
  };
}

process.once("message", async ({ scenario: name, seed, sets }: SocketTask) => {
  const scenario = SOCKET_SCENARIOS.find((each) => each.name === name)!;
  const world = createSocketWorld(scenario, seed);
  const servers = await Promise.all(
    Array.from({ length: sets }, () => Promise.all(scenario.medians.map((_, upstream) => listen(upstream, scenario, world)))),
  );
  process.once("message", () => {
    start = performance.now();
    const death = scenario.death?.(world.times);
    if (death === undefined) return;
    for (const set of servers) {
      const { die, revive } = set[death.upstream]!;
      setTimeout(die, 1000 * death.from);
      if (death.to < Infinity) setTimeout(revive, 1000 * death.to);
    }
  });
  process.send!(servers.map((set) => set.map(({ url }) => url)));
});
process.once("disconnect", () => process.exit());
