import { stream } from "tsallis";
import type { Outcome } from "../src/analysis/compare.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import type { FrozenExperiment } from "../src/document/experiment.js";
import type { Run } from "../src/document/run.js";
import { runsOf } from "../src/document/runs.js";
import type { RunResult, Trace } from "../src/run/runResult.js";

export const pareto = (scale: number) => ({ distribution: "pareto", shape: 1.8, scale });

/** Two environments and three policies; nothing is played in these tests. */
export const DOCUMENT = {
  name: "made-up",
  horizon: 10_000,
  seeds: 20,
  checkpoints: 30,
  environments: {
    steady: { environment: "stochastic", alpha: 1.5, arms: [pareto(1), pareto(2)] },
    turning: { environment: "switching", alpha: 1.5, period: 100, arms: [pareto(1), pareto(2)], alternate: [pareto(3), pareto(1)] },
  },
  policies: { htinf: { policy: "htinf", alpha: "promised", sigma: "promised" }, adatinf: { policy: "adatinf" }, uniform: { policy: "uniform" } },
};

/** As in the lab, four fifths of the horizon are among them. */
export const ROUNDS: readonly number[] = [...Array.from({ length: 24 }, (_, i) => Math.round(10 ** (1 + i / 8))), 8000, 10_000];

/** A trace whose pseudo-regret is factor * round^exponent. */
export function makeTrace(factor: number, exponent: number, rounds = ROUNDS): Trace {
  const pseudoRegret = rounds.map((round) => factor * round ** exponent);
  return {
    round: rounds,
    pseudoRegret,
    realizedRegret: pseudoRegret.map((value) => value - 1),
    dynamicRegret: pseudoRegret.map((value) => value + 1),
    skipped: rounds.map((round) => Math.floor(round / 10)),
    best: rounds.map((round) => Math.floor(round / 2)),
    plays: null,
    details: {},
    anatomy: null,
  };
}

export function completed({ id }: Run, trace: Trace): RunResult {
  return { id, status: "completed", trace, seconds: 1 };
}

export function failed({ id }: Run): RunResult {
  return { id, status: "failed", error: { code: null, message: "no" }, seconds: 1 };
}

/** An outcome whose results are all at hand. */
export type MadeOutcome = Outcome & { readonly results: ReadonlyMap<string, RunResult> };

/** A made-up outcome: regret = factorOf(run) * round^0.6, times noise of its seed that all policies share; null fails. */
export function makeOutcome(document: object = DOCUMENT, factorOf: (run: Run) => number | null = () => 1): MadeOutcome {
  const experiment = completeExperiment(document);
  const frozen: FrozenExperiment = { experiment, version: "0.1.0", hash: "0123456789abcdef".repeat(4), imports: [] };
  const runs = runsOf(experiment);
  const results = new Map(
    runs.map((run) => {
      const factor = factorOf(run);
      const noise = 0.5 + stream(run.seed, "test", run.environment).uniform();
      return [run.id, factor === null ? failed(run) : completed(run, makeTrace(factor * noise, 0.6))];
    }),
  );
  return { frozen, runs, results };
}
