import { type Choice, createPolicy, isSkipped, type Policy, type PolicySpec, restorePolicy, stream, TsallisError, Xoshiro128 } from "tsallis";

export interface PlainDocument {
  readonly arms: readonly string[];
  readonly policy: PolicySpec;
  readonly seed: number;
  readonly windowSeconds: number;
  readonly expired: "ignore" | number;
  readonly holdout: number;
  readonly cap?: number | null;
  readonly direction?: "loss" | "reward";
}

export interface PlainChange {
  readonly arms?: readonly string[];
  readonly windowSeconds?: number;
  readonly expired?: "ignore" | number;
  readonly holdout?: number;
  readonly cap?: number | null;
  readonly state?: "running" | "paused" | "archived";
}

/** A line of the log without its place and its hash. */
export interface PlainEvent {
  readonly kind: string;
  readonly at: number;
  readonly decision?: string;
  readonly segment?: string;
  readonly [field: string]: unknown;
}

interface Arm {
  readonly name: string;
  readonly number: number;
  decisions: number;
  answered: number;
  expired: number;
  skipped: number;
}

interface Made {
  readonly event: PlainEvent;
  readonly segment: string;
  readonly number: number;
  readonly holdout: boolean;
  readonly expires: number;
  /** As the policy would take it back now; null if it is of the holdout, or its arm is gone. */
  choice: Choice | null;
  ended: boolean;
  /** The loss that somebody gave, in time or late. */
  told: number | null;
}

interface Segment {
  policy: Policy;
  rng: Xoshiro128;
  holdoutRng: Xoshiro128;
  probabilitiesAt: number;
}

/** What a request is refused with. */
export class Refused extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/**
 * What a bandit is, said once more and as plainly as can be: one policy of the library per segment, asked and told in the order of the log. It keeps everything,
 * loads nothing, and shares no line with the service.
 */
export class PlainLoop {
  readonly log: PlainEvent[] = [];
  readonly decisions = new Map<string, Made>();
  readonly segments = new Map<string, Segment>();
  arms: Arm[];
  status: "running" | "paused" | "archived" = "running";
  #windowSeconds: number;
  #expired: "ignore" | number;
  #holdout: number;
  #cap: number | null;
  #nextNumber: number;
  readonly #counted = { decisions: 0, holdout: 0, answered: 0, expired: 0, late: 0, retired: 0, skipped: 0, rewards: 0 };

  constructor(
    readonly document: PlainDocument,
    readonly maxOpen: number,
  ) {
    this.arms = document.arms.map(newArm);
    this.#nextNumber = this.arms.length;
    this.#windowSeconds = document.windowSeconds;
    this.#expired = plain(document.expired);
    this.#holdout = document.holdout;
    this.#cap = document.cap ?? null;
    this.segments.set("", this.#fresh(""));
  }

  #fresh(segment: string): Segment {
    const { policy, seed } = this.document;
    return {
      policy: createPolicy(policy, this.arms.length),
      rng: stream(seed, "segment", segment),
      holdoutRng: stream(seed, "holdout", segment),
      probabilitiesAt: 0,
    };
  }

  get open(): string[] {
    return [...this.decisions].filter(([, { ended }]) => !ended).map(([id]) => id);
  }

  due(at: number): string[] {
    return this.status === "archived" ? [] : this.open.filter((id) => this.decisions.get(id)!.expires <= at);
  }

  get counters() {
    return { ...this.#counted, open: this.open.length };
  }

  /** The probabilities of the next decision of a segment; null if the policy has none. */
  probabilities(segment: string): number[] | null {
    const probabilities = restorePolicy(this.segments.get(segment)!.policy.snapshot()).probabilities();
    return probabilities === null ? null : [...probabilities];
  }

  decide(id: string, segment: string, at: number): { readonly decision: PlainEvent; readonly repeated: boolean } {
    const known = this.decisions.get(id);
    if (known !== undefined) {
      if (known.segment !== segment) throw new Refused("ERR_SEGMENT_DIFFERS");
      return { decision: known.event, repeated: true };
    }
    if (this.status !== "running") throw new Refused(this.status === "paused" ? "ERR_PAUSED" : "ERR_ARCHIVED");
    if (this.open.length >= this.maxOpen) throw new Refused("ERR_OPEN_LIMIT");
    const one = this.segments.get(segment) ?? this.#fresh(segment);
    const drawn = this.#draw(one, at);
    this.segments.set(segment, one);
    const { name, number } = this.arms[drawn.place]!;
    const expires = at + this.#windowSeconds * 1000;
    const event = this.#write({ kind: "decision", at, decision: id, segment, arm: name, number, ...drawn.fields, expires });
    this.decisions.set(id, {
      event,
      segment,
      number,
      holdout: drawn.choice === null,
      expires,
      choice: drawn.choice,
      ended: false,
      told: null,
    });
    this.#counted.decisions++;
    if (drawn.choice === null) this.#counted.holdout++;
    this.arms[drawn.place]!.decisions++;
    return { decision: event, repeated: false };
  }

  /** A decision that the policy refuses leaves everything as it was. */
  #draw(one: Segment, at: number): { place: number; choice: Choice | null; fields: Record<string, unknown> } {
    const before = [one.rng.state(), one.holdoutRng.state()] as const;
    const arms = this.arms.length;
    if (this.#holdout > 0 && one.holdoutRng.uniform() < this.#holdout) {
      const place = Math.floor(one.holdoutRng.uniform() * arms);
      return { place, choice: null, fields: { round: null, probability: 1 / arms, threshold: null, holdout: true } };
    }
    const probabilities = arms <= 20 && at - one.probabilitiesAt >= 10_000 ? restorePolicy(one.policy.snapshot()).probabilities() : null;
    let choice: Choice;
    try {
      choice = one.policy.choose(one.rng);
    } catch (error) {
      [one.rng, one.holdoutRng] = [new Xoshiro128(before[0]), new Xoshiro128(before[1])];
      throw error;
    }
    if (probabilities !== null) one.probabilitiesAt = at;
    const { arm: place, round, probability, threshold } = choice;
    return {
      place,
      choice,
      fields: { round, probability, threshold, holdout: false, ...(probabilities === null ? {} : { probabilities: [...probabilities] }) },
    };
  }

