import { quantile } from "tsallis/statistics";
import type { Cell } from "../analysis/cells.js";
import { compareIds } from "../analysis/runOrder.js";
import type { Experiment } from "../document/experiment.js";
import { horizonOf } from "../document/runs.js";

/**
 * The contents of `timing.json`, in pieces: the wall time per round by environment and policy, and that of every run. It differs between machines, so
 * it has a file of its own.
 */
export function* timingJson(experiment: Experiment, cells: readonly Cell[]): Generator<string, void> {
  const runs = cells.flatMap((cell) => cell.runs);
  const seconds = cells.flatMap((cell) => [...cell.seconds]);
  const order = Uint32Array.from(runs.keys()).sort((a, b) => compareIds(runs[a]!.id, runs[b]!.id));
  const times = new Map<string, number[]>();
  for (const i of order) {
    const key = `${runs[i]!.environment}/${runs[i]!.policy}`;
    const known = times.get(key) ?? [];
    times.set(key, known);
    known.push((seconds[i]! * 1e9) / horizonOf(experiment, runs[i]!));
  }
  const nsPerRound = Object.fromEntries([...times].map(([key, each]) => [key, Math.round(quantile(each, 0.5))]));
  yield `{\n"nsPerRound": ${JSON.stringify(nsPerRound, null, 2)},\n"runs": [`;
  let before = "\n";
  for (const i of order) {
    yield `${before}${JSON.stringify({ id: runs[i]!.id, seconds: seconds[i]! })}`;
    before = ",\n";
  }
  yield "\n]\n}\n";
}
