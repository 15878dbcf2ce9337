import { isAbsolute, relative } from "node:path";

/** A path as people read it: relative if it is inside the current folder, else in full. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" ? "." : short.startsWith("..") || isAbsolute(short) ? path : short;
}
