import { POLICIES, type PolicySpec } from "tsallis";
import { SIGMA } from "./lossTable.js";

/** The values of required parameters, by name. A parameter with a default keeps it. */
const TOLD: Readonly<Record<string, (rounds: number) => unknown>> = {
  alpha: () => 1.5,
  sigma: () => SIGMA,
  horizon: (rounds) => rounds + 1,
  // For epsilon-greedy: the gap of the benchmark's losses.
  d: () => 0.5,
  // For explore-then-commit: rounds per arm.
  rounds: () => 100,
};

/** A complete spec of every registered policy for this number of rounds, and one for each estimator if there are several. */
export function benchSpecs(rounds: number): PolicySpec[] {
  return Object.entries(POLICIES).flatMap(([policy, { parameters }]) => {
    const { estimator, ...others } = parameters;
    const told = Object.entries(others)
      .filter(([, parameter]) => !("optional" in parameter || ("default" in parameter && parameter.default !== undefined)))
      .map(([name]) => [name, tell(policy, name, rounds)]);
    const spec = { policy, ...Object.fromEntries(told) };
    if (estimator?.type !== "name") return [spec];
    // Catoni's estimator needs a variance.
    return estimator.names.map((name) => ({ ...spec, ...(name === "catoni" && { alpha: 2 }), estimator: name }));
  });
}

function tell(policy: string, name: string, rounds: number): unknown {
  const value = TOLD[name]?.(rounds);
  if (value === undefined) throw new Error(`benchSpecs.ts does not say which ${name} to give ${policy}`);
  return value;
}

/** The policy's name, with the name of its estimator. */
export function benchName({ policy, estimator }: PolicySpec): string {
  return estimator === undefined ? policy : `${policy} ${estimator}`;
}
