import type { Progress } from "@tsallis/lab";
import { prometheusText } from "./prometheusText.js";

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
