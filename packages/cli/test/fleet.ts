import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FleetState, Fleet as Operator } from "@tsallis/lab/fleet";
import { until } from "../../../test/until.js";
import { ended, startIn } from "./command.js";
import type { Ended } from "./ended.js";

/** A started command: what it has printed so far, and its end. */
export class Started {
  stdout = "";
  stderr = "";
  readonly end: Promise<Ended>;
  readonly #child: ReturnType<typeof startIn>;

  constructor(folder: string, args: readonly string[]) {
    this.#child = startIn(folder, ...args);
    this.end = ended(this.#child);
    this.#child.stdout.on("data", (text: string) => (this.stdout += text));
    this.#child.stderr.on("data", (text: string) => (this.stderr += text));
  }

  get pid(): number {
    return this.#child.pid!;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Waits until it has ended. */
  async over(): Promise<Ended> {
    await until(`its end\n${this.stdout}${this.stderr}`, () => this.hasEnded);
    return this.end;
  }

  /** Ends it with kill -9. */
  kill(): Promise<Ended> {
    this.signal("SIGKILL");
    return this.end;
  }

  /** Waits for a condition that can only come true while the command runs. */
  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    await until(what, async () => {
      if (await condition()) return true;
      if (this.hasEnded) throw new Error(`it ended before this came: ${what}\n${this.stdout}${this.stderr}`);
      return false;
    });
  }
}

/** A worker that logs what it does, one JSON object per line. */
export class FleetWorker extends Started {
  /** The ids of the chunks that it has played so far, according to its log. */
  get played(): string[] {
    return this.#told("chunk").map(({ chunk }) => chunk!);
  }

  /** The ids of the chunks that it is done with: played, lost to another worker, or given back. */
  get ends(): string[] {
    return [...this.played, ...this.returned, ...this.#told("lost").map(({ chunk }) => chunk!)];
  }

  /** The ids of the chunks that it has given back, once for each time. */
  get returned(): string[] {
    return this.#told("returned").map(({ chunk }) => chunk!);
  }

  /** Waits until it has logged an event. */
  tells(event: string): Promise<void> {
    return this.until(`the worker says ${event}`, () => this.#told(event).length > 0);
  }

  #told(event: string): { event: string; chunk?: string }[] {
    const lines = this.stdout.split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as { event: string; chunk?: string }).filter((line) => line.event === event);
  }
}

/** The runs of an experiment that takes a worker two seconds on a fast machine: a test that looks every 10 ms on a busy one still meets it in the middle. */
export const RUNS = 24;
const DOCUMENT = `name: sweep
claim: it is the same wherever it is played
horizon: 300000
seeds: 12
environments:
  still:
    environment: stochastic
    alpha: 1.5
    arms:
      - { distribution: lomax, shape: 1.6, scale: 0.5 }
      - { distribution: lomax, shape: 1.6, scale: 1 }
policies:
  told: { policy: htinf, alpha: promised, sigma: promised }
  ada2tinf: { policy: ada2tinf }
`;

/** The processes of one test, all on one queue, in their own folder, which holds sweep.yaml. */
export class Fleet {
  readonly folder: string;
  readonly #started: Started[] = [];

  constructor(
    root: string,
    readonly url: string,
  ) {
    this.folder = mkdtempSync(join(root, "fleet-"));
    this.write(DOCUMENT);
  }

  write(document: string): void {
    writeFileSync(join(this.folder, "sweep.yaml"), document);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** A command on the queue. */
  start(...args: string[]): Started {
    return this.#keep(new Started(this.folder, [...args, "--queue", this.url]));
  }

  /** `tsallis run sweep.yaml` into a folder. */
  coordinator(out = "out", ...args: string[]): Started {
    return this.start("run", "sweep.yaml", "--out", out, ...args);
  }

  worker(...args: string[]): FleetWorker {
    return this.#keep(new FleetWorker(this.folder, ["worker", "--queue", this.url, "--concurrency", "1", "--json", ...args]));
  }

  async workers(count: number, ...args: string[]): Promise<FleetWorker[]> {
    const workers = Array.from({ length: count }, () => this.worker(...args));
    await Promise.all(workers.map((worker) => worker.tells("ready")));
    return workers;
  }

  /** The state of the fleet. It is read in this process, because a command would take a second of processor time for each look. */
  async state(): Promise<FleetState> {
    const operator = await Operator.open(this.url);
    try {
      return await operator.read();
    } finally {
      await operator.close();
    }
  }

  /** How many runs the journal of a folder holds. */
  finished(out = "out"): number {
    const journal = this.path(join(out, "journal.jsonl"));
    // The first line names the experiment, and the last one has an end.
    return existsSync(journal) ? Math.max(0, readFileSync(journal, "utf8").split("\n").length - 2) : 0;
  }

  /** Stops workers (SIGSTOP, as if their machines hung) when each of them has ended a chunk and is in the middle of another. Returns the ids of the latter. */
  async freeze(...workers: FleetWorker[]): Promise<string[]> {
    for (let seen = workers.map(() => 0); ; seen = workers.map(({ played }) => played.length)) {
      // With one call to the queue, a worker ends a chunk and takes the next.
      await Promise.all(workers.map((worker, i) => worker.until("it has played a chunk", () => worker.played.length > seen[i]!)));
      for (const worker of workers) worker.signal("SIGSTOP");
      const { workers: all } = await this.state();
      const held = workers.map(({ pid }) => all.find((one) => one.pid === pid)?.chunks[0]);
      // A chunk that it has already played is still on its way into the store.
      if (held.every((chunk, i) => chunk !== undefined && !workers[i]!.played.includes(chunk))) return held as string[];
      for (const worker of workers) worker.signal("SIGCONT");
    }
  }

  /** Ends everything that still runs. */
  async end(): Promise<void> {
    await Promise.all(this.#started.map((started) => started.kill()));
  }

  #keep<One extends Started>(started: One): One {
    this.#started.push(started);
    return started;
  }
}
