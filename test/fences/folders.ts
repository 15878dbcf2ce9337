import { posix } from "node:path";
import ts from "typescript";

/** The folders of a package: what each may import of the others. A folder comes after those that it imports, so that no two import each other. */
export interface Folders {
  /** Files beside the folders that all of them may import. Those that are not listed here, as the index, import whatever they like, and nobody imports them. */
  readonly common: readonly string[];
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

/** The imports of one source file that lead into a folder which its own may not import. `path` is the file's, from the package's `src`. */
export function strayFolders(path: string, source: string, { common, folders }: Folders): string[] {
  const names = Object.keys(folders);
  const from = folderOf(path, names);
  if (from === undefined) return path.includes("/") ? [`${posix.dirname(path)} is not listed`] : [];
  const specifiers = ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
  return specifiers.filter((specifier) => {
    if (!specifier.startsWith(".")) return false;
    const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts");
    const to = folderOf(target, names);
    return to === undefined ? !common.includes(target) : to !== from && !folders[from]!.includes(to);
  });
}

/** The innermost folder with a line of its own. */
function folderOf(path: string, names: readonly string[]): string | undefined {
  return names.filter((name) => path.startsWith(`${name}/`)).sort((a, b) => b.length - a.length)[0];
}
