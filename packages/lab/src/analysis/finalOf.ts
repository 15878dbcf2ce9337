import type { SummaryPoint, SummaryRow } from "./summary.js";

/** The row at its last checkpoint, the horizon; null if no run completed. */
export function finalOf({ checkpoints }: SummaryRow): SummaryPoint | null {
  return checkpoints[checkpoints.length - 1] ?? null;
}
