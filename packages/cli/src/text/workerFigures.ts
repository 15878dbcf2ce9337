import type { WorkerEvent } from "@tsallis/lab/fleet";
import { prometheusText } from "./prometheusText.js";

/** What a monitor may ask of a worker. */
export class WorkerFigures {
  #problem: string | null = "the queue has not answered yet";
  #slots = 0;
  #chunks = { played: 0, lost: 0, returned: 0 };
  #runs = { completed: 0, failed: 0 };
  #rounds = 0;

  /** `active`: how many chunks are being played. */
  constructor(readonly active: () => number) {}

  take(told: WorkerEvent): void {
    if (told.event === "ready") this.#slots = told.concurrency;
    if (told.event === "ready" || told.event === "reconnected") this.#problem = null;
    else if (told.event === "disconnected") this.#problem = "the queue does not answer";
    else if (told.event === "stopping") this.#problem = "the worker is stopping";
    else if (told.event === "lost" || told.event === "returned") this.#chunks[told.event]++;
    else if (told.event === "chunk") {
      this.#chunks.played++;
      this.#runs.failed += told.failed;
      this.#runs.completed += told.runs - told.failed;
      this.#rounds += told.rounds;
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
