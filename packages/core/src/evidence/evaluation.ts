import { show, TsallisError } from "../errors.js";
import { completeOptions, type Parameters, requireKeys } from "../parameters.js";
import { requireArm } from "../requireArm.js";
import type { Interval } from "../statistics/interval.js";
import { differenceInterval, mixInterval } from "./intervals.js";
import { LIMITS, MeanEvidence, type MeanEvidenceSnapshot } from "./meanEvidence.js";
import { EVIDENCE_SNAPSHOT_VERSION, fromSnapshot, requireCounts, requireSnapshot } from "./snapshotFields.js";
import { type Race, raceOf } from "./verdict.js";

/** What an evaluation is about. */
export interface EvaluationOptions {
  readonly arms: number;
  /** The largest and the smallest loss that matter, as for `MeanEvidence`. */
  readonly cap: number;
  readonly floor?: number;
  /** The share of decisions in a holdout, whose arms are drawn uniformly at random whatever was learned; 0, the default, if there is none. Its size matters only with `moving`. */
  readonly holdout?: number;
  /** Whether the arms may change over time. Arms are then compared by the holdout alone, and answers are about averages over all rounds. */
  readonly moving?: boolean;
}

/** A decision with its loss, or null if there was no feedback. */
export interface Outcome {
  readonly arm: number;
  readonly loss: number | null;
  /** Whether it belongs to the holdout; false by default. */
  readonly holdout?: boolean;
}

/** What a missing loss counts as: anything from floor to cap, so that answers hold however they came to be missing; or nothing, if the missing are like the rest. */
export type Missing = "range" | "out";

/** May I stop? The answer, and how far it is. */
export interface Verdict extends Race {
  /** The arm that would be best if the missing losses were like the rest; `best` holds without that. */
  readonly bestIfMissingAlike: number | null;
  /** Whether the arms are compared by all plays, or by those of the holdout. */
  readonly source: "all plays" | "holdout";
}

/** The state of an Evaluation, JSON-safe. */
export interface EvaluationSnapshot {
  readonly version: number;
  readonly arms: number;
  readonly cap: number;
  readonly floor: number;
  readonly holdout: number;
  readonly moving: boolean;
  readonly rounds: number;
  /** The streams of the arms, the policy and the holdout: with missing losses as a range, and without them if that differs. */
  readonly streams: readonly { readonly range: MeanEvidenceSnapshot; readonly out?: MeanEvidenceSnapshot }[];
}

const OPTIONS = {
  arms: { type: "integer", atLeast: 1, atMost: 16_777_216, description: "the number of arms" },
  ...LIMITS,
  holdout: { type: "number", atLeast: 0, atMost: 1, default: 0, description: "the share of decisions in the holdout" },
} as const satisfies Parameters;

/** A stream twice: with missing losses as a range, and without them. It is one until the first is missing. */
interface Twin {
  range: MeanEvidence;
  out: MeanEvidence;
}

/**
 * Answers from logged decisions: what each arm costs, what the policy saves against uniform play, which arm is best, and whether one may stop. All of them hold at all
 * times at once. Decisions are added in their order, which is not that of their feedback: see `DecisionOrder`.
 *
 * Assumption: each arm's losses have one mean, given what came before; with `moving`, that of the holdout alone: its decisions are drawn at random with that share, and
 * their arms uniformly.
 *
 * @example
 * ```ts
 * import { Evaluation } from "tsallis/evidence";
 *
 * const evaluation = new Evaluation({ arms: 2, cap: 20 });
 * for (let i = 0; i < 600; i++) evaluation.add({ arm: i % 2, loss: i % 2 === 0 ? i % 5 : i % 9 });
 * const { best, evidence, needed } = evaluation.verdict();
 * console.log(best, evidence[1].toFixed(1), needed.toFixed(1)); // 0 22.5 3.0
 * ```
 */
