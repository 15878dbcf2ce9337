import { setTimeout } from "node:timers/promises";
import { BanditRegistry } from "./bandit/banditRegistry.js";
import { SteadyClock } from "./bandit/steadyClock.js";
import { Metrics } from "./http/metrics.js";
import { problemText } from "./http/problemText.js";
import { Insights } from "./insight/insights.js";
import { openStore } from "./openStore.js";
import type { ServiceEvent } from "./server.js";
import { ServiceError } from "./serviceError.js";
import { countErrors } from "./store/countErrors.js";
import type { Store } from "./store/store.js";

/** What the bandits of a store run with, whether they are asked over HTTP or in this process. */
export interface RunOptions {
  /** A file of SQLite, which is created if it is absent, or the URL of a PostgreSQL database. */
  readonly store: string;
  /** How many decisions of a bandit may wait for feedback. */
  readonly maxOpen?: number;
  /** Called with every request and every problem. */
  readonly onEvent?: (event: ServiceEvent) => void;
  /** The clock, in milliseconds since 1970; for tests. Whether it jumps is seen by `monotonic`, which only counts; without that, it does not. */
  readonly now?: () => number;
  /** A clock that never jumps, in milliseconds; for tests. */
  readonly monotonic?: () => number;
}

/** The bandits of a store at work: decisions expire, alarms are looked for, snapshots are saved. */
export interface RunningBandits {
  readonly store: Store;
  readonly registry: BanditRegistry;
  readonly insights: Insights;
  readonly metrics: Metrics;
  readonly maxOpen: number;
  readonly now: (windowMs?: number) => number;
  readonly clock: SteadyClock;
  /** Writes what waits, saves snapshots, and closes the store. The signal must be aborted before. */
  close(): Promise<void>;
}

const SWEEP_MS = 1_000;
const ALARMS_MS = 30_000;

/** Opens the store, waiting for it if it is a server that does not answer yet, and runs its bandits until the signal. */
export async function runBandits(options: RunOptions, signal: AbortSignal): Promise<RunningBandits> {
  const { onEvent = () => {}, now: wall = Date.now, maxOpen = 100_000 } = options;
  const clock = new SteadyClock(wall, options.monotonic ?? options.now ?? (() => performance.now()), (ms) => {
    const message = `the clock of this machine jumped by ${Math.round(ms / 1000)} s: decisions expire as before until that has lasted longer than their window, or POST /v1/clock confirms it`;
    onEvent({ event: "problem", message });
  });
  const now = (windowMs?: number) => clock.now(windowMs);
  const own = await opened(options.store, signal, onEvent);
  const metrics = new Metrics();
  const store = countErrors(own, () => metrics.storeError());
  const onProblem = (error: unknown) => onEvent({ event: "problem", message: problemText(error) });
  const registry = new BanditRegistry({
    store,
    now,
    maxOpen,
    onCommit: (events, seconds) => metrics.commit(events, seconds),
    onLostRace: () => metrics.lostRace(),
    onProblem,
  });
  const insights = new Insights(store);
  const alarms = async () => {
    // Others may have created bandits and be gone, or the store was away when these were to be loaded.
    await registry.warm(signal);
    for (const queue of registry.loaded.values()) await insights.alarms(queue);
    await insights.save(registry.loaded.values());
  };
  const work = Promise.all([
    registry.warm(signal).catch(onProblem),
    repeat(SWEEP_MS, signal, () => registry.sweep(), onProblem),
    repeat(ALARMS_MS, signal, alarms, onProblem),
  ]);
  const close = async () => {
    await work;
    await registry.close();
    // What is not saved now is read from the log again.
    await insights.save(registry.loaded.values()).catch(() => {});
    await store.close();
    metrics.close();
  };
  return { store, registry, insights, metrics, maxOpen, now, clock, close };
}

/** Opens the store. A server of databases may start later than this one. */
async function opened(where: string, signal: AbortSignal, onEvent: (event: ServiceEvent) => void): Promise<Store> {
  const isServer = /^postgres(ql)?:/i.test(where);
  const stopped = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
  stopped.catch(() => {});
  for (let wait = 500; ; wait = Math.min(wait * 2, 5_000)) {
    const opening = openStore(where);
    try {
      // A server that is silent makes one wait; whoever stops the service does not wait with it.
      return await Promise.race([opening, stopped]);
    } catch (error) {
      // An error about the URL itself does not pass.
      const mayPass = isServer && error instanceof ServiceError && error.code === "ERR_STORE" && error.parameter === undefined;
      if (!mayPass || signal.aborted) {
        opening.then((store) => store.close()).catch(() => {});
        throw error;
      }
      onEvent({ event: "waiting", message: error.message });
      await setTimeout(wait, undefined, { signal });
    }
  }
}

/** Does something again and again, with a pause between, until the signal. */
async function repeat(ms: number, signal: AbortSignal, work: () => Promise<void>, onProblem: (error: unknown) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      // The servers of one store shall not all do it at the same moment.
      await setTimeout(ms * (0.75 + Math.random() / 2), undefined, { signal });
      await work();
    } catch (error) {
      if (!signal.aborted) onProblem(error);
    }
  }
}
