import type { BanditState } from "../bandit/banditState.js";
import { type Document, PERIODS, type Timeline, type TimelineQuery } from "../schemas.js";
import { changeText } from "./changeText.js";
import { ArmCell, HistoryCell, REST } from "./historyCell.js";
import { type HistoryChange, isWorse } from "./historyChange.js";
import type { HistoryKeeper } from "./historyKeeper.js";
import { type Level, levelFrom } from "./levels.js";
import type { LossSketch } from "./lossSketch.js";

const MOST_POINTS = 180;
const MOST_ARMS = 50;
/** Changes that are listed. */
const MOST_CHANGES = 100;
/** Points and arms: a page of many arms has fewer points. */
const MOST_VALUES = 2_000;

type Figures = Omit<Timeline, "points" | "alive" | "behind">;

/** What is shown of the arms for a while: cells of a whole day are read for it. */
interface Shown {
  readonly key: string;
  readonly until: number;
  readonly numbers: readonly number[];
  readonly arms: Timeline["arms"];
}

/** The answers of a bandit's timeline. */
export class TimelineAnswers {
  #shown: Shown | undefined;

  constructor(readonly keeper: HistoryKeeper) {}

  /** `now` is in milliseconds since 1970. */
  async answer(query: TimelineQuery, document: Document, state: BanditState, now: number): Promise<Omit<Timeline, "alive">> {
    const { keeper } = this;
    const behind = Math.max(0, state.seq - keeper.seq);
    const end = query.to === undefined ? now : Math.min(now, Date.parse(query.to));
    const length = PERIODS[query.period ?? "1h"];
    const level = levelFrom(end - length, now);
    const { part, width } = level;
    const from = Math.floor((end - length) / width) * width;
    const changes = await keeper.changes(from, end + 1);
    const { numbers, arms } = await this.#arms(query, level, from, end, now, changes, state);
    // Merged points begin at multiples of their width, so that those that are known already stay as they are.
    const points = Math.max(10, Math.min(MOST_POINTS, Math.floor(MOST_VALUES / Math.max(1, arms.length))));
    const wide = width * Math.ceil(length / width / points);
    const known = query.after === undefined ? -Infinity : Math.floor(Date.parse(query.after) / wide) * wide;
    const cells = merged(await keeper.cells(part, Math.max(from, known), end + 1), wide);
    const figures: Figures = {
      from: time(from),
      to: time(end),
      seconds: wide / 1000,
      seq: keeper.seq,
      arms,
      changes: changes.slice(0, MOST_CHANGES).map((change) => ({
        at: time(change.at),
        noticed: time(change.noticed),
        arm: change.kind === "losses" ? change.arm : null,
        isWorse: change.kind === "losses" ? isWorse(change) : null,
        sentence: changeText(change, document),
      })),
    };
    return { ...figures, behind, points: cells.map((cell) => point(cell, numbers)) };
  }

  /** The figures of long periods move slowly, and are kept for a five-hundredth of the period. */
  async #arms(
    query: TimelineQuery,
    { part, width }: Level,
    from: number,
    to: number,
    now: number,
    changes: readonly HistoryChange[],
    state: BanditState,
  ): Promise<Shown> {
    const length = PERIODS[query.period ?? "1h"];
    const key = JSON.stringify([state.seq > this.keeper.seq, query.period, query.to, changes.length, changes[0]?.at, [...state.arms.keys()].length]);
    if (this.#shown?.key === key && now < this.#shown.until) return this.#shown;
    // The newest change of an arm comes first; what was before it begins with the one before.
    const changed = new Map<number, number>();
    const began = new Map<number, number>();
    for (const change of changes) {
      if (change.kind !== "losses") continue;
      if (!changed.has(change.number)) changed.set(change.number, change.at);
      else if (!began.has(change.number)) began.set(change.number, change.at);
    }
    const [all, before] = [new HistoryCell(from), new HistoryCell(from)];
    const cells = await this.keeper.cells(part, from, to + 1);
    for (const cell of cells) {
      for (const [number, arm] of cell.arms) {
        const at = changed.get(number);
        const its = all.arms.get(number) ?? new ArmCell(arm.name);
        all.arms.set(number, its);
        its.decisions += arm.decisions + arm.holdout;
        its.expired += arm.expired;
        // A cell in which the change lies says nothing about either side.
        if (at === undefined || cell.at >= at) its.losses.merge(arm.losses);
        else if (cell.at + width <= at && cell.at >= (began.get(number) ?? from)) before.arm(number, arm.name).losses.merge(arm.losses);
      }
    }
    for (const { number, name } of state.arms.values()) if (!all.arms.has(number)) all.arms.set(number, new ArmCell(name));
    const sorted = [...all.arms].filter(([number]) => number !== REST).sort(([a, one], [b, two]) => two.decisions - one.decisions || a - b);
    const kept = sorted.slice(0, MOST_ARMS).sort(([a], [b]) => a - b);
    const arms = kept.map(([number, arm]) => ({
      arm: arm.name,
      isPresent: state.arms.has(number),
      decisions: arm.decisions,
      expired: arm.expired,
      changed: changed.has(number) ? time(changed.get(number)!) : null,
      now: stretch(arm.losses),
      before: before.arms.has(number) ? stretch(before.arms.get(number)!.losses) : null,
    }));
    this.#shown = { key, until: now + Math.min(60_000, length / 500), numbers: kept.map(([number]) => number), arms };
    return this.#shown;
  }
}

/** Cells of a multiple of the width. */
function merged(cells: readonly HistoryCell[], width: number): HistoryCell[] {
  const found = new Map<number, HistoryCell>();
  for (const cell of cells) {
    const at = Math.floor(cell.at / width) * width;
    const into = found.get(at) ?? new HistoryCell(at);
    found.set(at, into);
    into.merge(cell);
  }
  return [...found.values()];
}

function point(cell: HistoryCell, numbers: readonly number[]): Timeline["points"][number] {
  const arms = numbers.map((number) => cell.arms.get(number));
  let all = 0;
  let decisions = 0;
  for (const arm of cell.arms.values()) {
    all += arm.decisions;
    decisions += arm.decisions + arm.holdout;
  }
  const known = cell.probabilities === null ? null : new Map(cell.probabilities);
  return {
    at: time(cell.at),
    decisions,
    probabilities: known === null ? null : numbers.map((number) => short(known.get(number) ?? 0)),
    shares: all === 0 ? null : arms.map((arm) => short((arm?.decisions ?? 0) / all)),
    medians: arms.map((arm) => shortened(arm?.losses.quantile(0.5) ?? null)),
  };
}

function stretch(losses: LossSketch): Timeline["arms"][number]["now"] {
  const at = (share: number) => shortened(losses.quantile(share));
  return { answered: losses.count, median: at(0.5), p90: at(0.9), p99: at(0.99) };
}

/** Four digits after the point: what a picture can show. */
function short(share: number): number {
  return Math.round(share * 1e4) / 1e4;
}

/** The sketch is good for two digits. */
function shortened(loss: number | null): number | null {
  return loss === null ? null : Number(loss.toPrecision(3));
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}
