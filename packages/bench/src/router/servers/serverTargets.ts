import { quantile } from "tsallis/statistics";
import type { Ratio } from "../../ratio.js";
import { OURS } from "../rules/rules.js";
import { BALANCED_POOL } from "./clients.js";
import type { DispatcherCost } from "./dispatcherCosts.js";
import type { ReplicaResult } from "./playReplicas.js";

/** The targets on real servers, and what was measured. */
export function serverTargets(replicas: readonly ReplicaResult[], costs: readonly DispatcherCost[]): Ratio[] {
  const failures = replicas.filter(({ rule }) => rule === OURS).reduce((sum, each) => sum + each.failures, 0);
  return [
    ...(replicas.length > 0
      ? [
          {
            name: "mean of ours on equal replicas to that of BalancedPool",
            asked: "at most 1.2",
            measured: replicaRatio(replicas, ({ mean }) => mean),
          },
          { name: "failures of ours on equal replicas", asked: "none", measured: failures },
        ]
      : []),
    ...costs.map(({ door, inFlight, ratio }) => ({
      name: `processor time of ours per request to that of BalancedPool, ${door}() with ${inFlight} in flight`,
      asked: "at most 1.12",
      measured: ratio,
    })),
  ];
}

/** The median over seeds of a figure of ours divided by BalancedPool's. */
export function replicaRatio(replicas: readonly ReplicaResult[], figure: (result: ReplicaResult) => number): number {
  const ours = replicas.filter(({ rule }) => rule === OURS);
  const theirs = (seed: number) => replicas.find((each) => each.seed === seed && each.rule === BALANCED_POOL)!;
  return quantile(
    ours.map((each) => figure(each) / figure(theirs(each.seed))),
    0.5,
  );
}
