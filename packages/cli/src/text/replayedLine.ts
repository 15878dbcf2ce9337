import { isSkipped, type Policy } from "tsallis";

/** Feeds one line of a log to the policy; returns the line to print. */
export function replayedLine(arm: number, loss: number, policy: Policy): string {
  const probabilities = policy.probabilities();
  const choice = policy.force(arm);
  const { round, probability, threshold } = choice;
  const details = policy.details();
  policy.update(choice, loss);
  const skipped = isSkipped(choice, loss);
  return `${JSON.stringify({ round, arm, loss, probability, probabilities: probabilities && Array.from(probabilities), threshold, skipped, ...details })}\n`;
}
