import type { SummaryPoint, SummaryRow } from "./summary.js";

/** The row's last checkpoint, at the horizon; null if no run completed. */
export function finalOf({ checkpoints }: SummaryRow): SummaryPoint | null {
  return checkpoints[checkpoints.length - 1] ?? null;
}