export class Evaluation {
  readonly arms: number;
  readonly cap: number;
  readonly floor: number;
  readonly holdoutShare: number;
  readonly moving: boolean;
  #rounds = 0;
  /** The arms, then the policy, then the holdout. */
  readonly #streams: Twin[];

  constructor(options: EvaluationOptions) {
    const { moving = false, ...others } = options;
    if (typeof moving !== "boolean") throw new TsallisError("ERR_PARAMETER", "moving", moving, `moving must be true or false, got ${show(moving)}`);
    const { arms, cap, floor, holdout } = completeOptions(OPTIONS, others);
    if (moving && !(holdout > 0 && holdout < 1)) {
      const message = `holdout must be above 0 and below 1 with moving, got ${holdout}; arms that change are compared by a holdout only`;
      throw new TsallisError("ERR_PARAMETER", "holdout", holdout, message);
    }
    this.arms = arms;
    this.cap = cap;
    this.floor = floor;
    this.holdoutShare = holdout;
    this.moving = moving;
    this.#streams = Array.from({ length: arms + 2 }, (_, i) => {
      const share = i < arms ? holdout / arms : i === arms ? 1 - holdout : holdout;
      const range = new MeanEvidence({ cap, floor, ...(moving && { share }) });
      return { range, out: range };
    });
  }

  /** The number of decisions. */
  get rounds(): number {
    return this.#rounds;
  }

  /** Takes in the next decision. It throws, with nothing changed, if an entry is broken. */
  add({ arm, loss, holdout = false }: Outcome): void {
    requireArm(arm, this.arms);
    if (holdout && this.holdoutShare === 0) {
      const message = "holdout must be false where the share of the holdout is 0, got true; give its share as `holdout` in the options";
      throw new TsallisError("ERR_PARAMETER", "holdout", holdout, message);
    }
    this.#addTo(this.#streams[holdout ? this.arms + 1 : this.arms]!, loss);
    if (holdout || !this.moving) this.#addTo(this.#streams[arm]!, loss);
    this.#rounds++;
  }

  #addTo(twin: Twin, loss: number | null): void {
    const { range } = twin;
    if (loss !== null) {
      if (this.moving) this.#catchUp(range);
      range.add(loss);
      if (twin.out !== range) twin.out.add(loss);
      return;
    }
    if (this.moving) this.#catchUp(range);
    else if (twin.out === range) twin.out = MeanEvidence.restore(range.snapshot());
    range.addMissing();
  }

  /** Counts the rounds that were not drawn into the stream since it was last used. */
  #catchUp(stream: MeanEvidence): void {
    const rounds = this.#rounds - stream.rounds;
    if (rounds > 0) stream.skip(rounds);
  }

  #stream(i: number, missing: Missing): MeanEvidence {
    if (missing !== "range" && missing !== "out") {
      throw new TsallisError("ERR_PARAMETER", "missing", missing, `missing must be one of range, out, got ${show(missing)}`, ["range", "out"]);
    }
    if (this.moving && missing === "out") {
      throw new TsallisError("ERR_PARAMETER", "missing", missing, 'missing must be range with moving, got "out"', ["range"]);
    }
    const { range, out } = this.#streams[i]!;
    if (this.moving) this.#catchUp(range);
    return missing === "range" ? range : out;
  }

  /** The evidence on an arm: of all its plays, or with `moving` of those of the holdout. It goes on with the evaluation; do not add to it. */
  arm(arm: number, missing: Missing = "range"): MeanEvidence {
    requireArm(arm, this.arms);
    return this.#stream(arm, missing);
  }

  /** The evidence on the policy: of all decisions outside the holdout. */
  policy(missing: Missing = "range"): MeanEvidence {
    return this.#stream(this.arms, missing);
  }

  /** The evidence on the holdout, and so on uniform play. */
  holdout(missing: Missing = "range"): MeanEvidence {
    return this.#stream(this.arms + 1, missing);
  }

  /** What uniform play costs: by the holdout with `moving`, or else by the evidence on all arms. */
  uniform(error = 0.05, missing: Missing = "range"): Interval {
    if (this.moving) return this.holdout(missing).interval(error);
    return mixInterval(this.#all(missing), new Array<number>(this.arms).fill(1 / this.arms), error);
  }

  /**
   * What a decision of the policy costs less than one of uniform play: by the holdout if there is one, or else by all arms, as two intervals of half the error each, because both
   * are computed from the same losses.
   */
  savings(error = 0.05, missing: Missing = "range"): Interval {
    if (this.holdoutShare > 0) return differenceInterval(this.holdout(missing), this.policy(missing), error);
    const uniform = this.uniform(error / 2, missing);
    const policy = this.policy(missing).interval(error / 2);
    return { low: uniform.low - policy.high, high: uniform.high - policy.low };
  }

  /**
   * Which arm is best, and which are still in the race. With a probability of at least 1 - error, the best arm is never out. With a tolerance, the arm that is
   * named may be worse than the best by that much.
   */
  verdict(options: { readonly error?: number; readonly tolerance?: number } = {}): Verdict {
    requireKeys({ ...options }, ["error", "tolerance"]);
    const { error = 0.05, tolerance = 0 } = options;
    if (!(tolerance >= 0 && tolerance < Infinity)) {
      throw new TsallisError("ERR_PARAMETER", "tolerance", tolerance, `tolerance must be a finite number of at least 0, got ${show(tolerance)}`);
    }
    const race = raceOf(this.#all("range"), error, tolerance);
    const differs = !this.moving && this.#streams.some(({ range, out }) => range !== out);
    const bestIfMissingAlike = race.best === null && differs ? raceOf(this.#all("out"), error, tolerance).best : race.best;
    return { ...race, bestIfMissingAlike, source: this.moving ? "holdout" : "all plays" };
  }

  #all(missing: Missing): MeanEvidence[] {
    return Array.from({ length: this.arms }, (_, arm) => this.#stream(arm, missing));
  }

  /** Its whole state as JSON. */
  snapshot(): EvaluationSnapshot {
    return {
      version: EVIDENCE_SNAPSHOT_VERSION,
      arms: this.arms,
      cap: this.cap,
      floor: this.floor,
      holdout: this.holdoutShare,
      moving: this.moving,
      rounds: this.#rounds,
      streams: this.#streams.map(({ range, out }) => ({ range: range.snapshot(), ...(out !== range && { out: out.snapshot() }) })),
    };
  }

  /** The evaluation that wrote the snapshot, with the same future bit for bit. */
  static restore(snapshot: EvaluationSnapshot): Evaluation {
    requireSnapshot(snapshot);
    const { version: _, rounds, streams, ...options } = snapshot;
    const evaluation = fromSnapshot(() => new Evaluation(options));
    requireCounts({ rounds });
    if (!(Array.isArray(streams) && streams.length === evaluation.#streams.length)) {
      const message = `streams must be a list of ${evaluation.#streams.length}, got ${show(streams)}`;
      throw new TsallisError("ERR_SNAPSHOT", "streams", streams, message);
    }
    for (const [i, twin] of evaluation.#streams.entries()) {
      twin.range = restored(streams[i]!.range, twin.range, `streams[${i}].range`);
      twin.out = streams[i]!.out === undefined ? twin.range : restored(streams[i]!.out, twin.out, `streams[${i}].out`);
    }
    evaluation.#rounds = rounds;
    return evaluation;
  }
}

/** A stream of the same limits as a fresh one. */
function restored(snapshot: MeanEvidenceSnapshot, { cap, floor, share }: MeanEvidence, name: string): MeanEvidence {
  const stream = MeanEvidence.restore(snapshot);
  if (stream.cap === cap && stream.floor === floor && stream.share === share) return stream;
  throw new TsallisError(
    "ERR_SNAPSHOT",
    name,
    snapshot,
    `${name} must have the cap, the floor and the share of its evaluation, got ${show(snapshot)}`,
  );
}
