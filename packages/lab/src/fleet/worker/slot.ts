import { Piscina } from "piscina";
import type { FrozenExperiment, ImportedModule } from "../../document/experiment.js";
import type { Run } from "../../document/run.js";
import { describe } from "../../run/executeRun.js";
import type { PlayedRun } from "../queue/chunk.js";
import type { SlotTask, SlotThreadData } from "./slotThread.js";

/** How often the slot checks its thread. */
const LOOK_MS = 1000;

/** Says that the thread of a slot played no round for too long. */
export class Hung extends Error {}

/** Says that the thread of a slot has loaded a module that is not what it was when the worker started. */
export class ModuleChanged extends Error {}

/** One thread that plays runs of any experiment, one after the other. */
export class Slot {
  readonly #rounds = new BigInt64Array(new SharedArrayBuffer(8));
  readonly #pool: Piscina;
  readonly #patienceSeconds: number;
  /** The hash of the experiment that the thread holds. */
  #holds: string | null = null;

  /** `patienceSeconds`: a thread that plays no round for this many seconds is considered hung. */
  constructor(modules: readonly ImportedModule[], patienceSeconds: number) {
    this.#patienceSeconds = patienceSeconds;
    this.#pool = new Piscina({
      filename: new URL("./slotThread.js", import.meta.url).href,
      minThreads: 1,
      maxThreads: 1,
      workerData: { modules, rounds: this.#rounds } satisfies SlotThreadData,
    });
    // A thread that dies between two runs loses only the experiment that it holds: the pool starts another.
    this.#pool.on("error", () => {
      this.#holds = null;
    });
  }

  /** Rounds played since the slot was made. */
  get rounds(): number {
    return Number(Atomics.load(this.#rounds, 0));
  }

  /**
   * Rejects with the reason of an abort, which is a `Hung` if the slot itself aborts a hung thread, or with a `ModuleChanged`; anything else becomes a
   * result. In either case the slot has a live thread afterwards.
   */
  async play(frozen: FrozenExperiment, runs: readonly Run[], stop: AbortController): Promise<PlayedRun[]> {
    const before = this.rounds;
    const watch = this.#watch(runs, stop);
    try {
      // All runs go into one task, because on a machine with busy cores every message to a thread and back has to wait.
      const experiment = this.#holds === frozen.hash ? null : frozen.experiment;
      const task: SlotTask = { runs, experiment, needsModules: frozen.imports.length > 0 };
      this.#holds = frozen.hash;
      const played = (await this.#pool.run(task, { signal: stop.signal })) as PlayedRun[] | string;
      if (typeof played === "string") throw new ModuleChanged(played);
      return played;
    } catch (error) {
      if (error instanceof ModuleChanged) throw error;
      this.#holds = null;
      stop.signal.throwIfAborted();
      const [run, ...others] = runs as readonly [Run, ...Run[]];
      if (others.length > 0) return this.#playAlone(frozen, runs, stop);
      return [{ result: { id: run.id, status: "failed", error: describe(error), seconds: 0 }, rounds: this.rounds - before }];
    } finally {
      clearInterval(watch);
    }
  }

  /** After a thread has died, plays the runs one by one, so that only the run that kills the thread fails. */
  async #playAlone(frozen: FrozenExperiment, runs: readonly Run[], stop: AbortController): Promise<PlayedRun[]> {
    const played: PlayedRun[] = [];
    for (const run of runs) played.push(...(await this.play(frozen, [run], stop)));
    return played;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #watch(runs: readonly Run[], stop: AbortController): NodeJS.Timeout {
    let rounds = this.rounds;
    let since = performance.now();
    return setInterval(() => {
      const now = performance.now();
      if (this.rounds !== rounds) {
        rounds = this.rounds;
        since = now;
      } else if (now - since >= 1000 * this.#patienceSeconds) {
        const which = runs.length === 1 ? runs[0]!.id : `one of ${runs.length} runs`;
        stop.abort(new Hung(`${which} played no round for ${this.#patienceSeconds} s`));
      }
    }, LOOK_MS);
  }
}
