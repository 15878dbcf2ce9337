import { posix } from "node:path";
import ts from "typescript";

/** Modules that start processes and threads, listen, connect or open a browser. */
const OUTSIDE =
  /^(?:(?:node:)?(?:child_process|cluster|dgram|http|https|http2|net|tls|worker_threads)|undici|ioredis|pg|bullmq|playwright-core)(?:\/|$)|\/scripts\/parts\.mjs$/;
/** A path into the output of the build. */
const BUILT = /["'`](?:\.\.?\/)+(?:[\w-]+\/)*(?:dist|bin)\/[^"'`\n]*/g;

/**
 * What a test uses that a unit test must not: servers, processes, threads, a browser, the build. It follows imports of files in test folders, but not of the
 * sources. `read` returns the text of a file by its path from the root.
 */
export function outside(path: string, read: (path: string) => string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return [];
  seen.add(path);
  const source = read(path);
  const specifiers = ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
  const built = [...source.matchAll(BUILT)].map(([text]) => text.slice(1));
  const found = [...new Set([...specifiers.filter((specifier) => OUTSIDE.test(specifier)), ...built])].map((what) => `${path}: ${what}`);
  const files = specifiers.filter((specifier) => specifier.startsWith(".")).map((specifier) => posix.join(posix.dirname(path), specifier));
  const ours = files.filter((file) => /^(?:packages\/[^/]+\/)?test\//.test(file) && !/\/(?:dist|bin)\//.test(file));
  return [...found, ...ours.flatMap((file) => outside(file.replace(/\.js$/, ".ts"), read, seen))];
}
