import { LossSketch } from "./lossSketch.js";

/** An arm whose losses do not change gets a false entry at most once in so many compared losses, on average. */
export const FALSE_ENTRY_ONCE_IN = 10_000_000;
/** An arm's losses are compared at most this often. */
export const COMPARED_EVERY_MS = 500;
/** Decisions that wait for their outcomes. */
const MOST_WAITING = 200;
/** The losses since a change may have begun that are remembered one by one. */
const MOST_RECENT = 200;
/** A median of fewer losses is not worth an entry. */
const FEWEST_BEFORE = 30;
/** Medians must differ by this share of the larger one. */
const SMALLEST_CHANGE = 0.2;
/** Bets that losses became larger (smaller): of a rank p the gain is power p^(power - 1), which is 1 on average while nothing changes. */
const POWERS = [0.25, 0.5, 0.75];
const LEAST = 1e-12;

/** An arm's losses changed. */
export interface FoundChange {
  /** The first decision that shows it, in milliseconds since 1970. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

export interface DetectorSnapshot {
  readonly losses: readonly number[];
  readonly gains: readonly number[];
  readonly recent: readonly Compared[];
  /** Those whose outcome has not come have no bin. */
  readonly waiting: readonly (readonly [seq: number, at: number, bin?: number | null])[];
  readonly sampledAt: number;
}

/** A loss, when its decision was made, and its rank: the share of the losses before it that are larger. */
type Compared = readonly [bin: number, at: number, rank: number];

/**
 * Finds out when the losses of an arm change, whatever their distribution. Each loss gets its rank among all before it (ties in random order), which while nothing
 * changes is uniform and independent of the others (Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005, theorem 8.1). Bets on these ranks are summed as
 * Shiryaev and Roberts do: the sum minus the number of losses is a martingale, so that it takes at least FALSE_ENTRY_ONCE_IN losses on average to reach
 * that number by chance. Losses come in the order of their decisions: in the order of the feedback, slow answers would follow on fast ones wherever traffic
 * moves. What takes longer than `patience` is left out, before and after alike.
 */
export class ChangeDetector {
  #losses = new LossSketch();
  /** For each power the sum for larger losses and the one for smaller ones. */
  #gains = POWERS.flatMap(() => [0, 0]);
  #recent: Compared[] = [];
  readonly #waiting = new Map<number, { readonly at: number; bin: number | null | undefined }>();
  #sampledAt = 0;

  constructor(
    readonly onceIn = FALSE_ENTRY_ONCE_IN,
    readonly everyMs = COMPARED_EVERY_MS,
  ) {}

  /** A decision for the arm. Whether it is compared must not depend on its loss. */
  decided(seq: number, at: number): void {
    if (this.#waiting.size >= MOST_WAITING || at - this.#sampledAt < this.everyMs) return;
    this.#sampledAt = at;
    this.#waiting.set(seq, { at, bin: undefined });
  }

  /** The outcome of a decision, as a bin; null if there was none. */
  ended(seq: number, bin: number | null): void {
    const waiting = this.#waiting.get(seq);
    if (waiting !== undefined) waiting.bin = bin;
  }

  /** Compares what can be compared by now. Returns a change, if it shows one. */
  look(now: number, patience: number): FoundChange | null {
    for (const [seq, { at, bin }] of this.#waiting) {
      if (bin === undefined && now - at <= patience) return null;
      this.#waiting.delete(seq);
      const found = bin === undefined || bin === null ? null : this.#compare(bin, at, lot(seq));
      if (found !== null) return found;
    }
    return null;
  }

  #compare(bin: number, at: number, uniform: number): FoundChange | null {
    const { larger, same } = this.#losses.compare(bin);
    const rank = Math.min(1 - LEAST, Math.max(LEAST, (larger + uniform * (same + 1)) / (this.#losses.count + 1)));
    this.#losses.add(bin);
    this.#recent.push([bin, at, rank]);
    if (this.#recent.length > MOST_RECENT) this.#recent.shift();
    let sum = 0;
    this.#gains = this.#gains.map((gain, i) => {
      const next = (1 + gain) * gainOf(POWERS[i >> 1]!, i % 2 === 0 ? rank : 1 - rank);
      sum += next;
      return next;
    });
    return sum / this.#gains.length >= this.onceIn ? this.#changed() : null;
  }

  /** What came since the likeliest beginning is after the change, and what the next losses are compared with. */
  #changed(): FoundChange | null {
    const since = this.#recent.slice(beginningOf(this.#recent));
    const after = new LossSketch();
    for (const [bin] of since) {
      after.add(bin);
      this.#losses.add(bin, -1);
    }
    const before = this.#losses;
    this.#losses = after;
    this.#gains = this.#gains.map(() => 0);
    this.#recent = since;
    const [from, to] = [before.quantile(0.5) ?? 0, after.quantile(0.5) ?? 0];
    if (before.count < FEWEST_BEFORE || Math.abs(to - from) < SMALLEST_CHANGE * Math.max(Math.abs(from), Math.abs(to))) return null;
    return { at: since[0]![1], before: from, after: to };
  }

  /** The median of the losses since the last change, while these are few enough to still move it; null later. */
  get youngMedian(): number | null {
    return this.#losses.count <= MOST_RECENT ? this.#losses.quantile(0.5) : null;
  }

  snapshot(): DetectorSnapshot {
    return {
      losses: this.#losses.toList(),
      gains: this.#gains,
      recent: this.#recent,
      waiting: [...this.#waiting].map(([seq, { at, bin }]) => (bin === undefined ? [seq, at] : [seq, at, bin])),
      sampledAt: this.#sampledAt,
    };
  }

  static restore({ losses, gains, recent, waiting, sampledAt }: DetectorSnapshot): ChangeDetector {
    const detector = new ChangeDetector();
    detector.#losses = LossSketch.fromList(losses);
    detector.#gains = [...gains];
    detector.#recent = [...recent];
    for (const [seq, at, bin] of waiting) detector.#waiting.set(seq, { at, bin });
    detector.#sampledAt = sampledAt;
    return detector;
  }
}

function gainOf(power: number, rank: number): number {
  return power * rank ** (power - 1);
}

/** The place from which on the ranks differ most from uniform ones, by the likelihood of the best power for either direction. */
function beginningOf(recent: readonly Compared[]): number {
  let [best, place] = [0, recent.length - 1];
  const sums = [0, 0];
  for (let i = recent.length - 1; i >= 0; i--) {
    const rank = recent[i]![2];
    for (const [side, its] of [rank, 1 - rank].entries()) {
      sums[side]! -= Math.log(its);
      const count = recent.length - i;
      const power = Math.min(1, count / sums[side]!);
      const likelihood = count * Math.log(power) + (1 - power) * sums[side]!;
      if (likelihood > best) [best, place] = [likelihood, i];
    }
  }
  return place;
}

/** A uniform number that follows from the number of an event (the finaliser of MurmurHash3). */
function lot(seq: number): number {
  let h = (seq ^ Math.floor(seq / 2 ** 32)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}
