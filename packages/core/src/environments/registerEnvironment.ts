import { register } from "../registry.js";
import { ENVIRONMENTS, type EnvironmentEntry } from "./table.js";

/** Registers an environment of your own under a name, so that `createEnvironment` and experiments find it. */
export function registerEnvironment(name: string, entry: EnvironmentEntry): void {
  register("environment", ENVIRONMENTS, name, entry);
}
