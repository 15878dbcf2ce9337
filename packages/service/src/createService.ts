import { setTimeout } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { BanditRegistry } from "./bandit/banditRegistry.js";
import { SteadyClock } from "./bandit/steadyClock.js";
import { Metrics } from "./http/metrics.js";
import { problemText } from "./http/problemText.js";
import { Insights } from "./insight/insights.js";
import { Keyring } from "./keys/keyring.js";
import { openStore } from "./openStore.js";
import { type ServiceEvent, server } from "./server.js";
import { ServiceError } from "./serviceError.js";
import type { Store } from "./store/store.js";

/** How a service listens, and where it keeps its data. */
export interface ServiceOptions {
  /** A file of SQLite, which is made if it is not there, or the URL of a PostgreSQL database. */
  readonly store: string;
  readonly host?: string;
  /** 0: any that is free. */
  readonly port?: number;
  /** How many decisions of a bandit may wait for feedback. */
  readonly maxOpen?: number;
  /** How many requests a key may make per second. */
  readonly requestsPerSecond?: number;
  /** Whether /metrics needs no key. */
  readonly openMetrics?: boolean;
  /** Allowed CORS origin, such as https://shop.example. */
  readonly origin?: string;
  /** Is told of every request and every problem. */
  readonly onEvent?: (event: ServiceEvent) => void;
  /** The clock, in milliseconds since 1970; for tests. Whether it jumps is told by `monotonic`, which only counts; without that, it does not. */
  readonly now?: () => number;
  /** A clock that never jumps, in milliseconds; for tests. */
  readonly monotonic?: () => number;
}

/** A decision service. */
export interface Service {
  /** Opens the store, waiting for it if it is a server that does not answer yet, and takes requests. Resolves to the address. */
  listen(): Promise<string>;
  /** Takes no more requests, ends those that are under way, and saves snapshots. */
  close(): Promise<void>;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
const SWEEP_MS = 1_000;
const ALARMS_MS = 30_000;
/** With clients that hang. Docker kills a container ten seconds after it has asked it to stop. */
const PATIENCE_MS = 8_000;

/** A decision service. Nothing happens before `listen`. */
export function createService(options: ServiceOptions): Service {
  const { host = "127.0.0.1", port = 7411, onEvent = () => {}, now: wall = Date.now } = options;
  const clock = new SteadyClock(wall, options.monotonic ?? options.now ?? (() => performance.now()), (ms) => {
    const message = `the clock of this machine jumped by ${Math.round(ms / 1000)} s: decisions expire as before until that has lasted longer than their window, or POST /v1/clock confirms it`;
    onEvent({ event: "problem", message });
  });
  const now = (windowMs?: number) => clock.now(windowMs);
  const stopping = new AbortController();
  let parts: { app: FastifyInstance; registry: BanditRegistry; insights: Insights; store: Store } | null = null;
  let starting: Promise<unknown> = Promise.resolve();
  let work: Promise<unknown> = Promise.resolve();
  let hasListened = false;

  const start = async (store: Store): Promise<string> => {
    const keyring = new Keyring(store);
    const isLoopback = LOOPBACK.includes(host);
    const needsKey = !(await keyring.isEmpty());
    if (!(isLoopback || needsKey)) {
      const message = `without a key the service listens on this machine only, not on ${host}; make a key first: tsallis keys add --role admin`;
      throw new ServiceError("ERR_OPTIONS", message, { parameter: "host" });
    }
    const { signal } = stopping;
    signal.throwIfAborted();
    const maxOpen = options.maxOpen ?? 100_000;
    const metrics = new Metrics();
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
    const app = await server({
      store,
      registry,
      insights,
      metrics,
      now,
      clock,
      maxOpen,
      secret: await store.secret(),
      keyring,
      isLoopback,
      openMetrics: options.openMetrics ?? false,
      requestsPerSecond: options.requestsPerSecond ?? 2_000,
      origin: options.origin,
      tell: onEvent,
    });
    parts = { app, registry, insights, store };
    await app.listen({ host, port }).catch((error: unknown) => {
      throw cannotListen(error, host, port);
    });
    hasListened = true;
    const alarms = async () => {
      // Others may have created bandits and be gone, or the store was away when these were to be loaded.
      await registry.warm(signal);
      for (const queue of registry.loaded.values()) await insights.alarms(queue);
      await insights.save();
    };
    work = Promise.all([
      registry.warm(signal).catch(onProblem),
      repeat(SWEEP_MS, signal, () => registry.sweep(), onProblem),
      repeat(ALARMS_MS, signal, alarms, onProblem),
    ]);
    const address = app.server.address() as { port: number };
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}/`;
    onEvent({ event: "listening", url, store: store.name, keys: needsKey ? "needed" : "none" });
    return url;
  };

  const listen = async (): Promise<string> => {
    const store = await opened(options.store, stopping.signal, onEvent);
    try {
      return await start(store);
    } catch (error) {
      if (parts === null) await store.close();
      throw error;
    }
  };

  return {
    listen() {
      const started = listen();
      starting = started;
      return started;
    },
    async close() {
      stopping.abort();
      // What has not started yet must not start after this.
      await starting.catch(() => {});
      if (parts === null) return;
      const { app, registry, insights, store } = parts;
      const late = setTimeout(PATIENCE_MS, undefined, { ref: false }).then(() => app.server.closeAllConnections());
      await Promise.race([app.close(), late]);
      await work;
      await registry.close();
      // What is not saved now is read from the log again.
      await insights.save().catch(() => {});
      await store.close();
      for (const { bandit } of registry.loaded.values()) onEvent({ event: "head", seq: bandit.state.seq, hash: bandit.state.hash });
      if (hasListened) onEvent({ event: "stopped" });
    },
  };
}

/** What to do about an address that cannot be had. */
function cannotListen(error: unknown, host: string, port: number): unknown {
  const { code } = error as { code?: unknown };
  const refuse = (parameter: string, message: string) => new ServiceError("ERR_OPTIONS", message, { parameter, cause: error });
  if (code === "EADDRINUSE") return refuse("port", `port ${port} of ${host} is in use by another program; stop it, or choose another port`);
  if (code === "EACCES") return refuse("port", `this user may not listen on port ${port}; choose one above 1023`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return refuse("host", `${host} is no address of this machine; choose another host`);
  return error;
}

/** Opens the store. A server of databases may start later than this one. */
async function opened(where: string, signal: AbortSignal, onEvent: (event: ServiceEvent) => void): Promise<Store> {
  const isServer = /^postgres(ql)?:/i.test(where);
  const stopped = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
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
