import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { WorkerEvent } from "@tsallis/lab/fleet";

const BIN = fileURLToPath(import.meta.resolve("@tsallis/cli/bin/tsallis.js"));

/** A chunk that a worker has played. */
export interface PlayedChunk {
  /** When it was finished, in milliseconds since 1970. */
  readonly time: number;
  readonly runs: number;
}

/** Workers in their own processes, started as `tsallis worker`, which live as long as something is timed. */
export class BenchWorkers {
  /** The chunks that all of them have played so far. */
  readonly chunks: PlayedChunk[] = [];
  readonly #children: ChildProcess[] = [];

  /** Resolves when all of them are listening. */
  static async start(url: string, { workers, concurrency }: { workers: number; concurrency: number }, signal: AbortSignal): Promise<BenchWorkers> {
    const started = new BenchWorkers();
    try {
      await Promise.all(Array.from({ length: workers }, () => started.#start(url, concurrency, signal)));
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const end = once(child, "exit");
        child.kill("SIGTERM");
        await end;
      }),
    );
  }

  /** The URL is passed in the environment, because everybody on the machine can see command lines. */
  #start(url: string, concurrency: number, signal: AbortSignal): Promise<void> {
    const child = spawn(process.execPath, [BIN, "worker", "--json", "--concurrency", `${concurrency}`], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TSALLIS_QUEUE: url },
    });
    this.#children.push(child);
    return new Promise((resolve, reject) => {
      let said = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
      child.once("error", reject);
      child.once("close", () => reject(new Error(`a worker ended before it was ready: ${said.trim()}`)));
      const abort = () => reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      child.once("close", () => signal.removeEventListener("abort", abort));
      createInterface({ input: child.stdout }).on("line", (line) => {
        const told = JSON.parse(line) as { time: string } & WorkerEvent;
        if (told.event === "ready") resolve();
        if (told.event === "chunk") this.chunks.push({ time: Date.parse(told.time), runs: told.runs });
      });
    });
  }
}

/** Does some work while workers are listening. */
export async function withWorkers<T>(
  url: string,
  size: { readonly workers: number; readonly concurrency: number },
  signal: AbortSignal,
  work: (workers: BenchWorkers) => Promise<T>,
): Promise<T> {
  const workers = await BenchWorkers.start(url, size, signal);
  try {
    return await work(workers);
  } finally {
    await workers.stop();
  }
}
