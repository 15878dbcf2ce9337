import { completeOptions } from "../parameters.js";
import { calling, register } from "../registry.js";
import { type OwnEnvironment, ownEnvironment } from "./ownEnvironment.js";
import { ENVIRONMENTS, type EnvironmentEntry } from "./table.js";

/** What `registerEnvironment` takes. */
export interface OwnEnvironmentEntry extends Omit<EnvironmentEntry, "create"> {
  /** Makes the environment from completed options, in which distributions are Distribution objects already. */
  // biome-ignore lint/suspicious/noExplicitAny: the table of parameters says which types the options have
  create(options: any, seed: number, path?: string): OwnEnvironment;
}

/**
 * Registers an environment of your own under a name, so that `createEnvironment` and experiments find it. Options are checked against the table of parameters, and
 * what the environment lacks is completed or refused by name, when it is created.
 *
 * @example
 * ```ts
 * import { createEnvironment, registerEnvironment } from "tsallis";
 *
 * registerEnvironment("see-saw", {
 *   parameters: { period: { type: "integer", atLeast: 1, default: 2, description: "the rounds that an arm stays good" } },
 *   description: "two arms take turns",
 *   create: ({ period }) => {
 *     const cost = (round, arm) => (Math.floor((round - 1) / period) + arm) % 2;
 *     return { arms: 2, alpha: 2, loss: cost, mean: cost };
 *   },
 * });
 * const world = createEnvironment({ environment: "see-saw" }, 7);
 * console.log(world.spec, world.meanSum(5, 0)); // { environment: 'see-saw', period: 2 } 2
 * ```
 */
export function registerEnvironment(name: string, entry: OwnEnvironmentEntry): void {
  register("environment", ENVIRONMENTS, name, entry, [], ({ create, ...facts }) => ({
    ...facts,
    create(options, seed, path = "") {
      const completed = completeOptions(entry.parameters, options, path);
      return calling(`the environment ${name}`, () => ownEnvironment(name, completed, seed, create(completed, seed, path)));
    },
  }));
}
