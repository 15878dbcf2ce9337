import type { PolicySpec } from "tsallis";
import { quantile } from "../quantile.js";
import { entrantOf } from "./entrant.js";
import type { FuzzRun } from "./playFuzz.js";
import type { View } from "./view.js";

/** A policy over all its worlds. A share is its regret divided by the expected regret of uniform play. */
export interface FuzzResult {
  /** Its name, or its spec as JSON if it was given parameters. */
  readonly policy: string;
  readonly worlds: View;
  readonly told: string;
  /** How many worlds were played. */
  readonly played: number;
  readonly stuck: number;
  readonly stuckWorlds: readonly number[];
  readonly mean: number;
  readonly q99: number;
  readonly worst: number;
  readonly worstWorld: number;
}

export function fuzzResult(policy: PolicySpec, runs: readonly FuzzRun[]): FuzzResult {
  const { view, told } = entrantOf(policy);
  const shares = runs.map(({ share }) => share);
  const stuckWorlds = runs.filter(({ stuck }) => stuck).map(({ world }) => world);
  const worst = runs.reduce((most, run) => (run.share > most.share ? run : most));
  return {
    policy: Object.keys(policy).length === 1 ? policy.policy : JSON.stringify(policy),
    worlds: view,
    told,
    played: runs.length,
    stuck: stuckWorlds.length,
    stuckWorlds,
    mean: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    q99: quantile(shares, 0.99),
    worst: worst.share,
    worstWorld: worst.world,
  };
}
