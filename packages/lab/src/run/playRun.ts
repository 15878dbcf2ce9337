import { type Choice, createPolicy, isSkipped, stream } from "tsallis";
import { Anatomy } from "../anatomy/anatomy.js";
import type { ResolvedRun } from "../document/resolveRun.js";
import { LabError } from "../labError.js";
import { checkpoints } from "./checkpoints.js";
import { Mailbox } from "./mailbox.js";
import { plainArm } from "./plainArm.js";
import { rotated } from "./rotated.js";
import { MOST_SHARES, type Trace } from "./runResult.js";

export interface PlayOptions {
  readonly seed: number;
  readonly checkpoints: number;
  readonly anatomy: boolean;
  /** Called now and then with the number of rounds played since the last call. */
  readonly onRounds: (rounds: number) => void;
}

/** The number of rounds between two calls of onRounds. */
const STRIDE_ROUNDS = 16_384;

/** Plays a run from its first round to its last, in memory that does not grow with the horizon. */
export function playRun({ environment, policy: spec, horizon, delay, rotation }: ResolvedRun, options: PlayOptions): Trace {
  const policy = createPolicy(spec, environment.arms);
  const rng = stream(options.seed, "policy");
  const mailbox = delay === 0 ? null : new Mailbox(delay, options.seed, horizon);
  const anatomy = options.anatomy ? new Anatomy(policy, rotated(environment, rotation), horizon, delay) : null;
  const rounds = checkpoints(horizon, options.checkpoints);
  const record = new Recorder(environment.arms);
  const choice: Choice = { policy: "", round: 0, arm: 0, probability: 0.5, threshold: 0.5 };
  const plays = new Float64Array(environment.arms);
  let skipped = 0;
  // If one arm is best throughout, regret is a sum of differences from its means, so nothing cancels. Each sum carries its rounding error along
  // (Neumaier 1974).
  const anchor = environment.gaps?.indexOf(0) ?? -1;
  let expected = 0;
  let expectedError = 0;
  let realized = 0;
  let realizedError = 0;
  let dynamic = 0;
  let round = 0;
  let told = 0;
  for (const checkpoint of rounds) {
    while (round < checkpoint) {
      const stop = Math.min(checkpoint, told + STRIDE_ROUNDS);
      while (round < stop) {
        round++;
        anatomy?.observe(round);
        const made = mailbox === null ? policy.choose(rng, choice) : policy.choose(rng);
        const arm = plainArm(made.arm, rotation, environment.arms);
        const loss = environment.loss(round, arm);
        if (isSkipped(made, loss)) skipped++;
        anatomy?.learn(made, loss);
        if (mailbox === null) policy.update(made, loss);
        else {
          mailbox.post(made, loss);
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
      if (round - told >= STRIDE_ROUNDS || round === horizon) {
        options.onRounds(round - told);
        told = round;
      }
    }
    const best = bestArm(environment.arms, (arm) => environment.meanSum(round, arm));
    const target = environment.meanSum(round, best);
    const pseudoRegret = expected - (anchor < 0 ? target : 0) + expectedError;
    record.add({
      round,
      pseudoRegret,
      realizedRegret: realized - target + realizedError,
      dynamicRegret: anchor < 0 ? dynamic : pseudoRegret,
      skipped,
      best: plays[best]!,
      plays,
      details: policy.details(),
      anatomy: anatomy?.read(round) ?? null,
    });
  }
  return record.trace();
}

function bestArm(arms: number, sumOf: (arm: number) => number): number {
  let best = 0;
  for (let arm = 1; arm < arms; arm++) if (sumOf(arm) < sumOf(best)) best = arm;
  return best;
}

interface Row {
  readonly round: number;
  readonly pseudoRegret: number;
  readonly realizedRegret: number;
  readonly dynamicRegret: number;
  readonly skipped: number;
  readonly best: number;
  readonly plays: Float64Array;
  readonly details: Readonly<Record<string, number>>;
  readonly anatomy: Readonly<Record<string, number>> | null;
}

/** Turns rows into columns, and refuses values that JSON cannot represent. */
class Recorder {
  readonly #columns = {
    round: [] as number[],
    pseudoRegret: [] as number[],
    realizedRegret: [] as number[],
    dynamicRegret: [] as number[],
    skipped: [] as number[],
    best: [] as number[],
  };
  readonly #plays: number[][] | null;
  readonly #details: Record<string, number[]> = {};
  #anatomy: Record<string, number[]> | null = null;

  constructor(arms: number) {
    this.#plays = arms > MOST_SHARES ? null : Array.from({ length: arms }, () => []);
  }

  add({ plays, details, anatomy, ...row }: Row): void {
    for (const [name, column] of Object.entries(this.#columns)) column.push(finite(row[name as keyof typeof row], name, row.round));
    this.#plays?.forEach((column, arm) => {
      column.push(plays[arm]!);
    });
    append(this.#details, details, row.round);
    if (anatomy === null) return;
    this.#anatomy ??= {};
    append(this.#anatomy, anatomy, row.round);
  }

  trace(): Trace {
    return { ...this.#columns, plays: this.#plays, details: this.#details, anatomy: this.#anatomy };
  }
}

function append(columns: Record<string, number[]>, values: Readonly<Record<string, number>>, round: number): void {
  for (const [name, value] of Object.entries(values)) {
    columns[name] ??= [];
    columns[name].push(finite(value, name, round));
  }
}

function finite(value: number, name: string, round: number): number {
  // -0 becomes 0, as in the journal, so that a run is the same whether it was read back or not.
  if (Number.isFinite(value)) return value + 0;
  throw new LabError("ERR_TRACE", `${name} is ${value} in round ${round}: the losses leave the range of a double; scale them down`);
}
