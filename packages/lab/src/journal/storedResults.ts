import { closeSync, openSync } from "node:fs";
import type { FrozenExperiment } from "../document/experiment.js";
import { LabError } from "../labError.js";
import { resultProblem } from "../run/resultProblem.js";
import type { Results } from "../run/results.js";
import type { RunResult } from "../run/runResult.js";
import type { OnStage } from "../run/stages.js";
import { LineReader } from "./lineReader.js";
import { type Damage, glanceAtJournal, type Place, type Scan, scanJournal } from "./scanJournal.js";
import { unseal } from "./seal.js";

/**
 * The results in a journal. Only the places of the lines are in memory; a result is read, and its checksum compared, whenever it is asked for. The file is open from a read
 * until the event loop turns, so that the results need no end of their own.
 */
export class StoredResults implements Results {
  #open: { readonly file: number; readonly lines: LineReader } | undefined;

  constructor(
    protected readonly path: string,
    protected readonly frozen: FrozenExperiment,
    /** How the journal was found. */
    readonly scan: Omit<Scan, "places">,
    protected readonly places: Map<string, Place>,
  ) {}

  /** Reads a journal, which another process may be writing: a last line without an end does not count. */
  static read(path: string, frozen: FrozenExperiment, onStage?: OnStage): StoredResults {
    const { places, ...scan } = opened(path, (file) => scanJournal(file, frozen, path, onStage));
    return new StoredResults(path, frozen, scan, places);
  }

  /** The results in a journal without damage. Damage that is not seen at a glance is found when the damaged line is read. */
  static find(path: string, frozen: FrozenExperiment, onStage?: OnStage): StoredResults {
    const found = opened(path, (file) => glanceAtJournal(file, frozen, path, onStage) ?? scanJournal(file, frozen, path, onStage));
    const { places, ...scan } = found;
    refuseDamage(path, scan.damage);
    return new StoredResults(path, frozen, scan, places);
  }

  get size(): number {
    return this.places.size;
  }

  has(id: string): boolean {
    return this.places.has(id);
  }

  statusOf(id: string): RunResult["status"] | undefined {
    return this.places.get(id)?.status;
  }

  get(id: string): RunResult | undefined {
    const place = this.places.get(id);
    if (place === undefined) return undefined;
    const result = unseal(this.frozen.hash, this.#lines().read(place)) as RunResult | undefined;
    if (result?.id === id && this.#fits(id, result)) return result;
    refuseDamage(this.path, opened(this.path, (file) => scanJournal(file, this.frozen, this.path)).damage);
    throw new LabError("ERR_RESULTS", `${this.path} was changed while it was in use: the line of ${id} is not where it was; give the command again`);
  }

  /** Whether a result whose checksum fits is one of this run. */
  #fits(id: string, result: RunResult): boolean {
    const { unchecked } = this.scan;
    const run = unchecked.get(id);
    if (run !== undefined && resultProblem(this.frozen.experiment, run, result) !== null) return false;
    unchecked.delete(id);
    return true;
  }

  /** Closes the file, if it is open: another one may take its place. */
  protected closeReads(): void {
    if (this.#open !== undefined) closeSync(this.#open.file);
    this.#open = undefined;
  }

  #lines(): LineReader {
    if (this.#open === undefined) {
      const file = openSync(this.path, "r");
      this.#open = { file, lines: new LineReader(file) };
      setImmediate(() => this.closeReads());
    }
    return this.#open.lines;
  }
}

function opened<T>(path: string, read: (file: number) => T): T {
  const file = openSync(path, "r");
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

function refuseDamage(path: string, damage: readonly Damage[]): void {
  if (damage.length === 0) return;
  const { line, problem } = damage[0]!;
  const count = damage.length === 1 ? "a damaged line" : `${damage.length} damaged lines, the first`;
  throw new LabError(
    "ERR_RESULTS",
    `${path} has ${count} at ${line} (${problem}); give the tsallis run that made the folder again, which takes them out and plays what is missing`,
  );
}
