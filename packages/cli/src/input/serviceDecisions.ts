import type { LogEvaluation, LogEvaluationOptions } from "@tsallis/lab/evaluation";
import type { LogEvent, LoggedBandit } from "@tsallis/service";
import { DecisionOrder } from "tsallis/evidence";
import { Failure } from "../text/failure.js";
import { MOST_SEGMENTS, tooManySegments } from "./decisionFile.js";

type DecisionEvent = Extract<LogEvent, { kind: "decision" }>;
type ChangeEvent = Extract<LogEvent, { kind: "change" }>;

export interface ServiceDecisionsOptions {
  /** Undefined if the bandit's document says it. */
  readonly cap: number | undefined;
  readonly floor: number;
  readonly moving: boolean;
  readonly maxOpen: number;
  /** Only this segment; undefined for all. */
  readonly segment: string | undefined;
  /** What else the evaluations of the segments are made with. */
  readonly others: Pick<LogEvaluationOptions, "error" | "tolerance" | "history">;
  readonly keepsLosses: boolean;
}

/** What a decision is, while it waits for its turn. */
interface Waiting {
  readonly arm: number;
  readonly holdout: boolean;
  readonly at: number;
}

/** The evidence of a segment. */
export interface SegmentEvidence {
  /** Made when it is known whether the log has losses or rewards. */
  evaluation: LogEvaluation | undefined;
  readonly order: DecisionOrder<Waiting>;
  /** By arm, if they are kept. */
  readonly losses: number[][];
  /** When the last settled decision was made. */
  settledUpTo: number | null;
  late: number;
}

/** The log of one bandit of a service, folded in the order of its decisions. A change of the arms or the cap begins a new claim, which counts from there on. */
export class ServiceDecisions {
  readonly segments = new Map<string, SegmentEvidence>();
  /** Decisions before the last change of the arms or the cap. */
  earlier = 0;
  decisions = 0;
  /** What the feedback is, once there is some. */
  unit: "loss" | "reward" | undefined;
  #arms: { readonly name: string; readonly number: number }[];
  /** The places of the arms, by their numbers. */
  #places = new Map<number, number>();
  #cap: number | undefined;
  #holdout: number;

  constructor(
    readonly bandit: LoggedBandit,
    readonly options: ServiceDecisionsOptions,
    readonly make: (options: LogEvaluationOptions) => LogEvaluation,
  ) {
    const { arms, cap, holdout } = bandit.document as { arms: string[]; cap?: number | null; holdout: number };
    this.#arms = arms.map((name, number) => ({ name, number }));
    this.#place();
    this.#cap = options.cap ?? cap ?? undefined;
    this.#holdout = holdout;
  }

  get arms(): readonly string[] {
    return this.#arms.map(({ name }) => name);
  }

  take(event: LogEvent): void {
    if (event.kind === "decision") this.#decided(event);
    else if (event.kind === "feedback" || event.kind === "expiry") this.#ended(event);
    else if (event.kind === "change") this.#changed(event);
    else if (event.kind === "late") this.#late(event.segment);
  }

  #late(name: string): void {
    const segment = this.segments.get(name);
    if (segment !== undefined) segment.late++;
  }

  #decided({ segment: name, decision, number, holdout, at }: DecisionEvent): void {
    if (this.#cap === undefined) {
      this.earlier++;
      return;
    }
    const { segment: wanted } = this.options;
    if (wanted !== undefined && name !== wanted) return;
    let segment = this.segments.get(name);
    if (segment === undefined) {
      if (this.segments.size === MOST_SEGMENTS) throw tooManySegments();
      if (this.options.moving && this.#holdout === 0) throw withoutHoldout();
      const order = new DecisionOrder<Waiting>({ maxWaiting: this.options.maxOpen });
      segment = { evaluation: undefined, order, losses: this.#arms.map(() => []), settledUpTo: null, late: 0 };
      this.segments.set(name, segment);
    }
    segment.order.decided(decision, { arm: this.#places.get(number)!, holdout, at });
    this.decisions++;
  }

  #ended(event: Extract<LogEvent, { kind: "feedback" | "expiry" }>): void {
    const segment = this.segments.get(event.segment);
    if (segment === undefined) return;
    const { seq, loss } = event;
    if (event.kind === "feedback") this.#requireUnit(event.reward === true ? "reward" : "loss", seq);
    if (loss !== null) this.#requireLimits(loss, seq);
    segment.order.ended(event.decision, loss);
    if (this.unit !== undefined) this.#settle(segment);
  }

  /** After the last event. */
  end(): void {
    if (this.#cap === undefined) throw withoutCap();
    this.unit ??= "loss";
    for (const segment of this.segments.values()) this.#settle(segment);
  }

  #settle(segment: SegmentEvidence): void {
    segment.evaluation ??= this.#evaluation();
    const { evaluation } = segment;
    for (const { item, loss } of segment.order.settled()) {
      evaluation.add({ arm: item.arm, loss, holdout: item.holdout });
      if (this.options.keepsLosses && loss !== null) segment.losses[item.arm]!.push(loss);
      segment.settledUpTo = item.at;
    }
  }

  #evaluation(): LogEvaluation {
    const { floor, moving, others } = this.options;
    const [cap, least] = this.unit === "reward" ? [0 - floor, -this.#cap!] : [this.#cap!, floor];
    return this.make({ ...others, arms: this.arms, cap, floor: least, holdout: this.#holdout, moving });
  }

  #requireUnit(unit: "loss" | "reward", seq: number): void {
    this.unit ??= unit;
    if (this.unit !== unit)
      throw new Failure("ERR_DATA", `a ${unit}, and feedback before it was a ${this.unit}; a log has one of them`, `event ${seq}`);
  }

  #requireLimits(loss: number, seq: number): void {
    const { floor } = this.options;
    const value = this.unit === "reward" ? 0 - loss : loss;
    if (value >= 0 || floor < 0) return;
    const unit = this.unit ?? "loss";
    const message = `${unit} ${value} is below the floor 0; with --floor -${this.#cap} ${unit === "loss" ? "losses" : "rewards"} count from -${this.#cap} to the cap`;
    throw new Failure("ERR_LOSS", message, `event ${seq}`);
  }

  #changed(event: ChangeEvent): void {
    const { arms, holdout } = event;
    const { cap } = event as { cap?: number | null };
    if (holdout !== undefined && holdout !== this.#holdout) {
      // Its share counts only in a moving world; elsewhere it only says that there is one.
      if (this.options.moving || (this.#holdout === 0) !== (holdout === 0)) this.#begin();
      this.#holdout = holdout;
    }
    if (arms !== undefined) {
      this.#begin();
      this.#arms = [...arms];
      this.#place();
    }
    if (cap !== undefined && this.options.cap === undefined && cap !== this.#cap) {
      this.#begin();
      this.#cap = cap ?? undefined;
    }
  }

  #place(): void {
    this.#places = new Map(this.#arms.map(({ number }, place) => [number, place]));
  }

  /** A new claim. */
  #begin(): void {
    this.segments.clear();
    this.earlier += this.decisions;
    this.decisions = 0;
  }
}

/** The error for a log without a cap. */
export function withoutCap(): Failure {
  return new Failure("ERR_MISSING", "give the largest loss that matters; no interval for a mean is valid without it", "--cap");
}

/** The error for a moving world without a holdout. */
export function withoutHoldout(): Failure {
  return new Failure("ERR_DATA", "arms that change are compared by a holdout only; this log has none", "--moving");
}
