import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { PATIENCE_MS } from "./until.js";

/** These are below the ports that Linux and others give to outgoing connections, so that nobody takes the port of a server that is down for a moment. */
const PORTS = { first: 20_000, count: 12_000 };

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Its working folder. */
  readonly folder: string;
  /** Matches what it prints when it takes connections. */
  readonly ready: RegExp;
  /** The user that it runs as; by default that of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** A server in a child process that does not outlive this one. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #last: NodeJS.Signals;

  private constructor(child: ChildProcess, last: NodeJS.Signals) {
    this.#child = child;
    this.#last = last;
  }

  /** Resolves when it takes connections; `last` is the signal that ends it if this process ends first. */
  static async start(command: ServerCommand, last: NodeJS.Signals): Promise<ServerProcess> {
    const child = spawn(command.program, command.args, {
      cwd: command.folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, LC_ALL: "C" },
      ...command.user,
    });
    const server = new ServerProcess(child, last);
    process.on("exit", server.#leave);
    child.once("exit", () => process.off("exit", server.#leave));
    try {
      await readiness(child, command);
    } catch (error) {
      await server.end("SIGKILL");
      throw error;
    }
    return server;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Sends a signal that ends it, and waits for the end. A second call does nothing. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const end = once(this.#child, "exit");
    this.#child.kill(signal);
    await end;
  }

  readonly #leave = () => {
    this.#child.kill(this.#last);
  };
}

/** Resolves at the line that says that it is ready. If the server ends before, rejects with the last of its output. The output is drained in any case. */
function readiness(child: ChildProcess, { program, ready }: ServerCommand): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let text = "";
    const fail = (why: string) => reject(new Error(`${program} ${why}:\n${text}`));
    const timer = setTimeout(() => fail(`was not ready after ${PATIENCE_MS / 1000} s`), PATIENCE_MS);
    const read = (more: string) => {
      text = (text + more).slice(-10_000);
      if (!ready.test(text)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout!.setEncoding("utf8").on("data", read);
    child.stderr!.setEncoding("utf8").on("data", read);
    child.once("error", (error) => fail(`did not start (${error.message})`));
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal}`);
    });
  });
}

/** A loopback port where nobody listens. It is random, because test files run at the same time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (!(await listened(port))) return port;
  }
}

/** Whether somebody takes connections on a port of this machine. */
export async function listened(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
