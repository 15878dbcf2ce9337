import { register } from "../registry.js";
import { ENVIRONMENTS, type EnvironmentEntry } from "./table.js";

/** Makes an environment of your own known by a name, so that `createEnvironment` and experiments find it. */
export function registerEnvironment(name: string, entry: EnvironmentEntry): void {
  register("environment", ENVIRONMENTS, name, entry);
}
