import { analyse } from "../src/analysis/analysis.js";
import type { Experiment } from "../src/document/experiment.js";
import type { Run } from "../src/document/run.js";
import { runsOf } from "../src/document/runs.js";
import { drawReport, type Report } from "../src/report/figures/drawReport.js";
import { lastFifth } from "../src/run/lastFifth.js";
import type { RunResult, Trace } from "../src/run/runResult.js";

/** What a made-up run comes to: a trace, or an error. */
export type Story = (run: Run, round: number, index: number) => Moment | Error;

export interface Moment {
  readonly regret: number;
  readonly skipped?: number;
  readonly anatomy?: Record<string, number>;
}

const pareto = (scale: number) => ({ distribution: "pareto", shape: 1.6, scale });

/** A document of two environments and three policies, with changes. */
export function experimentOf(changes: Partial<Experiment> = {}): Experiment {
  return {
    name: "made-up",
    claim: "The first policy has the least regret.",
    evidence: [],
    horizon: 10_000,
    seeds: [1, 2, 3, 4, 5, 6, 7, 8],
    environments: {
      heavy: { environment: "stochastic", alpha: 1.5, arms: [pareto(0.2), pareto(0.4), pareto(0.4)] },
      "left tail": { environment: "truncation-violated", alpha: 1.5, arms: 3, shape: 1.6, scale: 0.3, gap: 0.3 },
    },
    policies: { HTINF: { policy: "htinf", alpha: "promised", sigma: "promised" }, OptTINF: { policy: "opttinf" }, uniform: { policy: "uniform" } },
    sweep: [],
    checkpoints: 16,
    anatomy: false,
    ...changes,
  };
}

/** Regret that grows with a power that differs by policy, and a little by seed. */
export const growing: Story = ({ policy, seed }, round) => ({
  regret: (1 + seed / 50) * round ** (0.4 + 0.1 * (policy.charCodeAt(0) % 4)),
  skipped: Math.floor(Math.sqrt(round)),
});

/** A report on runs that nobody played; `keeps` says which of them have a result. */
export function reportOf(experiment: Experiment, story: Story = growing, keeps: (run: Run) => boolean = () => true): Report {
  const frozen = { experiment, version: "1.2.3", hash: "0123456789abcdef".repeat(4), imports: [] };
  const runs = runsOf(experiment).filter(keeps);
  return drawReport(analyse(frozen, new Map(runs.map((run) => [run.id, resultOf(experiment, run, story)]))));
}

function resultOf(experiment: Experiment, run: Run, story: Story): RunResult {
  const horizon = run.sweep?.path === "horizon" ? Number(run.sweep.value) : experiment.horizon;
  const steps = Math.min(experiment.checkpoints, horizon);
  const grid = Array.from({ length: steps }, (_, index) => Math.round(horizon ** ((index + 1) / steps)));
  const round = [...new Set([...grid, Math.max(1, lastFifth(horizon).from)])].sort((a, b) => a - b);
  const rows = round.map((at, index) => story(run, at, index));
  const failure = rows.find((row) => row instanceof Error);
  if (failure !== undefined) return { id: run.id, status: "failed", error: { code: "ERR_LOSS", message: failure.message }, seconds: 0 };
  const sound = rows.filter((row): row is Moment => !(row instanceof Error));
  const names = Object.keys(sound[0]?.anatomy ?? {});
  const trace: Trace = {
    round,
    pseudoRegret: sound.map(({ regret }) => regret),
    realizedRegret: sound.map(({ regret }) => regret * 0.9),
    dynamicRegret: sound.map(({ regret }) => regret),
    skipped: sound.map(({ skipped = 0 }) => skipped),
    best: round.map((at) => at - Math.floor(at / 3)),
    plays: [round.map((at) => at - Math.floor(at / 3)), round.map((at) => Math.floor(at / 3)), round.map(() => 0)],
    details: {},
    anatomy: names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, sound.map(({ anatomy }) => anatomy![name]!)])),
  };
  return { id: run.id, status: "completed", trace, seconds: 0 };
}
