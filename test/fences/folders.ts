import { posix } from "node:path";
import ts from "typescript";

/** The folders of a package, and which of the others each may import. A folder comes after those that it imports, so that no two import each other. */
export interface Folders {
  /** The files beside the folders that all of them may import. Other files there, such as the index, may import anything, and no file imports them. */
  readonly common: readonly string[];
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

/** The imports of one source file that lead into a folder that its own folder may not import, or that its folder is not listed. `path` is relative to the package's `src`. */
export function strayFolders(path: string, source: string, { common, folders }: Folders): string[] {
  const names = Object.keys(folders);
  const from = posix.dirname(path);
  if (from === ".") return [];
  if (!names.includes(from)) return [`${from} is not listed`];
  const specifiers = ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
  return specifiers.filter((specifier) => {
    if (!specifier.startsWith(".")) return false;
    const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
    // Whether a room may reach into another one is not a question of its folders: strayImports has the answer.
    if (target.startsWith("..")) return false;
    const to = posix.dirname(target);
    return to === "." ? !common.includes(target) : to !== from && !folders[from]!.includes(to);
  });
}
