import { isSkipped, type Policy } from "tsallis";

/** Feeds what a line of a log says to the policy; returns what is printed of it. */
export function replayedLine(arm: number, loss: number, policy: Policy): string {
  const probabilities = policy.probabilities();
  const choice = policy.force(arm);
  const { round, probability, threshold } = choice;
  const details = policy.details();
  policy.update(choice, loss);
  const skipped = isSkipped(choice, loss);
  return `${JSON.stringify({ round, arm, loss, probability, probabilities: probabilities && Array.from(probabilities), threshold, skipped, ...details })}\n`;
}
