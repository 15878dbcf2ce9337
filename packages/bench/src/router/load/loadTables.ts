import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import { shownMean } from "../worlds/meanInterval.js";
import { TIMEOUT_MS } from "../worlds/scenarios.js";
import type { LoadResult } from "./loadResults.js";
import { LOAD_SCENARIOS } from "./loadScenarios.js";
import { loadTargets } from "./loadTargets.js";

const HOW = `Here latency depends on what is sent where. A request fails after ${TIMEOUT_MS / 1000} s, and its server works on it nevertheless. A failure costs ${TIMEOUT_MS / 1000} s. Worst tenth: the largest, over seeds and
tenths of a run, of a rule's mean in a tenth to that of the best rule (the smallest mean of all) in the same tenth, and by how many percentage points more failed.
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
        (100 * failures.mean).toFixed(2),
        worstTenth.toFixed(2),
        (100 * worstFailures).toFixed(2),
        ...(share === null ? [] : [shownMean(share, 2)]),
      ]),
    )}`;
  });
  const targets = formatTable(
    ["", "asked", "measured"],
    loadTargets(results).map(({ name, asked, measured }) => [name, asked, measured.toFixed(2)]),
  );
  return [HOW, ...tables, `What was asked\n${targets}`].join("\n");
}
