/** The order of results: that of the run ids as text, by code units, which no locale changes. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
