import type { Ranking, RankingEntry } from "../analysis/ranking.js";
import { type CsvValue, csvLine } from "./csv.js";

const COLUMNS = [
  ...["environment", "sweepPath", "sweepValue", "horizon", "rank", "policy", "seeds", "failed", "mean", "low", "high", "median", "q10", "q90"],
  ...["share", "stuck", "behindFirst", "behindFirstLow", "behindFirstHigh", "p", "verdict", "firstBeatsIt", "bound", "note"],
];

/** All rankings as one CSV table (RFC 4180). The ends of an interval are empty if it would come from one seed. */
export function rankingCsv(rankings: readonly Ranking[]): string {
  const lines = rankings.flatMap(({ environment, sweep, horizon, entries }) =>
    entries.map(({ rank, policy, seeds, failed, final, share, stuck, behindFirst, bound, note }) =>
      csvLine([
        ...[environment, sweep?.path ?? null, sweep?.value ?? null, horizon, rank, policy, seeds, failed],
        ...[
          final?.mean ?? null,
          ...(seeds > 1 ? [final!.low, final!.high] : [null, null]),
          final?.median ?? null,
          final?.q10 ?? null,
          final?.q90 ?? null,
        ],
        ...[share, stuck, ...behind(behindFirst), bound, note],
      ]),
    ),
  );
  return csvLine(COLUMNS) + lines.join("");
}

function behind(found: RankingEntry["behindFirst"]): CsvValue[] {
  if (found === null) return [null, null, null, null, null, null];
  const { pairs, meanDifference, probability } = found.comparison;
  const interval = pairs > 1 ? [meanDifference.low, meanDifference.high] : [null, null];
  return [meanDifference.estimate, ...interval, found.p, found.clear ? "clear" : "open", 1 - probability.estimate];
}
