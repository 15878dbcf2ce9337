import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readInteger } from "../input/options.js";
import { Failure } from "../text/failure.js";
import { say } from "../text/output.js";

/** What a monitor may ask. */
export interface Figures {
  /** Why the process cannot work at the moment; null if it can. */
  readonly problem: string | null;
  /** In Prometheus's text format. */
  readonly text: string;
}

const PLAIN = "text/plain; charset=utf-8";
const PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Serves /healthz (200, or 503 with the reason) and /metrics on a port of all addresses, because those who ask are on other machines: there is nothing
 * but figures to see. Returns a function that closes it.
 */
export async function serveMetrics(given: string, figures: Figures): Promise<() => void> {
  const port = readInteger("metrics", given, 0, 0, 65_535);
  const server = createServer(({ method, url = "/" }, response) => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" });
      response.end(method === "HEAD" ? undefined : body);
    };
    const path = url.split("?", 1)[0];
    if (path !== "/healthz" && path !== "/metrics") return answer(404, PLAIN, "there are /healthz and /metrics\n");
    if (method !== "GET" && method !== "HEAD") return answer(405, PLAIN, "only GET and HEAD\n");
    if (path === "/metrics") return answer(200, PROMETHEUS, figures.text);
    const { problem } = figures;
    answer(problem === null ? 200 : 503, PLAIN, `${problem ?? "ok"}\n`);
  });
  server.listen(port);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as { code?: string };
    const remedy = code === "EADDRINUSE" ? "another program uses it; choose another, or 0 for a free one" : (error as Error).message;
    throw new Failure("ERR_PARAMETER", `port ${port} is not available: ${remedy}`, "--metrics");
  }
  say(`metrics at http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics, health at /healthz`);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
