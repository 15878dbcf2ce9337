// A process that claims a folder of results whenever it is told to, and gives it back.
import { claimDirectory, completeExperiment, freezeExperiment } from "@tsallis/lab";

const frozen = freezeExperiment(
  completeExperiment({
    name: "x",
    horizon: 10,
    seeds: 1,
    environments: { a: { environment: "lower-bound", alpha: 2, arms: 2, gap: 0.1 } },
    policies: { uniform: { policy: "uniform" } },
  }),
);
let release = () => {};

process.on("message", ({ command, directory }) => {
  if (command === "release") release();
  else {
    try {
      release = claimDirectory(directory, frozen);
    } catch (error) {
      release = () => {};
      process.send({ code: error.code, message: error.message });
      return;
    }
  }
  process.send({});
});
process.send({});
