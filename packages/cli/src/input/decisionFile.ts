import { at, Failure } from "../text/failure.js";
import { type Columns, type DecisionRow, missing, RowReader } from "./decisionColumns.js";
import { inputName, isBlank, lineBatches } from "./inputLines.js";
import { TimeOrder } from "./timeOrder.js";

/** The decisions of a segment in their order, in little space. */
export interface DecisionList {
  /** The numbers of its arms, in the order in which they came: each segment has arms of its own. */
  readonly arms: Map<string, number>;
  /** Twice the number of the arm, and one more in the holdout. */
  readonly codes: number[];
  /** NaN if there was no feedback. */
  readonly losses: number[];
}

/** A log that somebody else wrote. */
export interface DecisionLog {
  readonly segments: ReadonlyMap<string, DecisionList>;
  readonly unit: "loss" | "reward";
  readonly hasHoldout: boolean;
  /** Lines whose id was in a line before: they do not count. */
  readonly doubled: number;
  /** Lines that came after one of a later time, and were put into order. */
  readonly outOfOrder: number;
  /** Whether the last line of a file was cut off; it does not count. */
  readonly cut: boolean;
  /** The time of the last decision, in the numbers of the log. */
  readonly lastTime: number | null;
}

export interface ReadDecisionsOptions {
  /** Only this one; undefined for all. */
  readonly segment: string | undefined;
  readonly columns: Columns;
  /** 0 if no value below 0 is allowed. */
  readonly floor: number;
  /** In front of values that are below it, for the message. */
  readonly cap: number;
  /** How many lines are held at once to put them into order. */
  readonly maxOpen: number;
  readonly onProgress: (lines: number) => void;
}

/** The bytes of a log, by its name. */
export interface LogInput {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** What half a line is refused with. */
const CUT = ["ERR_JSON", "ERR_DATA"];

/** Reads JSON lines, CSV or TSV. The order of decisions is that of their times, or that of the lines if they have none. */
export async function readDecisions(inputs: readonly LogInput[], options: ReadDecisionsOptions): Promise<DecisionLog> {
  const log = new Collector(options);
  let lines = 0;
  for (const { name, bytes } of inputs) {
    const reader = new RowReader(options.columns);
    let number = 0;
    const end = { reached: false };
    for await (const batch of lineBatches(untilEnd(bytes, end))) {
      for (const line of batch) {
        number++;
        if (isBlank(line)) continue;
        try {
          const row = reader.read(line);
          if (row !== undefined) log.take(row, reader);
        } catch (error) {
          // What stands behind the last line feed, when the file is at its end, may be half a line.
          if (end.reached && (number > 1 || inputs.length > 1) && error instanceof Failure && CUT.includes(error.code)) log.cut = true;
          else throw at(inputs.length > 1 ? `${inputName(name)}, line ${number}` : `line ${number}`, error);
        }
      }
      lines += batch.length;
      options.onProgress(lines);
    }
    log.ended(reader, inputName(name), number);
  }
  return log.whole();
}

async function* untilEnd(bytes: AsyncIterable<Uint8Array>, end: { reached: boolean }): AsyncGenerator<Uint8Array> {
  yield* bytes;
  end.reached = true;
}

/** A log with more is not what it seems: each line may have an arm or a segment of its own. */
const MOST_ARMS = 10_000;
export const MOST_SEGMENTS = 1000;

/** The error for a log with too many segments. */
export function tooManySegments(): Failure {
  const message = `more than ${MOST_SEGMENTS.toLocaleString("en")} segments; choose one with --segment, or name another column as the segment, with --columns`;
  return new Failure("ERR_DATA", message);
}

class Collector {
  readonly #segments = new Map<string, DecisionList>();
  readonly #ids = new Set<string>();
  readonly #order: TimeOrder<DecisionRow>;
  #unit: "loss" | "reward" | undefined;
  #timed: boolean | undefined;
  #hasHoldout = false;
  #doubled = 0;
  #lastTime: number | null = null;
  #lastKeys: readonly string[] = [];
  cut = false;

  constructor(readonly options: ReadDecisionsOptions) {
    this.#order = new TimeOrder(options.maxOpen);
  }

  take(row: DecisionRow, { unit }: RowReader): void {
    const { value, time, id } = row;
    this.#unit ??= unit;
    if (unit !== undefined && unit !== this.#unit)
      throw new Failure("ERR_DATA", `a ${unit}, and earlier lines have a ${this.#unit}; a log has one of them`);
    this.#requireLimits(value, unit ?? "loss");
    this.#timed ??= time !== null;
    if ((time !== null) !== this.#timed) throw new Failure("ERR_DATA", "time must be in every line, or in none");
    if (id !== null && this.#ids.size === this.#ids.add(id).size) {
      this.#doubled++;
      return;
    }
    if (time === null) {
      this.#add(row);
      return;
    }
    const next = this.#order.add(time, row);
    if (next === false) {
      const message = `its time is before that of lines already counted, more than ${this.options.maxOpen.toLocaleString("en")} lines ago; sort the log by time, or raise --max-open`;
      throw new Failure("ERR_DATA", message);
    }
    if (next !== undefined) this.#add(next);
  }

  #requireLimits(value: number | null, unit: "loss" | "reward"): void {
    const { floor, cap } = this.options;
    if (value === null || value >= 0 || floor < 0) return;
    const losses = unit === "loss" ? "losses" : "rewards";
    throw new Failure("ERR_LOSS", `${unit} ${value} is below the floor 0; with --floor -${cap} ${losses} count from -${cap} to the cap`);
  }

  #add({ arm, value, holdout, segment, time }: DecisionRow): void {
    const { segment: wanted } = this.options;
    if (wanted !== undefined && segment !== wanted) return;
    let list = this.#segments.get(segment);
    if (list === undefined) {
      if (this.#segments.size === MOST_SEGMENTS) throw tooManySegments();
      list = { arms: new Map(), codes: [], losses: [] };
      this.#segments.set(segment, list);
    }
    let number = list.arms.get(arm);
    if (number === undefined) {
      number = list.arms.size;
      if (number === MOST_ARMS)
        throw new Failure("ERR_DATA", `more than ${MOST_ARMS.toLocaleString("en")} arms; is that column what was chosen between?`);
      list.arms.set(arm, number);
    }
    list.codes.push(2 * number + (holdout ? 1 : 0));
    list.losses.push(value === null ? NaN : this.#unit === "reward" ? 0 - value : value);
    this.#lastTime = time;
    this.#hasHoldout ||= holdout;
  }

  /** After the last line of a file. */
  ended(reader: RowReader, name: string, lines: number): void {
    if (lines === 0)
      throw new Failure("ERR_DATA", 'empty; a log has lines such as {"arm":"b","loss":0.37}, or a table with the columns arm and loss', name);
    this.#lastKeys = reader.keys;
  }

  whole(): DecisionLog {
    for (const row of this.#order.rest()) this.#add(row);
    if (this.#unit === undefined && this.#segments.size > 0) throw missing("loss", this.#lastKeys);
    return {
      segments: this.#segments,
      unit: this.#unit ?? "loss",
      hasHoldout: this.#hasHoldout,
      doubled: this.#doubled,
      outOfOrder: this.#order.outOfOrder,
      cut: this.cut,
      lastTime: this.#lastTime,
    };
  }
}
