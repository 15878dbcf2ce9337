import type { PolicySpec } from "tsallis";
import { quantile } from "tsallis/statistics";
import { entrantOf } from "./entrant.js";
import { type Kind, PARTS } from "./kinds.js";
import type { FuzzRun } from "./playFuzz.js";

/** A policy over all its worlds of a kind, or over a part of them. A share is its regret divided by the expected regret of uniform play. */
export interface FuzzResult {
  readonly kind: Kind;
  /** Its name, or its spec as JSON if it was given parameters. */
  readonly policy: string;
  /** Which worlds: of values, how the policy sees their losses; of the other kinds, "all" or a part. */
  readonly worlds: string;
  readonly requires: string;
  /** How many worlds were played. */
  readonly played: number;
  readonly stuck: number;
  readonly stuckWorlds: readonly number[];
  readonly mean: number;
  readonly q99: number;
  readonly worst: number;
  readonly worstWorld: number;
}

/** The results of a policy in worlds of one kind: all of them first, then each part in which any was played. */
export function fuzzResults(kind: Kind, policy: PolicySpec, runs: readonly FuzzRun[]): FuzzResult[] {
  const { view, requires } = entrantOf(policy, kind);
  const name = Object.keys(policy).length === 1 ? policy.policy : JSON.stringify(policy);
  const all = kind === "values" ? view : "all";
  const parts = PARTS[kind].map((part) => ({ worlds: part, of: runs.filter((run) => run.part === part) }));
  return [{ worlds: all, of: runs }, ...parts.filter(({ of }) => of.length > 0)].map(({ worlds, of }) => ({
    kind,
    policy: name,
    worlds,
    requires,
    ...summary(of),
  }));
}

function summary(runs: readonly FuzzRun[]) {
  const shares = runs.map(({ share }) => share);
  const stuckWorlds = runs.filter(({ stuck }) => stuck).map(({ world }) => world);
  const worst = runs.reduce((most, run) => (run.share > most.share ? run : most));
  return {
    played: runs.length,
    stuck: stuckWorlds.length,
    stuckWorlds,
    mean: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    q99: quantile(shares, 0.99),
    worst: worst.share,
    worstWorld: worst.world,
  };
}
