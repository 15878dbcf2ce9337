import type { Run } from "../document/run.js";
import { lastFifth } from "../run/lastFifth.js";
import type { Results } from "../run/results.js";
import type { Trace } from "../run/runResult.js";
import { RunningMeans } from "../statistics/meanCurve.js";
import type { Cell, FailedRun } from "./cells.js";
import { MOST_SEED_CURVES, type SeedCurve } from "./member.js";

/** What the traces of a cell come to. The cell is kept; all else is needed only for its own row, because the columns of a million runs are 480 MB. */
export interface ReadCell {
  readonly cell: Cell;
  /** One column per checkpoint, with a value for each completed run. */
  readonly pseudoRegret: readonly Float64Array[];
  /** The following are means over the completed runs, one per checkpoint. */
  readonly realizedMeans: readonly number[];
  readonly dynamicMeans: readonly number[];
  readonly skipRates: readonly number[];
  readonly bestArmShares: readonly number[];
  /** For each arm, its share of the rounds so far; null if single arms were not recorded. */
  readonly playShares: readonly (readonly number[])[] | null;
  /** The terms of the anatomy that every completed run has, by name. */
  readonly terms: ReadonlyMap<string, RecordedTerm>;
  readonly seedCurves: readonly SeedCurve[];
}

export interface RecordedTerm {
  /** One per checkpoint. */
  readonly means: readonly number[];
  /** One per completed run. */
  readonly finals: Float64Array;
}

/** Reads the results of a cell's runs one after the other, and keeps no trace. */
export function readCell(id: string, group: readonly Run[], results: Results): ReadCell {
  const sorted = [...group].sort((a, b) => a.seed - b.seed);
  const { environment, policy, sweep } = sorted[0]!;
  const runs: Run[] = [];
  const failures: FailedRun[] = [];
  const seconds = new Float64Array(sorted.length);
  let columns: TraceColumns | null = null;
  for (const run of sorted) {
    const result = results.get(run.id);
    if (result?.status === "failed") failures.push(result);
    if (result?.status !== "completed") continue;
    columns ??= new TraceColumns(result.trace.round, sorted.length);
    columns.add(run.seed, result.trace);
    seconds[runs.length] = result.seconds;
    runs.push(run);
  }
  const { ofCell, ...read } = (columns ?? new TraceColumns([], 0)).read();
  return { ...read, cell: { id, environment, policy, sweep, runs, failures, seconds: seconds.subarray(0, runs.length), ...ofCell } };
}

/** Takes traces in and gives columns out. */
class TraceColumns {
  readonly #rounds: readonly number[];
  readonly #most: number;
  readonly #pseudoRegret: readonly Float64Array[];
  readonly #dynamicFinals: Float64Array;
  readonly #lastFifths: Float64Array;
  /** Where the last fifth of the rounds begins: after this checkpoint, or with the first round if it is -1. */
  readonly #beforeLastFifth: number;
  readonly #realized: RunningMeans;
  readonly #dynamic: RunningMeans;
  readonly #skipped: RunningMeans;
  readonly #best: RunningMeans;
  readonly #terms = new Map<string, { means: RunningMeans; finals: Float64Array }>();
  readonly #detailNames = new Set<string>();
  readonly #seedCurves: SeedCurve[] = [];
  #plays: readonly RunningMeans[] = [];
  #count = 0;

  /** `most` traces at most, all with the same checkpoints. */
  constructor(rounds: readonly number[], most: number) {
    const means = () => new RunningMeans(rounds.length);
    this.#rounds = rounds;
    this.#most = most;
    this.#pseudoRegret = rounds.map(() => new Float64Array(most));
    this.#dynamicFinals = new Float64Array(most);
    this.#lastFifths = new Float64Array(most);
    this.#beforeLastFifth = rounds.indexOf(lastFifth(rounds.at(-1) ?? 0).from);
    [this.#realized, this.#dynamic, this.#skipped, this.#best] = [means(), means(), means(), means()];
  }

  add(seed: number, { pseudoRegret, realizedRegret, dynamicRegret, skipped, best, plays, details, anatomy }: Trace): void {
    const [rounds, at] = [this.#rounds, this.#count++];
    for (let i = 0; i < rounds.length; i++) this.#pseudoRegret[i]![at] = pseudoRegret[i]!;
    this.#dynamicFinals[at] = dynamicRegret.at(-1)!;
    this.#lastFifths[at] = dynamicRegret.at(-1)! - (dynamicRegret[this.#beforeLastFifth] ?? 0);
    this.#realized.add(realizedRegret);
    this.#dynamic.add(dynamicRegret);
    this.#skipped.add(skipped, rounds);
    this.#best.add(best, rounds);
    if (at === 0 && plays !== null) this.#plays = plays.map(() => new RunningMeans(rounds.length));
    for (const [arm, means] of this.#plays.entries()) if (plays !== null) means.add(plays[arm]!, rounds);
    for (const name of Object.keys(details)) this.#detailNames.add(name);
    for (const [name, values] of Object.entries(anatomy ?? {})) this.#addTerm(name, values, at);
    if (at < MOST_SEED_CURVES) this.#seedCurves.push({ seed, values: pseudoRegret });
  }

  #addTerm(name: string, values: readonly number[], at: number): void {
    const term = this.#terms.get(name) ?? { means: new RunningMeans(this.#rounds.length), finals: new Float64Array(this.#most) };
    this.#terms.set(name, term);
    term.means.add(values);
    term.finals[at] = values.at(-1)!;
  }

  read() {
    const whole = ({ count }: RunningMeans) => count === this.#count;
    const filled = (column: Float64Array) => column.subarray(0, this.#count);
    const pseudoRegret = this.#pseudoRegret.map(filled);
    const terms = [...this.#terms].filter(([, { means }]) => whole(means));
    return {
      ofCell: {
        rounds: this.#rounds,
        // A copy: a part of the columns would keep all of them.
        finals: Float64Array.from(pseudoRegret.at(-1) ?? []),
        dynamicFinals: filled(this.#dynamicFinals),
        lastFifths: filled(this.#lastFifths),
        detailNames: this.#detailNames,
        anatomyNames: new Set(this.#terms.keys()),
      },
      pseudoRegret,
      realizedMeans: this.#realized.means(),
      dynamicMeans: this.#dynamic.means(),
      skipRates: this.#skipped.means(),
      bestArmShares: this.#best.means(),
      playShares: this.#plays.length > 0 && this.#plays.every(whole) ? this.#plays.map((means) => means.means()) : null,
      terms: new Map(terms.map(([name, { means, finals }]) => [name, { means: means.means(), finals: filled(finals) }])),
      seedCurves: this.#seedCurves,
    };
  }
}
