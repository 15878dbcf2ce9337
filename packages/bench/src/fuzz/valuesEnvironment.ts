import { createEnvironment, type Environment } from "tsallis";
import type { ValuesWorld } from "./valuesWorld.js";

/** How a policy sees the losses of a world. */
export type View = "as they are" | "mapped to [0, 1]" | "shifted to be non-negative";

const LOSS: Readonly<Record<View, (value: number, world: ValuesWorld) => number>> = {
  "as they are": (value, { shift }) => value + shift,
  "mapped to [0, 1]": (value, { lowest, range }) => (value - lowest) / range,
  "shifted to be non-negative": (value, { lowest }) => value - lowest,
};

/** The world as an environment. In a given round, an arm draws the same value in every view: the noise depends on the world's number alone. */
export function valuesEnvironment(world: ValuesWorld, view: View): Environment {
  const constant = (value: number) => ({ distribution: "constant", value: LOSS[view](value, world) });
  const of = world.values.map(constant);
  const arms = world.distributions.map((weights, arm) => {
    return arm === world.constant?.arm ? constant(world.constant.value) : { distribution: "mixture", weights, of };
  });
  return createEnvironment({ environment: "stochastic", alpha: 2, arms }, world.number);
}
