import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { shownMean } from "../worlds/meanInterval.js";
import { TIMEOUT_MS } from "../worlds/scenarios.js";
import { shownNumber } from "../worlds/shownNumber.js";
import type { LoadResult } from "./loadResults.js";
import { LOAD_SCENARIOS } from "./loadScenarios.js";
import { loadTargets } from "./loadTargets.js";

const SECONDS = TIMEOUT_MS / 1000;
const HOW = `Every rule meets the same requests, and how long one takes depends on what else its server has to do. A request fails after ${SECONDS} s at the latest, and costs ${SECONDS} s then; a scenario can have a timeout of its own instead.
The figures are means over seeds, with 95 % intervals by the normal approximation. Worst tenth: the mean in a tenth of a run to that of the best rule there, at worst.
Failed more: by how many percentage points the share of failures in a tenth of a run exceeds that of the best rule there, at worst.
`;

/** Everything that `bench router` prints about the scenarios under load. */
export function loadTables(results: readonly LoadResult[]): string {
  const played = LOAD_SCENARIOS.filter(({ name }) => results.some(({ scenario }) => scenario === name));
  const tables = played.map(({ name, description }) => {
    const rows = results.filter(({ scenario }) => scenario === name);
    const shares = rows.some(({ share }) => share !== null);
    return `(${name}) ${description}\n${formatTable(
      ["", "mean ms", "p99 ms", "failed %", "worst tenth", "failed more", ...(shares ? ["share of the gain"] : [])],
      rows.map(({ rule, mean, p99, failures, worstTenth, worstFailures, share }) => [
        rule,
        shownMean(mean, 1),
        shownMean(p99, 0),
        shownNumber(100 * failures.mean, 2),
        shownNumber(worstTenth, 2),
        shownNumber(100 * worstFailures, 2),
        ...(share === null ? [] : [shownMean(share, 2)]),
      ]),
    )}`;
  });
  const targets = formatTable(
    ["", "asked", "measured"],
    loadTargets(results).map(({ name, asked, measured }) => [name, asked, shownNumber(measured, 2)]),
  );
  return [HOW, ...tables, `What was asked\n${targets}`].join("\n");
}
