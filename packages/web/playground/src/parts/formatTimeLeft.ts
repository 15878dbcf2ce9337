/** Seconds that are left, in words. */
export function formatTimeLeft(seconds: number): string {
  if (!(seconds >= 5 && seconds < Number.POSITIVE_INFINITY)) return "";
  if (seconds < 90) return `about ${Math.ceil(seconds / 5) * 5} s left`;
  return `about ${Math.round(seconds / 60)} min left`;
}
