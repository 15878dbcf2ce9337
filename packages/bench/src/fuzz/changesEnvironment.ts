import { createEnvironment, type Environment, registerEnvironment } from "tsallis";
import { type ChangesWorld, createChangesWorld } from "./changesWorld.js";

const NAME = "fuzz-changes";

registerEnvironment(NAME, {
  description: "a random world in which the levels of the losses change",
  parameters: { world: { type: "integer", atLeast: 1, description: "its number" } },
  create({ world }, seed) {
    const { arms, noise, mean, loss } = createChangesWorld(world);
    const source = createEnvironment({ environment: "stochastic", alpha: 1.4, arms: Array.from({ length: arms }, () => noise) }, seed);
    return {
      arms,
      alpha: source.alpha,
      mean,
      loss: (round: number, arm: number) => loss(mean(round, arm), source.loss(round, arm)),
    };
  },
});

export function changesEnvironment({ number }: ChangesWorld): Environment {
  return createEnvironment({ environment: NAME, world: number }, number);
}
