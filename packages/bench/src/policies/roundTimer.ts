import {
  type Choice,
  createPolicy,
  type KernelName,
  type Policy,
  type PolicySnapshot,
  type PolicySpec,
  type Rng,
  restorePolicy,
  stream,
} from "tsallis";
import { processorTime } from "../processorTime.js";
import { lossOf } from "./lossTable.js";
import type { Timing } from "./measurement.js";

/** One policy at one number of arms, for some rounds. */
export interface RoundTask {
  readonly kind: "rounds";
  readonly spec: PolicySpec;
  readonly kernel: KernelName | undefined;
  readonly arms: number;
  readonly rounds: number;
  /** Where the clock starts, if not at the first round. */
  readonly from: PolicySnapshot | undefined;
}

/** The rounds after a restore that are not timed: the search has no starting point yet. */
const SETTLING = 5;

/** The policy of the last task. While one is alive, V8 keeps what it has learned about the class and does not have to compile its methods again. */
export let last: Policy | undefined;

/** Times a fresh policy, or one that starts from a state. */
export function timeRounds({ spec, kernel, arms, rounds, from }: RoundTask): Timing {
  const options = kernel === undefined ? {} : { kernel };
  const rng = stream(1, "bench", "policy");
  const start = processorTime();
  const policy = from === undefined ? createPolicy(spec, arms, options) : restorePolicy(from, options);
  const choice = policy.choose(rng);
  const buildMs = processorTime() - start;
  last = policy;
  policy.update(choice, lossOf(0, choice.arm));
  if (from !== undefined) play(policy, rng, choice, SETTLING);
  const time = play(policy, rng, choice, rounds);
  return { time, kernel: kernel ?? policy.snapshot().kernel?.name ?? null, buildMs };
}

/** Plays rounds against the table; returns nanoseconds per round. */
export function play(policy: Policy, rng: Rng, choice: Choice, rounds: number): number {
  const first = policy.round;
  const start = processorTime();
  for (let n = first; n < first + rounds; n++) {
    policy.choose(rng, choice);
    policy.update(choice, lossOf(n, choice.arm));
  }
  return ((processorTime() - start) * 1e6) / rounds;
}
