import { createPolicy, type PolicySpec, stream } from "tsallis";
import { mean, quantile } from "tsallis/statistics";

/** From fewer losses of an arm nothing is redrawn. */
export const FEWEST_TO_REDRAW = 100;
/** Longer logs are redrawn for so many rounds only. */
export const MOST_REDRAWN_ROUNDS = 100_000;
/** How often a policy plays. */
export const REDRAWN_RUNS = 20;

/** Whose losses are redrawn, and for which policy. */
export interface RedrawOptions {
  /** By arm, as they were logged. */
  readonly losses: readonly Float64Array[];
  readonly policy: PolicySpec;
  readonly rounds: number;
  /** Each loss costs at least the floor and at most the cap; the policy learns from the loss itself. */
  readonly cap: number;
  readonly floor: number;
  readonly seed?: number;
  /** Called after each run. */
  readonly onRun?: (run: number) => void | Promise<void>;
}

/** What another policy would have cost per decision, over runs on redrawn losses. */
export interface Redrawn {
  readonly policy: PolicySpec;
  readonly runs: number;
  readonly rounds: number;
  readonly mean: number;
  /** The middle 80 % of the runs. */
  readonly low: number;
  readonly high: number;
}

/**
 * Lets a policy play in a world whose losses are drawn from those of a log. Each run first draws a log of the same size with replacement from the arms' losses, so that the
 * spread has both kinds of chance: that of the policy and that of the log. It carries no guarantee: losses that were never logged do not occur, and a world that changes
 * is played as if it held still.
 */
export async function redraw({ losses, policy: spec, rounds, cap, floor, seed = 1, onRun }: RedrawOptions): Promise<Redrawn> {
  const played = Math.min(rounds, MOST_REDRAWN_ROUNDS);
  const costs: number[] = [];
  for (let run = 1; run <= REDRAWN_RUNS; run++) {
    const rng = stream(seed, "redraw", run);
    const log = losses.map((own) => own.map(() => own[Math.floor(rng.uniform() * own.length)]!));
    const policy = createPolicy(spec, losses.length);
    const choices = stream(seed, "redraw", run, "policy");
    let cost = 0;
    for (let round = 0; round < played; round++) {
      const choice = policy.choose(choices);
      const own = log[choice.arm]!;
      const loss = own[Math.floor(rng.uniform() * own.length)]!;
      policy.update(choice, loss);
      cost += Math.min(cap, Math.max(floor, loss));
    }
    costs.push(cost / played);
    await onRun?.(run);
  }
  const { spec: policy } = createPolicy(spec, losses.length);
  return { policy, runs: costs.length, rounds: played, mean: mean(costs), low: quantile(costs, 0.1), high: quantile(costs, 0.9) };
}
