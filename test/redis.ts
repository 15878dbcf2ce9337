import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisServer } from "../scripts/parts.mjs";
import { freePort, ServerProcess } from "./serverProcess.js";

export interface RedisOptions {
  /** Keeps every write in a file, flushed before it is acknowledged (`appendfsync always`), so that acknowledged writes survive a kill -9. */
  readonly appendOnly?: boolean;
  readonly password?: string;
}

/** A Redis for this test alone, on a free loopback port, in a temporary folder. */
export class RedisServer {
  readonly url: string;
  readonly #start: () => Promise<ServerProcess>;
  readonly #folder: string;
  #process: ServerProcess;

  private constructor(url: string, folder: string, start: () => Promise<ServerProcess>, process: ServerProcess) {
    this.url = url;
    this.#folder = folder;
    this.#start = start;
    this.#process = process;
  }

  static async start({ appendOnly = false, password }: RedisOptions = {}): Promise<RedisServer> {
    const program = redisServer();
    if (program === undefined) throw new Error("Redis is missing: run `npm test`, which installs it or says how");
    const folder = mkdtempSync(join(tmpdir(), "tsallis-redis-"));
    const port = await freePort();
    const args = [
      ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--databases", "1000"],
      appendOnly ? ["--appendonly", "yes", "--appendfsync", "always"] : [],
      password === undefined ? [] : ["--requirepass", password],
    ].flat();
    const start = () => ServerProcess.start({ program, args, folder, ready: /Ready to accept connections/ }, "SIGKILL");
    const user = password === undefined ? "" : `:${encodeURIComponent(password)}@`;
    try {
      return new RedisServer(`redis://${user}127.0.0.1:${port}`, folder, start, await start());
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Ends it with kill -9; data that is not in the append-only file is lost. */
  async kill(): Promise<void> {
    await this.#process.end("SIGKILL");
  }

  /** Ends it with kill -9 if it still runs, and starts it again on the same port with the same file. */
  async restart(): Promise<void> {
    await this.kill();
    this.#process = await this.#start();
  }

  /** Ends the server and removes its folder. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Starts a real Redis; `stop` it in an afterAll or onTestFinished. */
export function startRedis(options?: RedisOptions): Promise<RedisServer> {
  return RedisServer.start(options);
}
