import { Evaluation, type EvaluationSnapshot } from "tsallis/evidence";

/** What a claim is about: so many arms, and losses of which each counts from floor to cap. */
export interface ClaimLimits {
  readonly arms: number;
  readonly cap: number;
  readonly floor: number;
}

/** What came of a decision. Null: there was no feedback. */
interface Outcome {
  readonly arm: number;
  readonly loss: number | null;
  readonly holdout: boolean;
}

/** The same decisions twice: if the arms hold still, and if they change, where only the holdout can compare them. */
export interface Evaluations {
  readonly still: Evaluation;
  /** Null without a holdout. */
  moving: Evaluation | null;
}

export interface ClaimSnapshot {
  /** The decisions of all segments together, then those of single ones. */
  readonly evaluations: readonly { readonly segment: string; readonly still: EvaluationSnapshot; readonly moving: EvaluationSnapshot | null }[];
}

/** The streams of all evaluations together: each takes some kilobytes of every snapshot. */
const MOST_STREAMS = 300;
/** The evaluation of arms that hold still does not depend on the size of the holdout. */
const ANY_SHARE = 0.5;
/** Of all segments together. The default segment has no name, and is not evaluated by itself. */
const ALL = "";

/** Outcomes that are counted at once: one by one, with many bandits, each takes several times as long, since nothing it needs is in the processor's cache. */
const AT_ONCE = 64;
const HOLDOUT = 1;
const DRAWN = 2;

/** One claim: a fixed set of arms and a fixed cap. Another one begins with nothing. */
export class Claim {
  readonly limits: ClaimLimits;
  readonly #evaluations = new Map<string, Evaluations>();
  #holdout: number;
  /** Outcomes that wait to be counted. A missing loss is NaN. */
  #waiting = 0;
  readonly #arms = new Uint8Array(AT_ONCE);
  readonly #losses = new Float64Array(AT_ONCE);
  readonly #flags = new Uint8Array(AT_ONCE);
  readonly #segments: string[] = [];

  constructor(limits: ClaimLimits, holdout: number) {
    this.limits = limits;
    this.#holdout = holdout;
    this.#evaluations.set(ALL, this.#fresh());
  }

  #fresh(): Evaluations {
    return { still: new Evaluation({ ...this.limits, holdout: ANY_SHARE }), moving: this.#freshMoving() };
  }

  #freshMoving(): Evaluation | null {
    return this.#holdout > 0 ? new Evaluation({ ...this.limits, holdout: this.#holdout, moving: true }) : null;
  }

  /** All segments together. */
  get all(): Evaluations {
    this.#count();
    return this.#evaluations.get(ALL)!;
  }

  /** Undefined if nothing of the segment is settled, or there are more segments than are evaluated. */
  segment(name: string): Evaluations | undefined {
    this.#count();
    return this.#evaluations.get(name);
  }

  /** How many segments are evaluated at most. */
  get mostSegments(): number {
    return Math.max(0, Math.floor(MOST_STREAMS / (this.limits.arms + 2)) - 1);
  }

  /** `drawn`: whether the holdout had its present share when the decision was made. */
  add({ arm, loss, holdout }: Outcome, segment: string, drawn: boolean): void {
    const place = this.#waiting++;
    this.#arms[place] = arm;
    this.#losses[place] = loss ?? Number.NaN;
    this.#flags[place] = (holdout ? HOLDOUT : 0) | (drawn ? DRAWN : 0);
    this.#segments[place] = segment;
    if (this.#waiting === AT_ONCE) this.#count();
  }

  #count(): void {
    for (let i = 0; i < this.#waiting; i++) {
      const loss = this.#losses[i]!;
      const flags = this.#flags[i]!;
      const outcome = { arm: this.#arms[i]!, loss: Number.isNaN(loss) ? null : loss, holdout: (flags & HOLDOUT) !== 0 };
      const drawn = (flags & DRAWN) !== 0;
      addTo(this.#evaluations.get(ALL)!, outcome, drawn);
      const own = this.#of(this.#segments[i]!);
      if (own !== undefined) addTo(own, outcome, drawn);
    }
    this.#waiting = 0;
  }

  /** The evaluation of a segment, which begins here if there is room. */
  #of(segment: string): Evaluations | undefined {
    if (segment === ALL) return undefined;
    const known = this.#evaluations.get(segment);
    if (known !== undefined || this.#evaluations.size > this.mostSegments) return known;
    const own = this.#fresh();
    this.#evaluations.set(segment, own);
    return own;
  }

  /** The share of the holdout changes: what depends on it begins again. */
  resize(holdout: number): void {
    this.#count();
    this.#holdout = holdout;
    for (const each of this.#evaluations.values()) each.moving = this.#freshMoving();
  }

  snapshot(): ClaimSnapshot {
    this.#count();
    const evaluations = [...this.#evaluations].map(([segment, { still, moving }]) => ({
      segment,
      still: still.snapshot(),
      moving: moving === null ? null : caughtUp(moving).snapshot(),
    }));
    return { evaluations };
  }

  static restore(limits: ClaimLimits, holdout: number, { evaluations }: ClaimSnapshot): Claim {
    const claim = new Claim(limits, holdout);
    for (const { segment, still, moving } of evaluations) {
      claim.#evaluations.set(segment, { still: Evaluation.restore(still), moving: moving === null ? null : Evaluation.restore(moving) });
    }
    return claim;
  }
}

function addTo({ still, moving }: Evaluations, outcome: Outcome, drawn: boolean): void {
  still.add(outcome);
  if (drawn) moving?.add(outcome);
}

/** Streams count the rounds that passed them by when they are looked at. A snapshot must not depend on who looked. */
function caughtUp(moving: Evaluation): Evaluation {
  for (let arm = 0; arm < moving.arms; arm++) moving.arm(arm);
  moving.policy();
  moving.holdout();
  return moving;
}
