import { log } from "../elementary/log.js";
import { show, TsallisError } from "../errors.js";
import { LARGEST_LOSS } from "../largestLoss.js";
import { completeOptions, type Parameters } from "../parameters.js";
import type { Interval } from "../statistics/interval.js";
import { Bets, type BetsSnapshot } from "./bets.js";
import { EVIDENCE_SNAPSHOT_VERSION, fromSnapshot, requireCounts, requireNumbers, requireSnapshot } from "./snapshotFields.js";

/** What the losses of a stream are limited to. */
export interface MeanEvidenceOptions {
  /** The largest loss that matters: larger ones count as this. 0 says that no loss is above 0 (rewards), and a larger one is refused. */
  readonly cap: number;
  /** The smallest loss that matters, at most 0: smaller ones count as this. 0, the default, says that no loss is below 0, and a smaller one is refused. */
  readonly floor?: number;
  /** The probability with which each round is drawn into the stream, 1 by default. Below 1 the answers are about the average over all rounds, and `skip` counts the others. */
  readonly share?: number;
}

/** The state of a MeanEvidence, JSON-safe. */
export interface MeanEvidenceSnapshot {
  readonly version: number;
  readonly cap: number;
  readonly floor: number;
  readonly share: number;
  readonly count: number;
  readonly missing: number;
  readonly beyondCap: number;
  readonly beyondFloor: number;
  readonly excess: number;
  /** @inline */
  readonly atLeast: BetsSnapshot;
  /** @inline */
  readonly atMost: BetsSnapshot;
}

export const LIMITS = {
  cap: {
    type: "number",
    atLeast: 0,
    atMost: LARGEST_LOSS,
    description: "the largest loss that matters; no interval for a mean is valid without one",
  },
  floor: { type: "number", atLeast: -LARGEST_LOSS, atMost: 0, default: 0, description: "the smallest loss that matters" },
} as const satisfies Parameters;

const OPTIONS = {
  ...LIMITS,
  share: { type: "number", above: 0, atMost: 1, default: 1, description: "the probability with which a round is drawn into the stream" },
} as const satisfies Parameters;

/**
 * What a stream of losses says about their mean, each loss counted as at most the cap: intervals that hold at all times at once, so also when one looks after every loss
 * and stops when one likes. It needs constant memory.
 *
 * Assumption: given what came before, each loss has the same mean, and losses are added in the order of their decisions. If the mean moves, the answers are about the
 * average of the means so far.
 *
 * @example
 * ```ts
 * import { MeanEvidence } from "tsallis/evidence";
 *
 * const evidence = new MeanEvidence({ cap: 20 });
 * for (let i = 0; i < 1000; i++) evidence.add(i % 50 === 0 ? 500 : 1);
 * const { low, high } = evidence.interval();
 * console.log(evidence.mean.toFixed(2), low.toFixed(2), high.toFixed(2), evidence.beyondCap); // 1.38 1.15 1.74 20
 * ```
 */
export class MeanEvidence {
  readonly cap: number;
  readonly floor: number;
  readonly share: number;
  #count = 0;
  #missing = 0;
  #rounds = 0;
  #beyondCap = 0;
  #beyondFloor = 0;
  #excess = 0;
  /** Bets against "the mean is at least", whose outcome is (loss - floor) / (cap - floor). @internal */
  readonly atLeast: Bets;
  /** Bets against "the mean is at most", whose outcome is (cap - loss) / (cap - floor). @internal */
  readonly atMost: Bets;

  constructor(options: MeanEvidenceOptions) {
    const { cap, floor, share } = completeOptions(OPTIONS, options);
    if (cap === floor) throw new TsallisError("ERR_PARAMETER", "cap", cap, `cap must be above the floor ${floor}, got ${cap}`);
    this.cap = cap;
    this.floor = floor;
    this.share = share;
    // The first centre is a loss of 0.
    this.atLeast = new Bets(share, -floor / (cap - floor));
    this.atMost = new Bets(share, cap / (cap - floor));
  }

  /** The number of losses. */
  get count(): number {
    return this.#count;
  }

  /** The number of decisions without feedback. */
  get missing(): number {
    return this.#missing;
  }

  /** The number of rounds: losses, missing ones, and rounds that were skipped. */
  get rounds(): number {
    return this.#rounds;
  }

  /** How many losses were above the cap. */
  get beyondCap(): number {
    return this.#beyondCap;
  }

  /** How many losses were below the floor. */
  get beyondFloor(): number {
    return this.#beyondFloor;
  }

  /** The sum of what lies beyond the cap and the floor. */
  get excess(): number {
    return this.#excess;
  }

