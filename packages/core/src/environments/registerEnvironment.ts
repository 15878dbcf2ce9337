import { register } from "../registry.js";
import { ENVIRONMENTS, type EnvironmentEntry } from "./table.js";

/**
 * Registers an environment of your own under a name, so that `createEnvironment` and experiments find it.
 *
 * @example
 * ```ts
 * import { createEnvironment, ENVIRONMENTS, registerEnvironment } from "tsallis";
 *
 * // The world of `replay`, with a table of its own.
 * registerEnvironment("see-saw", {
 *   parameters: {},
 *   description: "two arms take turns",
 *   create: (_options, seed) => ENVIRONMENTS.replay.create({ alpha: 2, losses: [[0, 1], [1, 0]] }, seed),
 * });
 * console.log(createEnvironment({ environment: "see-saw" }, 7).loss(2, 0)); // 1
 * ```
 */
export function registerEnvironment(name: string, entry: EnvironmentEntry): void {
  register("environment", ENVIRONMENTS, name, entry);
}
