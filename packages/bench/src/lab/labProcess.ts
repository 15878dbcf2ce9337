// A separate process that plays a share of the benchmark's runs, one after the other. Arguments: horizon, seeds, the index of the share, the number of shares.
// Prints rounds per millisecond, without its start.
import { freezeExperiment, inlineExecutor, runsOf } from "@tsallis/lab";
import { labExperiment } from "./labExperiment.js";

const [horizon, seeds, share, shares] = process.argv.slice(2).map(Number) as [number, number, number, number];
const frozen = freezeExperiment(labExperiment(horizon, seeds));
const runs = runsOf(frozen.experiment).filter((_, i) => i % shares === share);
const start = performance.now();
await inlineExecutor.execute(frozen, runs, { onResult() {}, onRounds() {} }, new AbortController().signal);
console.log((runs.length * horizon) / (performance.now() - start));
