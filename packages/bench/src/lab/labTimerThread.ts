import { parentPort } from "node:worker_threads";
import { playRun } from "@tsallis/lab";
import { createEnvironment, type Environment, type PolicySpec } from "tsallis";
import { lossOf } from "../policies/lossTable.js";
import { timeRounds } from "../policies/roundTimer.js";
import { processorTime } from "../processorTime.js";
import { ARMS, WORLD } from "./labExperiment.js";

/** HTINF for some rounds: in the lab, or by choose and update alone. */
export interface LabTask {
  readonly spec: PolicySpec;
  readonly rounds: number;
  readonly lab: boolean;
}

parentPort!.on("message", (task: LabTask) => {
  parentPort!.postMessage(task.lab ? timeLab(task) : timeBare(task));
});

function timeBare({ spec, rounds }: LabTask): number {
  return timeRounds({ kind: "rounds", spec, kernel: undefined, arms: ARMS, rounds, from: undefined }).time;
}

/** Nanoseconds per round of a whole run, its recording included. */
function timeLab({ spec, rounds }: LabTask): number {
  const environment = tabled(createEnvironment(WORLD, 1));
  const start = processorTime();
  playRun(
    { environment, policy: spec, horizon: rounds, delay: 0, rotation: 0, rescaling: null },
    { seed: 1, checkpoints: 60, anatomy: false, onRounds() {} },
  );
  return ((processorTime() - start) * 1e6) / rounds;
}

/** The same world with losses drawn beforehand, so that drawing costs neither side anything. */
function tabled(world: Environment): Environment {
  return {
    spec: world.spec,
    arms: world.arms,
    alpha: world.alpha,
    regime: world.regime,
    gaps: world.gaps,
    assumptions: world.assumptions,
    loss: lossOf,
    mean: (round, arm) => world.mean(round, arm),
    meanSum: (round, arm) => world.meanSum(round, arm),
    gap: (round, arm) => world.gap(round, arm),
    distribution: (round, arm) => world.distribution(round, arm),
    sigma: (alpha) => world.sigma(alpha),
  };
}