  /** The mean of the losses, each between floor and cap, without the missing ones; NaN if there are none. */
  get mean(): number {
    return this.floor + (this.cap - this.floor) * ((this.atLeast.sum - this.#missing) / this.#count);
  }

  /** Takes in one loss. It throws, with nothing changed, if the loss is not a number, or has a sign that the limits exclude. */
  add(loss: number): void {
    const { cap, floor } = this;
    if (!(typeof loss === "number" && loss >= floor && loss <= cap)) this.#countBeyond(loss);
    const x = loss > cap ? cap : loss < floor ? floor : loss;
    this.atLeast.add((x - floor) / (cap - floor));
    this.atMost.add((cap - x) / (cap - floor));
    this.#count++;
    this.#rounds++;
  }

  #countBeyond(loss: number): void {
    const { cap, floor } = this;
    if (!(typeof loss === "number" && Math.abs(loss) <= LARGEST_LOSS)) {
      throw new TsallisError("ERR_LOSS", "loss", loss, `loss must be a number of size at most 1e300, got ${show(loss)}`);
    }
    const above = loss > cap;
    if ((above ? cap : floor) === 0) {
      const remedy = above
        ? `with cap: ${-floor} losses count from ${floor} to ${-floor}`
        : `with floor: ${-cap} losses count from ${-cap} to the cap`;
      throw new TsallisError("ERR_LOSS", "loss", loss, `loss ${show(loss)} is ${above ? "above the cap" : "below the floor"} 0; ${remedy}`);
    }
    if (above) this.#beyondCap++;
    else this.#beyondFloor++;
    this.#excess = Math.min(Number.MAX_VALUE, this.#excess + (above ? loss - cap : floor - loss));
  }

  /** A decision without feedback: its loss may be anything from the floor to the cap, and the answers hold whichever it is. */
  addMissing(): void {
    this.atLeast.add(1);
    this.atMost.add(1);
    this.#missing++;
    this.#rounds++;
  }

  /** Counts rounds that were not drawn into the stream; only with a share below 1. */
  skip(rounds = 1): void {
    if (!(this.share < 1)) throw new TsallisError("ERR_PARAMETER", "share", this.share, `share must be below 1 to skip rounds, got ${this.share}`);
    if (!(Number.isSafeInteger(rounds) && rounds >= 0)) {
      throw new TsallisError("ERR_PARAMETER", "rounds", rounds, `rounds must be an integer of at least 0, got ${show(rounds)}`);
    }
    this.atLeast.skip(rounds);
    this.atMost.skip(rounds);
    this.#rounds += rounds;
  }

  /** An interval that contains the mean of the capped losses at all times, with a probability of at least 1 - error. */
  interval(error = 0.05): Interval {
    return this.intervalAt(logOf(2, error), logOf(2, error));
  }

  /** The interval with its own threshold for each end. @internal */
  intervalAt(lowThreshold: number, highThreshold: number): Interval {
    const range = this.cap - this.floor;
    return ordered(this.cap - range * this.atMost.wealth.end(lowThreshold), this.floor + range * this.atLeast.wealth.end(highThreshold));
  }

  /** The evidence against "the mean is at least `mean`": if it is, this ever exceeds log(1 / error) with a probability of at most error. */
  evidenceBelow(mean: number): number {
    return this.atLeast.wealth.at((requireMean(mean) - this.floor) / (this.cap - this.floor)).value;
  }

  /** The evidence against "the mean is at most `mean`", likewise. */
  evidenceAbove(mean: number): number {
    return this.atMost.wealth.at((this.cap - requireMean(mean)) / (this.cap - this.floor)).value;
  }

  /** Its whole state as JSON. */
  snapshot(): MeanEvidenceSnapshot {
    return {
      version: EVIDENCE_SNAPSHOT_VERSION,
      cap: this.cap,
      floor: this.floor,
      share: this.share,
      count: this.#count,
      missing: this.#missing,
      beyondCap: this.#beyondCap,
      beyondFloor: this.#beyondFloor,
      excess: this.#excess,
      atLeast: this.atLeast.snapshot(),
      atMost: this.atMost.snapshot(),
    };
  }

  /** The evidence that wrote the snapshot, with the same future bit for bit. */
  static restore(snapshot: MeanEvidenceSnapshot): MeanEvidence {
    requireSnapshot(snapshot);
    const { version: _, cap, floor, share, count, missing, beyondCap, beyondFloor, excess, atLeast, atMost } = snapshot;
    const evidence = fromSnapshot(() => new MeanEvidence({ cap, floor, share }));
    requireCounts({ count, missing, beyondCap, beyondFloor });
    requireNumbers([excess], "excess", 1, 0, Number.MAX_VALUE);
    evidence.atLeast.load(atLeast, "atLeast");
    evidence.atMost.load(atMost, "atMost");
    evidence.#count = count;
    evidence.#missing = missing;
    evidence.#rounds = atLeast.rounds + atLeast.waiting;
    evidence.#beyondCap = beyondCap;
    evidence.#beyondFloor = beyondFloor;
    evidence.#excess = excess;
    return evidence;
  }
}

function requireMean(mean: unknown): number {
  if (Number.isFinite(mean)) return mean as number;
  throw new TsallisError("ERR_PARAMETER", "mean", mean, `mean must be a finite number, got ${show(mean)}`);
}

/** log(parts / error), the threshold of one of several statements that share an error. */
export function logOf(parts: number, error: number): number {
  if (!(typeof error === "number" && error > 0 && error < 1)) {
    throw new TsallisError("ERR_PARAMETER", "error", error, `error must be above 0 and below 1, got ${show(error)}`);
  }
  return log(parts / error);
}

/** The interval; where the average over all rounds is asked for, its ends may cross, and both are then in it. */
export function ordered(low: number, high: number): Interval {
  return { low: Math.min(low, high), high: Math.max(low, high) };
}