  feedback(
    id: string,
    given: { readonly loss?: number; readonly reward?: number },
    at: number,
  ): { readonly status: string; readonly skipped?: true } {
    const loss = plain(given.reward === undefined ? given.loss! : 0 - given.reward);
    const reward = given.reward === undefined ? {} : { reward: true };
    if (this.status === "archived") throw new Refused("ERR_ARCHIVED");
    const made = this.decisions.get(id);
    if (made === undefined) throw new Refused("ERR_UNKNOWN_DECISION");
    this.expire(id, at);
    if (made.ended) {
      if (made.told !== null) {
        if (made.told !== loss) throw new Refused("ERR_FEEDBACK_DIFFERS");
        return { status: "repeated" };
      }
      made.told = loss;
      this.#write({ kind: "late", at, decision: id, segment: made.segment, loss, ...reward });
      this.#counted.late++;
      if (given.reward !== undefined) this.#counted.rewards++;
      return { status: "late" };
    }
    const status = made.holdout ? "recorded" : made.choice === null ? "retired" : "applied";
    if (made.choice !== null) this.segments.get(made.segment)!.policy.update(made.choice, loss);
    made.ended = true;
    made.told = loss;
    this.#write({ kind: "feedback", at, decision: id, segment: made.segment, loss, status, ...reward });
    const skipped = made.choice !== null && isSkipped(made.choice, loss);
    this.#counted.answered++;
    if (status === "retired") this.#counted.retired++;
    if (given.reward !== undefined) this.#counted.rewards++;
    if (skipped) this.#counted.skipped++;
    const arm = this.arms.find(({ number }) => number === made.number);
    if (arm !== undefined) arm.answered++;
    if (arm !== undefined && skipped) arm.skipped++;
    return { status, ...(skipped ? { skipped } : {}) };
  }

  /** Ends a decision whose window is over. */
  expire(id: string, at: number): void {
    const made = this.decisions.get(id)!;
    if (made.ended || made.expires > at || this.status === "archived") return;
    let loss: number | null = made.holdout && this.#expired !== "ignore" ? this.#expired : null;
    if (this.#expired !== "ignore" && made.choice !== null) {
      try {
        this.segments.get(made.segment)!.policy.update(made.choice, this.#expired);
        loss = this.#expired;
      } catch (error) {
        if (!(error instanceof TsallisError)) throw error;
      }
    }
    made.ended = true;
    this.#write({ kind: "expiry", at, decision: id, segment: made.segment, loss });
    this.#counted.expired++;
    const arm = this.arms.find(({ number }) => number === made.number);
    if (arm !== undefined) arm.expired++;
  }

  /** What is as it was is not written. */
  change({ arms, windowSeconds, expired, holdout, cap, state }: PlainChange, at: number): void {
    const isOther = arms !== undefined && arms.join() !== this.arms.map(({ name }) => name).join();
    const told = {
      ...(windowSeconds !== undefined && windowSeconds !== this.#windowSeconds && { windowSeconds }),
      ...(expired !== undefined && expired !== this.#expired && { expired: plain(expired) }),
      ...(holdout !== undefined && holdout !== this.#holdout && { holdout }),
      ...(cap !== undefined && cap !== this.#cap && { cap }),
      ...(state !== undefined && state !== this.status && { state }),
    };
    if (!isOther && Object.keys(told).length === 0) return;
    if (this.status === "archived") throw new Refused("ERR_ARCHIVED");
    const numbered = isOther ? this.#rearranged(arms) : null;
    if (numbered !== null) this.arms = numbered;
    this.#windowSeconds = windowSeconds ?? this.#windowSeconds;
    this.#expired = plain(expired ?? this.#expired);
    this.#holdout = holdout ?? this.#holdout;
    this.#cap = cap === undefined ? this.#cap : cap;
    this.status = state ?? this.status;
    this.#write({ kind: "change", at, ...told, ...(numbered === null ? {} : { arms: numbered.map(({ name, number }) => ({ name, number })) }) });
  }

  /** Every policy goes on with the new arms, and every open Choice is translated; if one policy refuses, nothing has happened. */
  #rearranged(names: readonly string[]): Arm[] {
    const before = this.arms.map(({ name }) => name);
    const from = names.map((name) => (before.includes(name) ? before.indexOf(name) : null));
    const policies = [...this.segments.values()].map(({ policy }) => policy.rearrange!(from));
    [...this.segments.values()].forEach((one, i) => {
      one.policy = policies[i]!;
    });
    for (const made of this.decisions.values()) {
      if (made.choice !== null) made.choice = made.ended ? null : this.segments.get(made.segment)!.policy.translate!(made.choice, from);
    }
    return names.map((name, i) => (from[i] === null ? newArm(name, this.#nextNumber++) : this.arms[from[i]!]!));
  }

  #write(event: PlainEvent): PlainEvent {
    this.log.push(event);
    return event;
  }
}

function newArm(name: string, number: number): Arm {
  return { name, number, decisions: 0, answered: 0, expired: 0, skipped: 0 };
}

/** JSON has one zero. */
function plain<Value extends string | number>(value: Value): Value {
  return value === 0 ? (0 as Value) : value;
}
