import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { LabError } from "../labError.js";
import type { ImportedModule } from "./experiment.js";
import { isPackage, type Loads, TSALLIS } from "./watchLoads.js";

/**
 * What a module of the user's own and all that it loads were when this thread loaded them. Files are followed. Packages count by name and version, and what they
 * load in turn is not looked at: the lab itself has loaded some of them before anybody watched.
 */
export function loadedModule(file: string, { hashes, edges, unseen }: Loads): ImportedModule {
  const entry = realpathSync(file);
  const loads = new Map<string, string>();
  const urls = new Set([pathToFileURL(entry).href]);
  for (const url of urls) {
    const hash = hashes.get(url);
    if (hash === undefined) throw unwatched(file, pathFrom(entry, url));
    loads.set(pathFrom(entry, url), hash);
    for (const [specifier, target] of edges.get(url) ?? []) {
      if (isBuiltin(target) || TSALLIS.test(specifier)) continue;
      if (!isPackage(target) || !addPackage(loads, fileURLToPath(target))) urls.add(target);
    }
  }
  if (unseen.length > 0) throw unwatched(file, pathFrom(entry, pathToFileURL(unseen[0]!).href));
  if (loads.size === 1) return { file, hash: loads.get(".")! };
  const sorted = Object.fromEntries([...loads].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { file, hash: createHash("sha256").update(JSON.stringify(sorted)).digest("hex"), loads: sorted };
}

/** A file as the module's folder sees it, so that the names are the same on every machine. */
function pathFrom(entry: string, url: string): string {
  if (!url.startsWith("file:")) return url;
  const path = fileURLToPath(url);
  if (path === entry && !url.includes("?")) return ".";
  const below = relative(dirname(entry), path).split(sep).join("/");
  return `${below.startsWith("../") ? "" : "./"}${below}${new URL(url).search}`;
}

/** Returns false if the package has no version; its files count then as one's own do. */
function addPackage(loads: Map<string, string>, path: string): boolean {
  for (let folder = dirname(path); isPackage(`${folder}${sep}`); folder = dirname(folder)) {
    const { name, version } = manifestIn(folder);
    if (name === undefined || version === undefined) continue;
    const versions = new Set([...(loads.get(name)?.split(", ") ?? []), version]);
    loads.set(name, [...versions].sort().join(", "));
    return true;
  }
  return false;
}

/** Inside a package there may be more of these files, without a name and a version. */
function manifestIn(folder: string): { readonly name?: string; readonly version?: string } {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return {};
  }
}

function unwatched(file: string, path: string): LabError {
  const which = path === "." ? `${file} was loaded` : `${file} loads ${path}`;
  return new LabError(
    "ERR_IMPORT",
    `${which} in a way that cannot be watched: it was loaded before the lab could watch (import tsallis by its name, not by a path), or by require() under a Node older than 22.15 (use an import statement)`,
  );
}
