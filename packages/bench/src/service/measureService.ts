import { join } from "node:path";
import { auditStore, openStore } from "@tsallis/service";
import Database from "libsql";
import { makeDecisions } from "./events.js";
import { createBandit, createBandits, dearest, LOADS, type Load, type Paired, playPairs } from "./pairs.js";
import { startServer } from "./startServer.js";

export interface ServiceSize {
  readonly clients: number;
  readonly seconds: number;
  readonly turns: number;
  readonly events: number;
  readonly open: number;
  readonly bandits: number;
  /** Among which the dearest is looked for. */
  readonly decisions: number;
}

/** One kind of load, on the service and on the same routes with nothing behind them. */
export interface Cell {
  readonly name: string;
  /** One of each per turn; the first turn, which does not count, is left out. */
  readonly ours: readonly Paired[];
  readonly bare: readonly Paired[];
  /** The processor time of the dearest decision, in milliseconds. */
  readonly dearest: number;
}

export interface ServiceMeasurements {
  readonly size: ServiceSize;
  readonly cells: readonly Cell[];
  /** From the start of the process to the first answer for the bandit, in seconds. */
  readonly startWithSnapshot: number;
  readonly startWithout: number;
  /** In seconds. */
  readonly audit: number;
  /** In bytes. */
  readonly openDecisions: number;
  readonly manyBandits: number;
}

/** Measures all there is, in a folder. */
export async function measureService(
  folder: string,
  size: ServiceSize,
  say: (what: string) => void,
  signal: AbortSignal,
): Promise<ServiceMeasurements> {
  const cells: Cell[] = [];
  for (const load of LOADS) {
    say(`${load.name}: ${size.clients} clients, on the service and on bare routes`);
    cells.push(await measureCell(join(folder, `${load.name}.db`), load, size, signal));
  }
  say(`${size.events} events`);
  const starts = await measureStarts(join(folder, "events.db"), size, signal);
  say(`${size.open} open decisions`);
  const openDecisions = await measureOpen(join(folder, "open.db"), size, signal);
  say(`${size.bandits} bandits`);
  const manyBandits = await measureBandits(join(folder, "bandits.db"), size, signal);
  return { size, cells, ...starts, openDecisions, manyBandits };
}

async function measureCell(file: string, load: Load, { clients, seconds, turns, decisions }: ServiceSize, signal: AbortSignal): Promise<Cell> {
  const ours = await startServer(file, signal);
  const bare = await startServer("bare", signal);
  await createBandits(ours, load);
  const played: { ours: Paired; bare: Paired }[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    played.push({ ours: await playPairs(ours, load, clients, seconds, signal), bare: await playPairs(bare, load, clients, seconds, signal) });
  }
  const most = await dearest(ours, load, decisions);
  await ours.stop();
  await bare.stop();
  const counted = played.slice(1);
  return { name: load.name, ours: counted.map((turn) => turn.ours), bare: counted.map((turn) => turn.bare), dearest: most };
}

async function measureStarts(file: string, { events }: ServiceSize, signal: AbortSignal) {
  const server = await startServer(file, signal);
  await createBandit(server);
  await makeDecisions(server, events / 2);
  await server.stop();
  const startWithSnapshot = await start(file, signal);
  const database = new Database(file);
  database.exec("DELETE FROM snapshot");
  database.close();
  const startWithout = await start(file, signal);
  const store = await openStore(file);
  const before = performance.now();
  const [audited] = await auditStore(store);
  const audit = (performance.now() - before) / 1000;
  await store.close();
  if (audited?.differs !== null || audited.events !== events) throw new Error(`the audit says ${JSON.stringify(audited)}`);
  return { startWithSnapshot, startWithout, audit };
}

/** Until the bandit answers. */
async function start(file: string, signal: AbortSignal): Promise<number> {
  const before = performance.now();
  const server = await startServer(file, signal);
  await createBandit(server);
  const seconds = (performance.now() - before) / 1000;
  await server.stop();
  return seconds;
}

async function measureOpen(file: string, { open }: ServiceSize, signal: AbortSignal): Promise<number> {
  const server = await startServer(file, signal);
  await createBandit(server);
  // What the first requests allocate once is not what a decision costs.
  await makeDecisions(server, 2_000);
  const before = await server.usage();
  await makeDecisions(server, open, { open: true, prefix: "open" });
  const after = await server.usage();
  await server.stop();
  return after.heap - before.heap;
}

async function measureBandits(file: string, { bandits }: ServiceSize, signal: AbortSignal): Promise<number> {
  const server = await startServer(file, signal);
  for (let i = 0; i < bandits; i++) {
    const bandit = `bench-${i}`;
    await createBandit(server, bandit);
    await makeDecisions(server, 20, { bandit });
  }
  const { resident } = await server.usage();
  await server.stop();
  return resident;
}
