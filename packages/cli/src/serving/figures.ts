import type { Progress } from "@tsallis/lab";
import type { WorkerEvent } from "@tsallis/lab/fleet";

const NOT_YET = "the queue has not answered yet";

/** What a monitor may ask of a coordinator. */
export class RunFigures {
  #progress: Progress | undefined;
  #fleet = { workers: 0, slots: 0 };
  #invalid = 0;
  #problem: string | null = NOT_YET;

  takeProgress(progress: Progress): void {
    this.#progress = progress;
  }

  takeWorkers(workers: number, slots: number): void {
    this.#fleet = { workers, slots };
  }

  takeInvalid(): void {
    this.#invalid++;
  }

  takeServer(answers: boolean): void {
    this.#problem = answers ? null : this.#problem === NOT_YET ? NOT_YET : "the queue does not answer";
  }

  /** Why it cannot work at the moment; null if it can. */
  get problem(): string | null {
    return this.#problem;
  }

  get text(): string {
    const { runs = 0, done = 0, failed = 0, rounds = 0 } = this.#progress ?? {};
    return prometheusText([
      ["tsallis_fleet_up", "gauge", "Whether the server of the queue answers.", this.#problem === null ? 1 : 0],
      ["tsallis_fleet_workers", "gauge", "Workers that are connected to the queue.", this.#fleet.workers],
      ["tsallis_fleet_slots", "gauge", "Chunks that these workers can play at once.", this.#fleet.slots],
      ["tsallis_fleet_runs", "gauge", "Runs of the experiment that were asked for.", runs],
      ["tsallis_fleet_runs_done", "gauge", "Runs in the journal, by outcome.", { 'status="completed"': done - failed, 'status="failed"': failed }],
      ["tsallis_fleet_rounds_total", "counter", "Rounds that workers have played for this process.", rounds],
      ["tsallis_fleet_invalid_results_total", "counter", "Answers of workers that were no result of the run.", this.#invalid],
    ]);
  }
}

/** What a monitor may ask of a worker. */
export class WorkerFigures {
  #problem: string | null = "the queue has not answered yet";
  #slots = 0;
  #chunks = { played: 0, lost: 0, returned: 0 };
  #runs = { completed: 0, failed: 0 };
  #rounds = 0;

  /** `active`: how many chunks are being played. */
  constructor(readonly active: () => number) {}

  take(event: WorkerEvent): void {
    if (event.event === "ready") this.#slots = event.concurrency;
    if (event.event === "ready" || event.event === "reconnected") this.#problem = null;
    else if (event.event === "disconnected") this.#problem = "the queue does not answer";
    else if (event.event === "stopping") this.#problem = "the worker is stopping";
    else if (event.event === "lost" || event.event === "returned") this.#chunks[event.event]++;
    else if (event.event === "chunk") {
      this.#chunks.played++;
      this.#runs.failed += event.failed;
      this.#runs.completed += event.runs - event.failed;
      this.#rounds += event.rounds;
    }
  }

  /** Why it cannot work at the moment; null if it can. */
  get problem(): string | null {
    return this.#problem;
  }

  get text(): string {
    const { played, lost, returned } = this.#chunks;
    const { completed, failed } = this.#runs;
    return prometheusText([
      ["tsallis_fleet_up", "gauge", "Whether the server of the queue answers and the worker takes chunks.", this.#problem === null ? 1 : 0],
      ["tsallis_fleet_worker_slots", "gauge", "Chunks that the worker can play at once.", this.#slots],
      ["tsallis_fleet_worker_active", "gauge", "Chunks that are being played.", this.active()],
      [
        "tsallis_fleet_worker_chunks_total",
        "counter",
        "Chunks that the worker is done with, by outcome.",
        { 'outcome="played"': played, 'outcome="lost"': lost, 'outcome="returned"': returned },
      ],
      ["tsallis_fleet_worker_runs_total", "counter", "Runs played, by outcome.", { 'status="completed"': completed, 'status="failed"': failed }],
      ["tsallis_fleet_worker_rounds_total", "counter", "Rounds of the chunks played.", this.#rounds],
    ]);
  }
}

/** One family of figures: its name, type and help, and a value for each set of labels, such as `status="failed"`. */
type Family = readonly [name: string, type: "counter" | "gauge", help: string, values: number | Readonly<Record<string, number>>];

/** Figures in Prometheus's text format, version 0.0.4. */
function prometheusText(families: readonly Family[]): string {
  return families
    .map(([name, type, help, values]) => {
      const lines =
        typeof values === "number" ? [`${name} ${values}`] : Object.entries(values).map(([labels, value]) => `${name}{${labels}} ${value}`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`;
    })
    .join("");
}
