import { type Choice, createPolicy, isSkipped, type Policy, type Rng, stream } from "tsallis";
import { Anatomy } from "../anatomy/anatomy.js";
import type { Played } from "../conformance/accountable.js";
import type { ResolvedRun } from "../document/resolveRun.js";
import { Mailbox } from "./mailbox.js";
import { plainArm } from "./plainArm.js";
import { rotated } from "./rotated.js";
import { RunHash } from "./runHash.js";

/** How a run is played. */
export interface PlaySettings {
  readonly seed: number;
  /** Whether the terms of the regret's anatomy are recorded. */
  readonly anatomy?: boolean;
  /** Whether arms and losses are hashed as they are played. */
  readonly runHash?: boolean;
  /** What is played in place of a policy of that name; the policy itself by default. @internal */
  readonly between?: (name: string, policy: Policy) => Played;
}

/** What a run records of itself after a round. */
export interface RunTotals {
  readonly round: number;
  readonly pseudoRegret: number;
  readonly realizedRegret: number;
  readonly dynamicRegret: number;
  /** The number of rounds so far whose loss was beyond the threshold. */
  readonly skipped: number;
  /** The number of rounds so far on the arm that is best in hindsight. */
  readonly best: number;
  /** The number of rounds so far on each arm of the environment; the run's own array, which moves on with it. */
  readonly plays: Float64Array;
  readonly details: Readonly<Record<string, number>>;
  readonly anatomy: Readonly<Record<string, number>> | null;
}

/** A run in the making, in memory that does not grow with its rounds. It needs nothing of Node: the page of the playground plays by it too. */
export class Play {
  readonly run: ResolvedRun;
  readonly policy: Policy;
  readonly #played: Played;
  readonly #rng: Rng;
  readonly #mailbox: Mailbox | null;
  readonly #anatomy: Anatomy | null;
  readonly #runHash: RunHash | null;
  readonly #choice: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: 0.5 };
  readonly #plays: Float64Array;
  /** If one arm is best throughout, regret is a sum of differences from its means, so that nothing cancels; -1 if none is. */
  readonly #anchor: number;
  #round = 0;
  #skipped = 0;
  // Each sum carries its rounding error along (Neumaier 1974).
  #expected = 0;
  #expectedError = 0;
  #realized = 0;
  #realizedError = 0;
  #dynamic = 0;

  constructor(run: ResolvedRun, { seed, anatomy = false, runHash = false, between = (_, policy) => policy }: PlaySettings) {
    const { environment, policy, horizon, delay, rotation } = run;
    this.run = run;
    this.policy = createPolicy(policy, environment.arms);
    this.#played = between(policy.policy, this.policy);
    this.#rng = stream(seed, "policy");
    this.#mailbox = delay === 0 ? null : new Mailbox(delay, seed, horizon);
    this.#anatomy = anatomy ? new Anatomy(this.policy, rotated(environment, rotation), horizon, delay) : null;
    this.#runHash = runHash ? new RunHash() : null;
    this.#plays = new Float64Array(environment.arms);
    this.#anchor = environment.gaps?.indexOf(0) ?? -1;
  }

  get round(): number {
    return this.#round;
  }

  /** Plays until a round, which must not be after the horizon. */
  advance(to: number): void {
    const { environment, rotation, rescaling } = this.run;
    const policy = this.#played;
    const [rng, mailbox, anatomy, runHash, anchor, plays, choice] = [
      this.#rng,
      this.#mailbox,
      this.#anatomy,
      this.#runHash,
      this.#anchor,
      this.#plays,
      this.#choice,
    ];
    // Local variables: fields of an object would be written to memory in every round.
    let round = this.#round;
    let skipped = this.#skipped;
    let expected = this.#expected;
    let expectedError = this.#expectedError;
    let realized = this.#realized;
    let realizedError = this.#realizedError;
    let dynamic = this.#dynamic;
    while (round < to) {
      round++;
      anatomy?.observe(round);
      const made = mailbox === null ? policy.choose(rng, choice) : policy.choose(rng);
      const arm = plainArm(made.arm, rotation, environment.arms);
      const loss = environment.loss(round, arm);
      const seen = rescaling === null ? loss : rescaling.scale * loss + rescaling.shift;
      runHash?.add(arm, seen);
      if (isSkipped(made, seen)) skipped++;
      anatomy?.learn(made, seen);
      if (mailbox === null) policy.update(made, seen);
      else {
        mailbox.post(made, seen);
        mailbox.deliver(round, policy);
      }
      plays[arm]!++;
      if (anchor < 0) dynamic += environment.gap(round, arm);
      const mean = environment.mean(round, arm) - (anchor < 0 ? 0 : environment.mean(round, anchor));
      const sum = expected + mean;
      expectedError += Math.abs(expected) >= Math.abs(mean) ? expected - sum + mean : mean - sum + expected;
      expected = sum;
      const total = realized + loss;
      realizedError += Math.abs(realized) >= Math.abs(loss) ? realized - total + loss : loss - total + realized;
      realized = total;
    }
    this.#round = round;
    this.#skipped = skipped;
    this.#expected = expected;
    this.#expectedError = expectedError;
    this.#realized = realized;
    this.#realizedError = realizedError;
    this.#dynamic = dynamic;
  }

  /** The totals so far, after at least one round. */
  totals(): RunTotals {
    const { environment } = this.run;
    const round = this.#round;
    const best = bestArm(environment.arms, (arm) => environment.meanSum(round, arm));
    const target = environment.meanSum(round, best);
    const pseudoRegret = this.#expected - (this.#anchor < 0 ? target : 0) + this.#expectedError;
    return {
      round,
      pseudoRegret,
      realizedRegret: this.#realized - target + this.#realizedError,
      dynamicRegret: this.#anchor < 0 ? this.#dynamic : pseudoRegret,
      skipped: this.#skipped,
      best: this.#plays[best]!,
      plays: this.#plays,
      details: this.#played.details(),
      anatomy: this.#anatomy?.read(round) ?? null,
    };
  }

  /** The hash of all arms and losses so far, as 16 hexadecimal digits; null if it was not asked for. */
  runHash(): string | null {
    return this.#runHash?.digest() ?? null;
  }
}

function bestArm(arms: number, sumOf: (arm: number) => number): number {
  let best = 0;
  for (let arm = 1; arm < arms; arm++) if (sumOf(arm) < sumOf(best)) best = arm;
  return best;
}
