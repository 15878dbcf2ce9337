// A process that writes the results of as many runs as its argument says, and prints how many bytes were alive at most, by a full collection now and then.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completeExperiment, freezeExperiment, inlineExecutor, runsOf } from "@tsallis/lab";
import { writeResults } from "@tsallis/lab/report";
import { Journal } from "../dist/journal/journal.js";

/** The same for every number of runs, because the resamples of more seeds take more memory, up to a limit. */
const SEEDS = 300;
const count = Number(process.argv[2]);
const world = { environment: "lower-bound", alpha: 1.5, arms: 4, gap: 0.1 };
const alive = () => {
  // The second collection waits for what the first one lets go in the background: buffers count until then.
  global.gc();
  global.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

const directory = mkdtempSync(join(tmpdir(), "tsallis-memory-"));
try {
  const before = alive();
  const frozen = freezeExperiment(
    completeExperiment({
      name: "memory",
      horizon: 10_000,
      seeds: SEEDS,
      environments: Object.fromEntries(Array.from({ length: count / SEEDS / 2 }, (_, i) => [`world ${i}`, world])),
      policies: { htinf: { policy: "htinf", alpha: "promised", sigma: "promised" }, uniform: { policy: "uniform" } },
    }),
  );
  const journal = Journal.open(join(directory, "journal.jsonl"), frozen);
  const runs = runsOf(frozen.experiment);
  const listener = { onRounds() {}, onResult: (result) => append(JSON.stringify(result)) };
  const append = (line) => {
    for (const [i, { id }] of runs.entries()) {
      const { trace, ...rest } = JSON.parse(line);
      journal.append({ ...rest, id, trace: { ...trace, pseudoRegret: trace.pseudoRegret.map((value) => value * (1 + (i % 101) / 100)) } });
    }
  };
  // One run is played, and all others are like it.
  await inlineExecutor.execute(frozen, runs.slice(0, 1), listener, new AbortController().signal);
  journal.close();
  let reads = 0;
  let most = 0;
  const results = {
    size: journal.size,
    has: (id) => journal.has(id),
    get(id) {
      if (reads++ % 50 === 0) most = Math.max(most, alive() - before);
      return journal.get(id);
    },
  };
  await writeResults(directory, frozen, results);
  console.log(JSON.stringify({ most, readsPerRun: reads / count }));
} finally {
  rmSync(directory, { recursive: true });
}
