/** The keys of a path such as `a.b[2].c`; indices become numbers. */
export function splitPath(path: string): (string | number)[] {
  return path
    .split(/\.|\[(\d+)\]/)
    .filter((part) => part !== undefined && part !== "")
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
