import type { Environment } from "tsallis";

/** One loss of a table, which changes places with the same arm's loss of another round, or costs only the arm's mean (`to` is null). */
export interface MovedLoss {
  readonly arm: number;
  readonly round: number;
  readonly to: number | null;
}

/** The same world but for one loss. */
export function withMovedLoss(environment: Environment, { arm, round, to }: MovedLoss): Environment {
  const loss = (at: number, of: number) => {
    if (of !== arm || (at !== round && at !== to)) return environment.loss(at, of);
    if (at === to) return environment.loss(round, arm);
    return to === null ? environment.mean(round, arm) : environment.loss(to, arm);
  };
  return { ...environment, loss };
}
