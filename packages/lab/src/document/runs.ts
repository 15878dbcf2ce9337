import { LabError } from "../labError.js";
import type { Experiment } from "./experiment.js";
import type { Run, SweepPoint } from "./run.js";
import { sweepPoints, touches } from "./sweepPoints.js";

/** The runs of the experiments at hand: a million of them take 130 MB, and several places need them all. */
const known = new WeakMap<Experiment, readonly Run[]>();

/** Every run of an experiment, in the document's order. */
export function runsOf(experiment: Experiment): readonly Run[] {
  const runs = known.get(experiment) ?? listRuns(experiment);
  // What is not frozen may still change.
  if (Object.isFrozen(experiment)) known.set(experiment, runs);
  return runs;
}

function listRuns({ environments, policies, seeds, sweep }: Experiment): Run[] {
  const points = sweepPoints(sweep);
  return Object.keys(environments).flatMap((environment) => {
    const here: (SweepPoint | null)[] = points.filter(({ path }) => touches(path, environment));
    if (here.length === 0) here.push(null);
    return here.flatMap((point) =>
      Object.keys(policies).flatMap((policy) =>
        seeds.map((seed) => {
          const run = { environment, policy, seed, sweep: point };
          return { id: idOf(run, sweep.length), ...run };
        }),
      ),
    );
  });
}

function idOf({ environment, policy, seed, sweep }: Omit<Run, "id">, axes: number): string {
  const tail = sweep === null ? "" : axes === 1 ? `/${sweep.value}` : `/${sweep.path}=${sweep.value}`;
  return `${environment}/${policy}/${seed}${tail}`;
}

/** Whether a run from outside is what its id says, in everything that is played. */
export function isAsItsId({ sweep: axes }: Experiment, run: Run): boolean {
  const { sweep } = run;
  const isSwept = sweep === null || axes.some(({ path, values }) => path === sweep.path && values.includes(sweep.value));
  return isSwept && run.id === idOf(run, axes.length);
}

/** The runs of an experiment that are to be played: all, or those that match a pattern. */
export function chosenRuns(experiment: Experiment, only: string | undefined): readonly Run[] {
  const all = runsOf(experiment);
  const chosen = only === undefined ? all : onlyRuns(all, only);
  if (chosen.length === 0) throw new LabError("ERR_NO_RUNS", `no run matches ${JSON.stringify(only)}; ids look like ${all[0]!.id}`);
  return chosen;
}

/** The runs whose ids match a pattern, in which `*` stands for any text. A pattern without `*` may match anywhere in the id. */
export function onlyRuns(runs: readonly Run[], pattern: string): Run[] {
  const escaped = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const matcher = new RegExp(pattern.includes("*") ? `^${escaped.join(".*")}$` : escaped[0]!);
  return runs.filter(({ id }) => matcher.test(id));
}

/** The number of rounds of a run, which a sweep may vary. */
export function horizonOf({ horizon }: Experiment, { sweep }: Pick<Run, "sweep">): number {
  return sweep?.path === "horizon" ? Number(sweep.value) : horizon;
}
