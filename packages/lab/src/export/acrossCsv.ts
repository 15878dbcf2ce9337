import type { Estimate } from "tsallis/statistics";
import { type Across, FACTORS } from "../analysis/across.js";
import { csvLine } from "./csv.js";

const NAMES = ["share", "interquartileMean", "stuck", "improvement", "medianRatio", ...FACTORS.map((factor) => `within${factor}`)];

/** One line per policy (RFC 4180): each number, and the ends of its 95 % interval. Empty where there is none. */
export function acrossCsv({ entries, environments, seeds }: Across): string {
  const columns = NAMES.flatMap((name) => [name, `${name}Low`, `${name}High`]);
  const cells = (estimate: Estimate | null) => (estimate === null ? [null, null, null] : [estimate.estimate, estimate.low, estimate.high]);
  const lines = entries.map(({ policy, share, interquartileMean, stuck, improvement, medianRatio, within }) =>
    csvLine([
      policy,
      environments,
      seeds,
      ...[share, interquartileMean, stuck, improvement, medianRatio, ...within.map((each) => each.share)].flatMap(cells),
    ]),
  );
  return csvLine(["policy", "environments", "seeds", ...columns]) + lines.join("");
}
