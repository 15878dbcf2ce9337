import { POLICIES, type PolicySpec } from "tsallis";
import { SIGMA } from "./lossTable.js";

/** What a policy is told that asks for it, by the name of the parameter; one with a default keeps it. */
const TOLD: Readonly<Record<string, (rounds: number) => unknown>> = {
  alpha: () => 1.5,
  sigma: () => SIGMA,
  horizon: (rounds) => rounds + 1,
  // Of epsilon-greedy: the gap of the bench's losses.
  d: () => 0.5,
  // Of explore-then-commit: per arm.
  rounds: () => 100,
};

/** The registered policies for so many rounds, each as a spec that has what it needs; one per estimator, where there are several. */
export function benchSpecs(rounds: number): PolicySpec[] {
  return Object.entries(POLICIES).flatMap(([policy, { parameters }]) => {
    const { estimator, ...others } = parameters;
    const told = Object.entries(others)
      .filter(([, parameter]) => !("optional" in parameter || ("default" in parameter && parameter.default !== undefined)))
      .map(([name]) => [name, tell(policy, name, rounds)]);
    const spec = { policy, ...Object.fromEntries(told) };
    if (estimator?.type !== "name") return [spec];
    // Catoni's needs a variance.
    return estimator.names.map((name) => ({ ...spec, ...(name === "catoni" && { alpha: 2 }), estimator: name }));
  });
}

function tell(policy: string, name: string, rounds: number): unknown {
  const value = TOLD[name]?.(rounds);
  if (value === undefined) throw new Error(`benchSpecs.ts does not say which ${name} to give ${policy}`);
  return value;
}

/** The policy's name, with that of its estimator. */
export function benchName({ policy, estimator }: PolicySpec): string {
  return estimator === undefined ? policy : `${policy} ${estimator}`;
}
