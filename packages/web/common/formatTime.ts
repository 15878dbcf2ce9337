const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS = [
  [DAY, "day"],
  [HOUR, "hour"],
  [MINUTE, "minute"],
  [1, "second"],
] as const;

const FULL = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const CLOCK_SECONDS = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** How long ago something was, as `12 s ago`. What lies in the future by the clocks' difference is now. */
export function formatAgo(seconds: number): string {
  if (seconds < 1) return "now";
  if (seconds < MINUTE) return `${Math.floor(seconds)} s ago`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ago`;
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)} h ago`;
  return `${Math.floor(seconds / DAY)} days ago`;
}

/** A span of seconds in its largest whole unit, as `1 day` or `90 minutes`. */
export function formatDuration(seconds: number): string {
  const [size, unit] = UNITS.find(([unitSize]) => seconds >= unitSize && seconds % unitSize === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Day and time on the reader's clock. */
export function formatMoment(milliseconds: number): string {
  return FULL.format(milliseconds);
}

/** The time of day on the reader's clock. */
export function formatClock(milliseconds: number, seconds = false): string {
  return (seconds ? CLOCK_SECONDS : CLOCK).format(milliseconds);
}

/** The labels of ticks that lie `step` seconds apart: days for long steps, else times, with the day where it begins. */
export function formatTicks(seconds: readonly number[], step: number): string[] {
  if (step >= DAY) return seconds.map((second) => DATE.format(second * 1000));
  const clock = step < MINUTE ? CLOCK_SECONDS : CLOCK;
  return seconds.map((second) => {
    const date = new Date(second * 1000);
    const midnight = date.getHours() + date.getMinutes() + date.getSeconds() === 0;
    return midnight ? DATE.format(date) : clock.format(date);
  });
}
