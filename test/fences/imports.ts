import { posix } from "node:path";
import ts from "typescript";

/** What a room may import beside its own files. */
export interface Room {
  /** Packages of this repository. */
  readonly packages: readonly string[];
  /** Node's own modules. */
  readonly node: boolean;
  /** Third-party packages: those that its package.json declares. */
  readonly dependencies: readonly string[];
  /** Rooms, by folder, whose builds it may import by their files, though their packages do not offer them. */
  readonly builds?: readonly string[];
}

/** The imports of one source file that its room does not allow. `path` is relative to the room's `src`. */
export function strayImports(path: string, source: string, room: Room): string[] {
  const { importedFiles, referencedFiles, typeReferenceDirectives } = ts.preProcessFile(source, true, true);
  const references = [...referencedFiles, ...typeReferenceDirectives].map(({ fileName }) => `/// ${fileName}`);
  return [...references, ...importedFiles.map(({ fileName }) => fileName).filter((specifier) => !allowed(path, specifier, room))];
}

function allowed(path: string, specifier: string, { packages, node, dependencies, builds = [] }: Room): boolean {
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(path), specifier);
    return !target.startsWith("..") || builds.some((folder) => target.startsWith(`../../${folder}/dist/`));
  }
  if (specifier.startsWith("node:")) return node;
  return packages.includes(specifier) || dependencies.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
