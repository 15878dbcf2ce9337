import { quantile } from "tsallis/statistics";
import { Pool } from "undici";
import type { StartedServer } from "./startServer.js";

/** What some clients saw who ask for a decision, give feedback, and begin again. */
export interface Paired {
  readonly pairsPerSecond: number;
  /** Of the single requests, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server per request, in microseconds. */
  readonly processor: number;
}

const HEADERS = { "content-type": "application/json" };
const BANDIT = "/v1/bandits/bench";
let ids = 0;

export async function createBandit({ url }: StartedServer, bandit = "bench"): Promise<void> {
  const body = JSON.stringify({ arms: ["a", "b", "c", "d"], seed: 1 });
  const answer = await fetch(`${url}/v1/bandits/${bandit}`, { method: "PUT", headers: HEADERS, body });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Lets clients ask for a time, each as soon as it has its answer. */
export async function playPairs(server: StartedServer, clients: number, seconds: number, signal: AbortSignal): Promise<Paired> {
  const pool = new Pool(server.url, { connections: clients, pipelining: 1 });
  const times: number[] = [];
  const post = async (path: string, body: object): Promise<void> => {
    const start = performance.now();
    const { statusCode, body: answer } = await pool.request({ method: "POST", path, headers: HEADERS, body: JSON.stringify(body), signal });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(text);
    times.push(performance.now() - start);
  };
  const before = await server.usage();
  const start = performance.now();
  const client = async () => {
    while (performance.now() - start < seconds * 1000) {
      const id = `bench-${process.pid}-${ids++}`;
      await post(`${BANDIT}/decisions`, { id });
      await post(`${BANDIT}/decisions/${id}/feedback`, { loss: (ids % 7) + 1 / (1 + (ids % 101)) });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const took = (performance.now() - start) / 1000;
  const after = await server.usage();
  await pool.close();
  return {
    pairsPerSecond: times.length / 2 / took,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    processor: (after.processor - before.processor) / times.length,
  };
}
