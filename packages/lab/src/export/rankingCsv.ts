import type { Ranking } from "../analysis/ranking.js";
import { csvLine } from "./csv.js";

const COLUMNS = [
  ...["environment", "sweepPath", "sweepValue", "horizon", "rank", "policy", "seeds", "failed", "mean", "low", "high", "median", "q10", "q90"],
  ...["neverLearned", "beatsNext", "beatsNextLow", "beatsNextHigh", "bound", "note"],
];

/** All rankings as one CSV table (RFC 4180). */
export function rankingCsv(rankings: readonly Ranking[]): string {
  const lines = rankings.flatMap(({ environment, sweep, horizon, entries }) =>
    entries.map(({ rank, policy, seeds, failed, final, neverLearned, beatsNext, bound, note }) =>
      csvLine([
        ...[environment, sweep?.path ?? null, sweep?.value ?? null, horizon, rank, policy, seeds, failed],
        ...[final?.mean ?? null, final?.low ?? null, final?.high ?? null, final?.median ?? null, final?.q10 ?? null, final?.q90 ?? null],
        ...[neverLearned, beatsNext?.estimate ?? null, beatsNext?.low ?? null, beatsNext?.high ?? null, bound, note],
      ]),
    ),
  );
  return csvLine(COLUMNS) + lines.join("");
}
