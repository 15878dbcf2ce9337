import { LARGEST_LOSS } from "tsallis";
import { didYouMean } from "../text/didYouMean.js";
import { Failure, shortened } from "../text/failure.js";
import { cellsOf, isNumeric, separatorOf } from "./cells.js";
import { LONGEST_LINE } from "./inputLines.js";

/** What a column of a log of decisions may be. */
const ROLES = ["arm", "loss", "reward", "holdout", "segment", "time", "id"] as const;
export type Role = (typeof ROLES)[number];

/** Which column has which role; a role that is absent is looked for by its own name. */
export type Columns = Readonly<Partial<Record<Role, string>>>;

/** One line of a log, read. */
export interface DecisionRow {
  readonly arm: string;
  /** Null if there was no feedback. */
  readonly value: number | null;
  readonly holdout: boolean;
  readonly segment: string;
  /** Null if the log has no times. */
  readonly time: number | null;
  readonly id: string | null;
}

/** Reads "arm=variant,loss=latency_ms". */
export function readColumns(given: string): Columns {
  const columns: Partial<Record<Role, string>> = {};
  for (const part of given.split(",")) {
    const [role, name, ...more] = part.split("=").map((text) => text.trim());
    if (!name || more.length > 0) throw new Failure("ERR_USAGE", `each part must be like loss=latency_ms, got ${shortened(part)}`, "--columns");
    if (!ROLES.includes(role as Role)) {
      const message = `no column can be ${shortened(role!)}; there are ${ROLES.join(", ")}${didYouMean(role!, ROLES)}`;
      throw new Failure("ERR_UNKNOWN_NAME", message, "--columns");
    }
    if (role! in columns) throw new Failure("ERR_USAGE", `${role} is given twice`, "--columns");
    columns[role as Role] = name;
  }
  if (columns.loss !== undefined && columns.reward !== undefined) {
    throw new Failure("ERR_USAGE", "loss and reward are both given; a log has one of them", "--columns");
  }
  return columns;
}

/** Reads the lines of one file: JSON lines, or a table whose first line names the columns, for which it returns undefined. */
export class RowReader {
  #read: ((line: string) => DecisionRow) | undefined;
  /** What the values are, once it is known. */
  unit: "loss" | "reward" | undefined;
  /** The roles that the lines have. */
  readonly found = new Set<Role>();
  /** The names of all columns, or the keys of the first line. */
  keys: readonly string[] = [];
  #names: Partial<Record<Role, string>> | undefined;

  constructor(readonly columns: Columns) {}

