import { setTimeout } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { type EmbeddedBandit, embeddedBandit } from "./embeddedBandit.js";
import { Keyring } from "./keys/keyring.js";
import { type RunningBandits, type RunOptions, runBandits } from "./runBandits.js";
import { server } from "./server.js";
import { ServiceError } from "./serviceError.js";

/** Where a service keeps its data, and how it listens. */
export interface ServiceOptions extends RunOptions {
  readonly host?: string;
  /** 0: any that is free. */
  readonly port?: number;
  /** How many requests a key may make per second. */
  readonly requestsPerSecond?: number;
  /** Whether /metrics needs no key. */
  readonly openMetrics?: boolean;
  /** Allowed CORS origin, such as https://shop.example. */
  readonly origin?: string;
}

/** A decision service: in this process, over HTTP, or both. `Arms` has the arms of each bandit, such as `{ checkout: "classic" | "express" }`. */
export interface Service<Arms extends Record<keyof Arms, string> = Record<string, string>> {
  /** A bandit, to be asked in this process. The store is opened by the first call of one of its methods. */
  bandit<Name extends keyof Arms & string>(name: Name): EmbeddedBandit<Arms[Name]>;
  /** Opens the store, waiting for it if it is a server that does not answer yet, and takes requests. Resolves to the address. */
  listen(): Promise<string>;
  /** Takes no more requests, ends those that are under way, saves snapshots, and closes the store. */
  close(): Promise<void>;
}

const LOOPBACK = ["127.0.0.1", "::1", "localhost"];
/** With clients that hang. Docker kills a container ten seconds after it has asked it to stop. */
const PATIENCE_MS = 8_000;

/** A decision service. Nothing happens before `listen`, or the first call of a bandit's method. */
export function createService<Arms extends Record<keyof Arms, string> = Record<string, string>>(options: ServiceOptions): Service<Arms> {
  const { host = "127.0.0.1", port = 7411, onEvent = () => {} } = options;
  const stopping = new AbortController();
  let running: Promise<RunningBandits> | null = null;
  let starting: Promise<unknown> = Promise.resolve();
  let app: FastifyInstance | null = null;
  let hasListened = false;
  let isEmbedded = false;
  let closing: Promise<void> | null = null;

  const run = (): Promise<RunningBandits> => {
    if (stopping.signal.aborted) return Promise.reject(new ServiceError("ERR_STORE", "the service is closed; create another one"));
    if (running === null) {
      running = runBandits(options, stopping.signal);
      // The next call tries again.
      running.catch(() => {
        running = null;
      });
    }
    return running;
  };

  const start = async (bandits: RunningBandits): Promise<string> => {
    const { store } = bandits;
    const keyring = new Keyring(store);
    const isLoopback = LOOPBACK.includes(host);
    const needsKey = !(await keyring.isEmpty());
    if (!(isLoopback || needsKey)) {
      const message = `without a key the service listens on this machine only, not on ${host}; make a key first: tsallis keys add --role admin`;
      throw new ServiceError("ERR_OPTIONS", message, { parameter: "host" });
    }
    app = await server({
      ...bandits,
      secret: await store.secret(),
      keyring,
      isLoopback,
      openMetrics: options.openMetrics ?? false,
      requestsPerSecond: options.requestsPerSecond ?? 2_000,
      origin: options.origin,
      tell: onEvent,
    });
    stopping.signal.throwIfAborted();
    await app.listen({ host, port }).catch((error: unknown) => {
      throw cannotListen(error, host, port);
    });
    hasListened = true;
    const address = app.server.address() as { port: number };
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${address.port}/`;
    onEvent({ event: "listening", url, store: store.name, keys: needsKey ? "needed" : "none" });
    return url;
  };

  const close = async (): Promise<void> => {
    stopping.abort();
    // What has not started yet must not start after this.
    await starting.catch(() => {});
    const bandits = await running?.catch(() => null);
    if (app !== null) {
      const { server: connections } = app;
      const late = setTimeout(PATIENCE_MS, undefined, { ref: false }).then(() => connections.closeAllConnections());
      await Promise.race([app.close(), late]);
    }
    if (bandits === null || bandits === undefined) return;
    await bandits.close();
    if (!(hasListened || isEmbedded)) return;
    for (const { bandit } of bandits.registry.loaded.values()) onEvent({ event: "head", seq: bandit.state.seq, hash: bandit.state.hash });
    if (hasListened) onEvent({ event: "stopped" });
  };

  return {
    bandit(name) {
      isEmbedded = true;
      return embeddedBandit(run, name);
    },
    listen() {
      const started = run().then(start);
      starting = started;
      return started;
    },
    close() {
      closing ??= close();
      return closing;
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
