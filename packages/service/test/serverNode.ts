import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { freePort, ServerProcess } from "../../../test/serverProcess.js";

const COMMAND = fileURLToPath(new URL("../../cli/bin/tsallis.js", import.meta.url));
const NODE = fileURLToPath(new URL("serviceNode.mjs", import.meta.url));

/** A service in a process of its own, always at the same address, that can be killed, stopped and woken. */
export class ServerNode {
  readonly url: string;
  readonly #args: readonly string[];
  readonly #ready: RegExp;
  #server: ServerProcess | undefined;
  /** Until when it was not at work, and until when it was stopped, as performance.now() says; Infinity while it is. */
  awayUntil = Number.POSITIVE_INFINITY;
  stoppedUntil = 0;

  private constructor(port: number, args: readonly string[], ready: RegExp) {
    this.url = `http://127.0.0.1:${port}`;
    this.#args = args;
    this.#ready = ready;
  }

  /** Runs the command. */
  static async serve(store: string): Promise<ServerNode> {
    const port = await freePort();
    const node = new ServerNode(port, [COMMAND, "serve", "--db", store, "--port", String(port)], /dashboard/);
    await node.start();
    return node;
  }

  /** Runs a service whose clock is ahead. */
  static async create(store: string, aheadMs = 0): Promise<ServerNode> {
    const port = await freePort();
    const node = new ServerNode(port, [NODE, store, String(port), String(aheadMs)], /it listens/);
    await node.start();
    return node;
  }

  /** What Node is started with. */
  get args(): readonly string[] {
    return this.#args;
  }

  get isAway(): boolean {
    return this.awayUntil === Number.POSITIVE_INFINITY;
  }

  async start(): Promise<void> {
    this.#server = await ServerProcess.start({ program: process.execPath, args: this.#args, folder: tmpdir(), ready: this.#ready }, "SIGKILL");
    this.awayUntil = performance.now();
  }

  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.awayUntil = Number.POSITIVE_INFINITY;
    await this.#server?.end(signal);
    if (this.stoppedUntil === Number.POSITIVE_INFINITY) this.stoppedUntil = performance.now();
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.#server!.pid, signal);
  }

  /** Stops it where it is, as a machine that hangs does. */
  stop(): void {
    this.awayUntil = Number.POSITIVE_INFINITY;
    this.stoppedUntil = Number.POSITIVE_INFINITY;
    this.signal("SIGSTOP");
  }

  wake(): void {
    this.signal("SIGCONT");
    this.awayUntil = performance.now();
    this.stoppedUntil = performance.now();
  }
}
