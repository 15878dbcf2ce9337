import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the repository, without a slash at the end. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

/** Every file that git would keep, as a path from the root with forward slashes. It walks the folders, because a source archive has no .git. */
export function repositoryFiles(): string[] {
  const ignored = ignoreRules();
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = relative(ROOT, join(folder, entry.name)).split(sep).join("/");
      if (ignored(path, entry.isDirectory())) return [];
      return entry.isDirectory() ? walk(join(folder, entry.name)) : [path];
    });
  return walk(ROOT).sort();
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Understands as much of .gitignore as ours uses: `folder/`, `/path/of/a/folder/` from the root, and `*.suffix`. */
function ignoreRules(): (path: string, isFolder: boolean) => boolean {
  const rules = read(".gitignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const unknown = rules.find((rule) => !/^(?:[\w.-]+\/|\/(?:[\w.-]+\/)+|\*\.[\w.]+)$/.test(rule));
  if (unknown !== undefined) throw new Error(`test/repository.ts does not understand the line "${unknown}" of .gitignore; teach it`);
  return (path, isFolder) =>
    posix.basename(path) === ".git" ||
    rules.some((rule) => {
      if (rule.startsWith("*")) return !isFolder && path.endsWith(rule.slice(1));
      return isFolder && (rule === `${posix.basename(path)}/` || rule === `/${path}/`);
    });
}
