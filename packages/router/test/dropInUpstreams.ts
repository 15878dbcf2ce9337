// Cases for the comparison with BalancedPool: how upstreams are given, and when.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BalancedPool } from "undici";
import type { Cases } from "./dropInRequests.js";
import { type Answering, attempt, outcome } from "./dropInStage.js";

const get = { path: "/", method: "GET" } as const;
const host: Answering = (request, response) => response.end(request.headers.host!.replace(/:\d+$/, ""));

async function asked(dispatcher: BalancedPool): Promise<unknown> {
  return outcome(dispatcher.request(get).then(async ({ statusCode, body }) => [statusCode, await body.text()]));
}

export const UPSTREAMS: Cases = {
  async "made without upstreams, filled later, and emptied again"(stage) {
    const url = await stage.serve(host);
    const dispatcher = stage.dispatcher([]);
    const seen = [dispatcher.upstreams, await asked(dispatcher)];
    dispatcher.removeUpstream(url);
    dispatcher.addUpstream(url).addUpstream(url);
    seen.push(dispatcher.upstreams.length, await asked(dispatcher), await asked(dispatcher));
    dispatcher.removeUpstream(url);
    seen.push(dispatcher.upstreams);
    dispatcher.addUpstream(url);
    return [...seen, await asked(dispatcher)];
  },

  async "closed and destroyed without ever having had an upstream"(stage) {
    const [closed, destroyed] = [stage.dispatcher([]), stage.dispatcher([])];
    const seen = [await outcome(closed.close()), await outcome(destroyed.destroy())];
    return [...seen, await asked(closed), await asked(destroyed), closed.destroyed, destroyed.closed];
  },

  async "an upstream as an object with protocol, hostname and port"(stage) {
    const { protocol, hostname, port } = new URL(await stage.serve(host));
    const dispatcher = stage.dispatcher({ protocol, hostname, port });
    const numbered = stage.dispatcher([{ protocol, hostname, port: Number(port) }]);
    const seen = [await asked(dispatcher), await asked(numbered), dispatcher.upstreams.length];
    dispatcher.removeUpstream({ protocol, hostname, port } as never);
    return [...seen, dispatcher.upstreams, attempt(() => stage.dispatcher({ protocol, hostname }).upstreams)];
  },

  async "objects that are no URL"(stage) {
    const refused = (given: unknown) => "thrown" in (attempt(() => stage.dispatcher(given)) as object);
    return [{}, { hostname: "localhost" }, { protocol: "ftp:", hostname: "localhost" }, { protocol: "http:", hostname: 1 }].map(refused);
  },

  async "a Unix socket"(stage) {
    const folder = mkdtempSync(join(tmpdir(), "tsallis-"));
    try {
      const socketPath = join(folder, "server.sock");
      await stage.serve(host, socketPath);
      return asked(stage.dispatcher({ protocol: "http:", hostname: "localhost", port: 0 }, { socketPath }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },

  async "an iterator that somebody has given to all objects"(stage) {
    const url = await stage.serve((request, response) => response.end(request.headers["x-mark"] as string));
    const prototype = Object.prototype as { [Symbol.iterator]?: unknown };
    prototype[Symbol.iterator] = function* () {};
    try {
      const dispatcher = stage.dispatcher(url);
      const { statusCode, body } = await dispatcher.request({ ...get, headers: { "x-mark": "a" } });
      return [statusCode, await body.text()];
    } finally {
      delete prototype[Symbol.iterator];
    }
  },
};
