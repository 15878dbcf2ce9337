import type { HistoryCell } from "./historyCell.js";
import { isWorse, type LossChange } from "./historyChange.js";
import { LEVELS } from "./levels.js";

const MINUTE = 60_000;
/** After a change the traffic is watched for so long. */
const WATCHED_MS = 10 * MINUTE;
/** Traffic from before a change must still be known when the change is noticed. */
const KEPT_MS = 30 * MINUTE;
/** A share of fewer decisions says little. */
const FEWEST_BEFORE = 30;
const FEWEST_AFTER = 10;
/** An arm with less traffic than this had none that could leave. */
const SOME = 0.05;
/** Traffic has left when its share is at most this part of what it was, and has come when the arm has at least this share. */
const LEFT = 0.25;
const CAME = 0.5;

interface Stretch {
  readonly at: number;
  readonly all: number;
  readonly arms: ReadonlyMap<number, number>;
}

/** The policy's decisions in the last half hour, by the finest cells, and what they say about a change. */
export class TrafficWatch {
  readonly #width = LEVELS[0]!.width;
  #stretches: Stretch[] = [];

  add({ at, arms }: HistoryCell): void {
    const counts = new Map([...arms].map(([number, { decisions }]) => [number, decisions]));
    this.#stretches.push({ at, all: [...counts.values()].reduce((sum, count) => sum + count, 0), arms: counts });
    const old = this.#stretches.findIndex((stretch) => stretch.at >= at - KEPT_MS);
    if (old > 0) this.#stretches = this.#stretches.slice(old);
  }

  /** An arm's share in the minute before a time, or in five if one had too few decisions; null if five had. */
  shareBefore(number: number, at: number): number | null {
    for (const minutes of [1, 5]) {
      const share = this.#share(number, at - minutes * MINUTE, at, FEWEST_BEFORE);
      if (share !== null) return share;
    }
    return null;
  }

  /** Says what became of an arm's traffic after a change, as far as that is known at `now`. */
  follow(change: LossChange, now: number): void {
    const { share, at, number } = change;
    if (change.movedAfter === null && share !== null && (isWorse(change) ? share >= SOME : share < CAME)) {
      let [all, its] = [0, 0];
      for (const stretch of this.#stretches) {
        const end = stretch.at + this.#width;
        if (end <= at || end > at + WATCHED_MS) continue;
        all += stretch.all;
        its += stretch.arms.get(number) ?? 0;
        if (all < FEWEST_AFTER) continue;
        if (isWorse(change) ? its <= LEFT * share * all : its >= CAME * all) {
          change.movedAfter = end - at;
          break;
        }
        [all, its] = [0, 0];
      }
    }
    if (now < at + WATCHED_MS) return;
    change.isOpen = false;
    if (change.movedAfter === null) change.shareLater = this.#share(number, now - MINUTE, now, FEWEST_AFTER);
  }

  #share(number: number, from: number, to: number, fewest: number): number | null {
    let [all, its] = [0, 0];
    for (const stretch of this.#stretches) {
      if (stretch.at < from || stretch.at + this.#width > to) continue;
      all += stretch.all;
      its += stretch.arms.get(number) ?? 0;
    }
    return all < fewest ? null : its / all;
  }
}
