import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../experiments/", import.meta.url));

/** The names of the experiments that come with the lab. */
export function builtInNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.slice(0, -".yaml".length))
    .sort();
}

/** The text of an experiment that comes with the lab; undefined if none has that name. */
export function builtIn(name: string): string | undefined {
  return builtInNames().includes(name) ? readFileSync(join(FOLDER, `${name}.yaml`), "utf8") : undefined;
}