  read(line: string): DecisionRow | undefined {
    if (line.length > LONGEST_LINE) throw new Failure("ERR_DATA", `longer than ${LONGEST_LINE} characters, so this is not a log`);
    if (this.#read !== undefined) return this.#read(line);
    if (/^\s*\{/.test(line)) {
      this.#read = (text) => this.#object(text);
      return this.#read(line);
    }
    this.#read = this.#table(line);
    return undefined;
  }

  /** The names of the columns, given those of the first line. A line of JSON may have no feedback yet. */
  #named(keys: readonly string[], isTable: boolean): Partial<Record<Role, string>> {
    this.keys = keys;
    const names: Partial<Record<Role, string>> = {};
    for (const role of ROLES) {
      const name = this.columns[role] ?? role;
      const other = role === "loss" ? this.columns.reward : role === "reward" ? this.columns.loss : undefined;
      if (this.columns[role] !== undefined || (keys.includes(name) && other === undefined)) names[role] = name;
    }
    // The decisions of a router: the upstream is the arm, and each route has arms of its own.
    if (names.arm === undefined && keys.includes("upstream")) names.arm = "upstream";
    if (names.segment === undefined && names.arm === "upstream" && keys.includes("route")) names.segment = "route";
    if (names.arm === undefined) throw missing("arm", keys);
    if (names.loss !== undefined && names.reward !== undefined) {
      throw new Failure("ERR_DATA", "there are both loss and reward; say which one counts, with --columns loss=loss or --columns reward=reward");
    }
    if (names.loss !== undefined) this.unit = "loss";
    else if (names.reward !== undefined) this.unit = "reward";
    else if (isTable) throw missing("loss", keys);
    return names;
  }

  #table(header: string): (line: string) => DecisionRow {
    const separator = separatorOf(header);
    const keys = cellsOf(header, separator);
    const names = this.#named(keys, true);
    const places: Partial<Record<Role, number>> = {};
    for (const role of ROLES) {
      const name = names[role];
      if (name === undefined) continue;
      places[role] = keys.indexOf(name);
      if (places[role]! < 0) throw missing(role, keys, name);
      if (keys.lastIndexOf(name) !== places[role]) throw new Failure("ERR_DATA", `two columns are named ${shortened(name)}`);
      this.found.add(role);
    }
    return (line) => {
      const cells = cellsOf(line, separator);
      if (cells.length !== keys.length) {
        throw new Failure("ERR_DATA", `${cells.length} ${cells.length === 1 ? "cell" : "cells"} below a header of ${keys.length}`);
      }
      // A cell that is no number stays text, which is refused by name.
      const numeric = (role: Role) => {
        const cell = cells[places[role] ?? -1];
        return cell === undefined || cell === "" ? null : isNumeric(cell) ? Number(cell) : cell;
      };
      const text = (role: Role) => cells[places[role] ?? -1] ?? null;
      return this.#row({
        arm: text("arm"),
        value: numeric(this.unit!),
        holdout: text("holdout"),
        segment: text("segment"),
        time: numeric("time"),
        id: text("id"),
      });
    };
  }

  #object(line: string): DecisionRow {
    const object = parsed(line);
    const keys = Object.keys(object);
    this.#names ??= this.#named(keys, false);
    const names = this.#names;
    const other = this.unit === "loss" ? "reward" : "loss";
    if (this.unit === undefined || (!keys.includes(names[this.unit]!) && keys.includes(other) && this.columns[this.unit] === undefined)) {
      if (this.unit !== undefined) throw new Failure("ERR_DATA", `a ${other}, and lines before it have a ${this.unit}; a log has one of them`);
      const unit = (["loss", "reward"] as const).find((each) => keys.includes(each));
      if (unit !== undefined) names[unit] = unit;
      this.unit = unit;
    }
    const value = (role: Role | undefined) => {
      const name = role && (names[role] ?? role);
      if (name === undefined || !Object.hasOwn(object, name)) return null;
      this.found.add(role!);
      return object[name];
    };
    return this.#row({
      arm: value("arm"),
      value: value(this.unit),
      holdout: value("holdout"),
      segment: value("segment"),
      time: value("time"),
      id: value("id"),
    });
  }

  #row(row: Readonly<Record<keyof DecisionRow, unknown>>): DecisionRow {
    return {
      arm: requireName("arm", row.arm),
      value: requireValue(this.unit ?? "loss", row.value),
      holdout: requireFlag(row.holdout),
      segment: row.segment === null ? "" : requireName("segment", row.segment, true),
      time: requireTime(row.time, this.found.has("time")),
      id: row.id === null ? null : requireName("id", row.id),
    };
  }
}

function parsed(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {}
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Failure("ERR_JSON", `not a JSON object: ${shortened(line)}; each line must be like {"arm":"b","loss":0.37}`);
}

/** The error for a role that no column has. */
export function missing(role: Role, keys: readonly string[], name: string = role): Failure {
  const listed = keys.length > 12 ? `${keys.slice(0, 12).join(", ")}, ...` : keys.join(", ");
  const what = `no column is named ${shortened(name)}; there are ${shortened(listed)}`;
  return new Failure(
    "ERR_DATA",
    `${what}; say which one it is, such as --columns ${role}=${role === "arm" ? "variant" : "latency_ms"}${didYouMean(name, keys)}`,
  );
}

function requireName(role: Role, value: unknown, mayBeEmpty = false): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text === "string" && (mayBeEmpty || text !== "") && text.length <= 1000) return text;
  throw new Failure("ERR_DATA", `${role} must be a name or a number, got ${value === null ? "none" : shortened(JSON.stringify(value))}`);
}

function requireValue(unit: "loss" | "reward", value: unknown): number | null {
  if (value === null) return null;
  if (typeof value === "number" && Math.abs(value) <= LARGEST_LOSS) return value;
  throw new Failure(
    "ERR_LOSS",
    `${unit} must be a number of size at most 1e300, or empty if there is none, got ${typeof value === "number" ? value : shortened(JSON.stringify(value))}`,
  );
}

const FLAGS = new Map<unknown, boolean>([
  [null, false],
  ["", false],
  ...[false, 0, "0", "false", "False", "FALSE", "no"].map((value) => [value, false] as const),
  ...[true, 1, "1", "true", "True", "TRUE", "yes"].map((value) => [value, true] as const),
]);

function requireFlag(value: unknown): boolean {
  const flag = FLAGS.get(value);
  if (flag !== undefined) return flag;
  throw new Failure("ERR_DATA", `holdout must be true or false, got ${shortened(JSON.stringify(value))}`);
}

/** In milliseconds since 1970, or whatever number the log counts in: only the order matters. */
function requireTime(value: unknown, hasTimes: boolean): number | null {
  if (value === null && !hasTimes) return null;
  const time = typeof value === "string" ? Date.parse(value) : value;
  if (typeof time === "number" && Number.isFinite(time)) return time;
  throw new Failure(
    "ERR_DATA",
    `time must be a number or a date such as 2026-11-18T09:00:00Z, got ${value === null ? "none" : shortened(JSON.stringify(value))}`,
  );
}
