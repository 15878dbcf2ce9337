import { spawnSync } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type OwnEnvironmentEntry, type PolicyEntry, registerEnvironment, registerPolicy } from "tsallis";
import { LabError } from "../labError.js";
import { type ImportedModule, LAB_KEYS } from "./experiment.js";
import { loadedModule } from "./loadedModule.js";
import { watchLoads } from "./watchLoads.js";

interface Exports {
  readonly policies?: Readonly<Record<string, PolicyEntry>>;
  readonly environments?: Readonly<Record<string, OwnEnvironmentEntry>>;
}

/** The policies that this thread has imported and not yet played. */
export const untriedPolicies = new Set<string>();

/**
 * Registers the `policies` and `environments` that the user's own modules export: tables from name to entry, like the core's. The modules need not
 * import this library. Call this once in every thread that plays runs, before anything else loads them.
 */
export async function importModules(files: readonly string[]): Promise<ImportedModule[]> {
  const modules: ImportedModule[] = [];
  for (const file of files) {
    const path = pathOf(file);
    const loads = watchLoads();
    let exported: Exports;
    try {
      exported = (await import(pathToFileURL(path).href)) as Exports;
    } catch (error) {
      throw new LabError("ERR_IMPORT", `${file} cannot be loaded: ${reasonOf(error, file, path)}`);
    }
    const module = loadedModule(file, loads());
    const policies = Object.entries(exported.policies ?? {});
    const environments = Object.entries(exported.environments ?? {});
    if (policies.length + environments.length === 0) {
      throw new LabError("ERR_IMPORT", `${file} registers nothing; it must export an object "policies" or "environments" that maps names to entries`);
    }
    for (const [name, entry] of environments) {
      const taken = LAB_KEYS.find((key) => Object.hasOwn(entry?.parameters ?? {}, key));
      if (taken !== undefined) {
        throw new LabError(
          "ERR_IMPORT",
          `${file} has the environment ${name} with a parameter ${taken}, which is a key of the lab; rename the parameter`,
        );
      }
    }
    for (const [name, entry] of policies) {
      registerPolicy(name, entry);
      untriedPolicies.add(name);
    }
    for (const [name, entry] of environments) registerEnvironment(name, entry);
    modules.push(module);
  }
  return modules;
}

function pathOf(file: string): string {
  let path: string;
  try {
    path = realpathSync(file);
  } catch (error) {
    throw new LabError("ERR_IMPORT", `${file} cannot be loaded: ${(error as Error).message}`);
  }
  if (statSync(path).isDirectory()) throw new LabError("ERR_IMPORT", `${file} cannot be loaded: it is a folder; name the file of the module`);
  return path;
}

function reasonOf(error: unknown, file: string, path: string): string {
  const { name, message, stack = "" } = error instanceof Error ? error : new Error(String(error));
  if (/^Unknown file extension "\.[cm]?ts"/.test(message))
    return `${message}; take Node 22.18 or newer, which strips types, or compile it to JavaScript`;
  if (name === "SyntaxError") return `${message}; ${syntaxErrorIn(path) ?? `node ${file} shows where`}`;
  // What follows is a place in the lab.
  const [theirs] = stack.split(` ${importModules.name} `);
  const place = /\bfile:\S+:\d+:\d+/.exec(theirs!)?.[0];
  return place === undefined ? message : `${message}, at ${place}`;
}

/** Node tells the line of a syntax error to a terminal alone. Null if the error is in a file that this one loads. */
function syntaxErrorIn(path: string): string | null {
  const { stderr } = spawnSync(process.execPath, ["--check", path], { encoding: "utf8" });
  const line = /^.*:(\d+)\n/.exec(stderr ?? "")?.[1];
  return line === undefined ? null : `see line ${line}`;
}
