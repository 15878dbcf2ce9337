/**
 * Where an error was thrown, in brackets: ` (at Mine.choose (mine.mjs:12:5))`. Empty if it does not say. The folder is left out: a failed run is part of the results,
 * which are the same on every machine.
 */
export function placeOf(error: unknown): string {
  const frame = error instanceof Error ? /\n\s+(at .*)/.exec(error.stack ?? "")?.[1] : undefined;
  return frame === undefined ? "" : ` (${frame.replace(/(file:|\/|[A-Z]:\\).*[\\/]/, "")})`;
}
