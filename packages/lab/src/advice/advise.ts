import { type ArmLosses, type LossFindings, lossFindings } from "tsallis/statistics";
import { type Recommendation, recommend } from "./recommend.js";

/** What the losses say, and the policy that follows. */
export interface Advice extends LossFindings {
  readonly recommendation: Recommendation;
}

/** What the losses of two or more arms, at least a hundred of each, say about their tails, and which policy follows. */
export function advise(observed: readonly ArmLosses[]): Advice {
  const findings = lossFindings(observed);
  return { ...findings, recommendation: recommend(findings.pooled) };
}
