import { type Command, Option } from "@commander-js/extra-typings";
import type { ServiceEvent } from "@tsallis/service";
import { DEFAULT_STORE, storeOption } from "../input/options.js";
import { atOption, Failure } from "../text/failure.js";
import { print, say } from "../text/output.js";
import { helpText } from "../text/prose.js";

const HELP = `
The guide is docs/guides/decisions-over-http.md. Without a key (tsallis keys add) the service listens on this machine only, and anyone on it has full access.
Put a URL with a password into TSALLIS_DB. On SIGTERM or Ctrl-C, in-flight requests complete and snapshots are saved. A second signal ends it at once, and
no answered request is lost.

Examples:
  $ tsallis serve
  $ tsallis serve --demo
  $ TSALLIS_DB=postgres://ada:secret@host/database tsallis serve --host 0.0.0.0 --json-log
`;

interface ServeOptions {
  readonly db?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly openMetrics?: true | undefined;
  readonly origin?: string | undefined;
  readonly maxOpen?: string | undefined;
  readonly rate?: string | undefined;
  readonly jsonLog?: true | undefined;
  readonly demo?: true | undefined;
}

const MOST_OPEN = 1_000_000;
const MOST_RATE = 1_000_000;

export function addServe(program: Command, signal: AbortSignal): void {
  program
    .command("serve")
    .summary("serve decisions over HTTP")
    .description("Serve decisions over HTTP. Every decision is durable, made once, and can be recomputed.")
    .addOption(storeOption())
    .addOption(new Option("--host <address>", "address to listen on (default: 127.0.0.1)").env("TSALLIS_HOST"))
    .addOption(new Option("--port <number>", "port; 0 picks a free one (default: 7411)").env("TSALLIS_PORT"))
    .option("--open-metrics", "serve /metrics without a key")
    .option("--origin <url>", "allowed CORS origin, such as https://shop.example")
    .option("--max-open <number>", "open decisions per bandit, at most (default: 100000)")
    .option("--rate <number>", "requests per second and key, at most (default: 2000)")
    .option("--json-log", "log to stdout, one JSON object per line")
    .option("--demo", "start a simulated client; without --db, use a temporary store, deleted on exit")
    .addHelpText("after", helpText(HELP))
    .action((options, command) => serve(options, command.getOptionValueSource("db") === "cli", signal));
}

/** Serves until SIGTERM or Ctrl-C. A second signal ends the process at once. A demo does not go into the store that only the environment names. */
async function serve(options: ServeOptions, isStoreNamed: boolean, signal: AbortSignal): Promise<void> {
  const { readInteger } = await import("../input/options.js");
  const port = readInteger("port", options.port, 7411, 0, 65_535);
  const maxOpen = readInteger("max-open", options.maxOpen, 100_000, 1, MOST_OPEN);
  const rate = readInteger("rate", options.rate, 2_000, 1, MOST_RATE);
  requireHost(options.host);
  requireOrigin(options.origin);
  if (options.demo !== true || isStoreNamed) return listen(options, options.db ?? DEFAULT_STORE, port, maxOpen, rate, signal);
  const { mkdtemp, rm } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  const { join } = await import("node:path");
  const folder = await mkdtemp(join(tmpdir(), "tsallis-demo-"));
  try {
    await listen(options, join(folder, DEFAULT_STORE), port, maxOpen, rate, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function listen(options: ServeOptions, store: string, port: number, maxOpen: number, rate: number, signal: AbortSignal): Promise<void> {
  const { createService } = await import("@tsallis/service");
  const { firstSignal } = await import("../input/signals.js");
  const { isServer, storeWords } = await import("../input/givenStore.js");
  const { host = "127.0.0.1", origin, demo = false, openMetrics = false } = options;
  const { tell, listening } = await teller(options);
  const service = createService({ store, host, port, maxOpen, requestsPerSecond: rate, openMetrics, ...(origin && { origin }), onEvent: tell });
  const stopped = firstSignal(signal);
  const stopping = new AbortController();
  const started = service.listen();
  // Stopped while it waited for its store: that it did not start is no error.
  started.catch(() => {});
  let hasStarted = false;
  try {
    const url = await Promise.race([started, stopped]);
    hasStarted = url !== undefined;
    if (url !== undefined && demo) await startedDemo(url, listening(), stopping.signal);
    await stopped;
  } catch (error) {
    const isHost = (error as { parameter?: unknown }).parameter === "host" && /without a key/.test((error as Error).message);
    if (!isHost) throw atOption(error);
    const message = `without a key the service listens on this machine only, not on ${host}; make a key first: tsallis keys add --role admin${storeWords(options.db)}`;
    throw new Failure("ERR_OPTIONS", message, "--host");
  } finally {
    stopping.abort();
    await service.close();
  }
  // A driver may still be trying to reach a server that is not there.
  if (!hasStarted && isServer(store)) process.exit(0);
}

function requireHost(host: string | undefined): void {
  // Node would take it for all addresses of the machine.
  if (host === "") throw new Failure("ERR_PARAMETER", 'host must be an address such as 127.0.0.1 or 0.0.0.0, got ""', "--host");
}

function requireOrigin(origin: string | undefined): void {
  if (origin === undefined || (URL.canParse(origin) && new URL(origin).origin === origin)) return;
  throw new Failure("ERR_PARAMETER", `origin must be a scheme and a host, such as https://shop.example, got ${JSON.stringify(origin)}`, "--origin");
}

async function startedDemo(url: string, needsKey: boolean, signal: AbortSignal): Promise<void> {
  const { startDemo } = await import("@tsallis/service");
  if (needsKey)
    throw new Failure("ERR_OPTIONS", "the store has keys, and the simulated client has none; leave out --db, or name another store", "--demo");
  startDemo(url, signal).catch((error: unknown) => {
    if (!signal.aborted) say(`the simulated client has stopped: ${error instanceof Error ? error.message : String(error)}`);
  });
}

/** Prints events as the options ask for it, and knows whether the service that listens needs a key. */
async function teller({ jsonLog, demo }: ServeOptions): Promise<{ tell: (event: ServiceEvent) => void; listening: () => boolean }> {
  const { serveText, serviceEventText } = await import("../text/serviceText.js");
  let needsKey = false;
  let said: string | undefined;
  const tell = (event: ServiceEvent) => {
    if (event.event === "listening") needsKey = event.keys === "needed";
    if (jsonLog) {
      process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
    } else if (event.event === "listening") {
      print(serveText(String(event.url), String(event.store), needsKey, demo === true)).catch(() => {});
    } else {
      const text = serviceEventText(event);
      // A store that does not answer does not answer for the same reason every few seconds.
      if (text !== undefined && text !== said) say(text);
      said = text;
    }
  };
  return { tell, listening: () => needsKey };
}
