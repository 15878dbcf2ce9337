import { isSkipped, type Policy } from "tsallis";
import { readObservation } from "../input/observation.js";

/** Feeds one line of a log to the policy; returns what is printed of it. */
export function replayedLine(line: string, policy: Policy, reward: boolean): string {
  const { arm, loss } = readObservation(line, reward);
  const probabilities = policy.probabilities();
  const choice = policy.force(arm);
  const { round, probability, threshold } = choice;
  const details = policy.details();
  policy.update(choice, loss);
  const skipped = isSkipped(choice, loss);
  return `${JSON.stringify({ round, arm, loss, probability, probabilities: probabilities && Array.from(probabilities), threshold, skipped, ...details })}\n`;
}
