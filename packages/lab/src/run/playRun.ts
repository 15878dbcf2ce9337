import { accountableIfOwn } from "../conformance/accountable.js";
import type { ResolvedRun } from "../document/resolveRun.js";
import { LabError } from "../labError.js";
import { checkpoints } from "./checkpoints.js";
import { Play, type PlaySettings, type RunTotals } from "./play.js";
import { MOST_SHARES, type Trace } from "./runResult.js";

/** How a run is played and recorded. */
export interface PlayOptions extends PlaySettings {
  readonly checkpoints: number;
  /** Called now and then with the number of rounds played since the last call. */
  readonly onRounds: (rounds: number) => void;
}

/** The number of rounds between two calls of onRounds. */
const STRIDE_ROUNDS = 16_384;

/** Plays a run from its first round to its last, and records it at its checkpoints. */
export function playRun(run: ResolvedRun, { checkpoints: count, onRounds, ...settings }: PlayOptions): Trace {
  const play = new Play(run, { between: accountableIfOwn, ...settings });
  const record = new Recorder(run.environment.arms);
  let told = 0;
  for (const checkpoint of checkpoints(run.horizon, count)) {
    while (play.round < checkpoint) {
      play.advance(Math.min(checkpoint, told + STRIDE_ROUNDS));
      if (play.round - told < STRIDE_ROUNDS && play.round < run.horizon) continue;
      onRounds(play.round - told);
      told = play.round;
    }
    record.add(play.totals());
  }
  const runHash = play.runHash();
  return { ...record.columns, ...(runHash !== null && { runHash }) };
}

/** Turns rows into columns, and refuses values that JSON cannot represent. */
class Recorder {
  readonly #columns = {
    round: [] as number[],
    pseudoRegret: [] as number[],
    realizedRegret: [] as number[],
    dynamicRegret: [] as number[],
    skipped: [] as number[],
    best: [] as number[],
  };
  readonly #plays: number[][] | null;
  readonly #details: Record<string, number[]> = {};
  #anatomy: Record<string, number[]> | null = null;

  constructor(arms: number) {
    this.#plays = arms > MOST_SHARES ? null : Array.from({ length: arms }, () => []);
  }

  add({ plays, details, anatomy, ...row }: RunTotals): void {
    for (const [name, column] of Object.entries(this.#columns)) column.push(finite(row[name as keyof typeof row], name, row.round));
    this.#plays?.forEach((column, arm) => {
      column.push(plays[arm]!);
    });
    const rows = this.#columns.round.length;
    append(this.#details, details, row.round, rows);
    if (anatomy === null) return;
    this.#anatomy ??= {};
    append(this.#anatomy, anatomy, row.round, rows);
  }

  get columns(): Trace {
    return { ...this.#columns, plays: this.#plays, details: this.#details, anatomy: this.#anatomy };
  }
}

/** A name that is not there at every checkpoint would give a column whose values stand beside the wrong rounds. */
function append(columns: Record<string, number[]>, values: Readonly<Record<string, number>>, round: number, rows: number): void {
  for (const [name, value] of Object.entries(values)) {
    columns[name] ??= [];
    columns[name].push(finite(value, name, round));
  }
  const [uneven] = Object.entries(columns).find(([, { length }]) => length !== rows) ?? [];
  if (uneven === undefined) return;
  throw new LabError("ERR_TRACE", `the detail ${uneven} is reported at some checkpoints only, as in round ${round}; report the same names always`);
}

function finite(value: number, name: string, round: number): number {
  // -0 becomes 0, as in the journal, so that a run is the same whether it was read back or not.
  if (Number.isFinite(value)) return value + 0;
  throw new LabError("ERR_TRACE", `${name} is ${value} in round ${round}: the losses leave the range of a double; scale them down`);
}
