// A process of its own that plays a share of the benchmark's runs, one after the other. Arguments: horizon, seeds, which share of how many.
// Prints rounds per millisecond, its start left out.
import { freezeExperiment, inlineExecutor, runsOf } from "@tsallis/lab";
import { labExperiment } from "./labExperiment.js";

const [horizon, seeds, share, shares] = process.argv.slice(2).map(Number) as [number, number, number, number];
const frozen = freezeExperiment(labExperiment(horizon, seeds));
const runs = runsOf(frozen.experiment).filter((_, i) => i % shares === share);
const start = performance.now();
await inlineExecutor.execute(frozen, runs, { onResult() {}, onRounds() {} }, new AbortController().signal);
console.log((runs.length * horizon) / (performance.now() - start));
