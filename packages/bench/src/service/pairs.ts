import { setMaxListeners } from "node:events";
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
let ids = 0;

/** What clients ask about: so many bandits, with so many arms and segments each. */
export interface Load {
  readonly name: string;
  readonly bandits: number;
  readonly segments: number;
  readonly arms: number;
}

export const LOADS: readonly Load[] = [
  { name: "one", bandits: 1, segments: 0, arms: 4 },
  { name: "bandits-100", bandits: 100, segments: 0, arms: 4 },
  { name: "segments-1000", bandits: 1, segments: 1_000, arms: 4 },
  { name: "arms-10000", bandits: 1, segments: 400, arms: 10_000 },
];

export async function createBandit(
  { url }: StartedServer,
  bandit = "bench",
  { arms, segments }: Pick<Load, "arms" | "segments"> = LOADS[0]!,
): Promise<void> {
  const names = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
  const body = JSON.stringify({ arms: names(arms, "a"), seed: 1, segments: names(segments, "s") });
  const answer = await fetch(`${url}/v1/bandits/${bandit}`, { method: "PUT", headers: HEADERS, body });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function createBandits(server: StartedServer, load: Load): Promise<void> {
  for (let i = 0; i < load.bandits; i++) await createBandit(server, `bench-${i}`, load);
}

/** The next decision: bandits and segments take turns. */
function next({ bandits, segments }: Load): { readonly path: string; readonly asked: { readonly id: string; readonly segment?: string } } {
  const id = `bench-${process.pid}-${++ids}`;
  const path = `/v1/bandits/bench-${ids % bandits}/decisions`;
  return { path, asked: segments === 0 ? { id } : { id, segment: `s${ids % segments}` } };
}

/** Lets clients ask for a time, each as soon as it has its answer. */
export async function playPairs(server: StartedServer, load: Load, clients: number, seconds: number, signal: AbortSignal): Promise<Paired> {
  const pool = new Pool(server.url, { connections: clients, pipelining: 1 });
  // Every request under way listens to it.
  setMaxListeners(0, signal);
  const times: number[] = [];
  const post = async (path: string, body: object): Promise<void> => {
    const start = performance.now();
    const { statusCode, body: answer } = await pool.request({ method: "POST", path, headers: HEADERS, body: JSON.stringify(body), signal });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(text);
    times.push(performance.now() - start);
  };
  // Not by `usage`, which collects all garbage first: with a large heap that is no small part of some seconds.
  const before = await server.processor();
  const start = performance.now();
  const client = async () => {
    while (performance.now() - start < seconds * 1000) {
      const { path, asked } = next(load);
      await post(path, asked);
      await post(`${path}/${asked.id}/feedback`, { loss: (ids % 7) + 1 / (1 + (ids % 101)) });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const took = (performance.now() - start) / 1000;
  const after = await server.processor();
  await pool.close();
  return {
    pairsPerSecond: times.length / 2 / took,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    processor: (after - before) / times.length,
  };
}

/** The processor time of the dearest of some decisions, one after the other, in milliseconds. */
export async function dearest(server: StartedServer, load: Load, decisions: number): Promise<number> {
  let most = 0;
  let before = await server.processor();
  for (let i = 0; i < decisions; i++) {
    const { path, asked } = next(load);
    const answer = await fetch(server.url + path, { method: "POST", headers: HEADERS, body: JSON.stringify(asked) });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
    const after = await server.processor();
    most = Math.max(most, after - before);
    before = after;
  }
  return most / 1000;
}
