import { Failure, shortened } from "../text/failure.js";

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Ten years. */
const LONGEST_MS = 3_650 * UNITS.d;

/** The milliseconds that an option such as --expires 90d gives. */
export function readDuration(option: string, text: string): number {
  const [, count, unit] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * UNITS[unit as keyof typeof UNITS];
  if (ms <= LONGEST_MS) return ms;
  throw new Failure(
    "ERR_PARAMETER",
    `${option} must be a number and m, h or d, such as 30m, 24h or 90d, at most 3650d, got ${shortened(text)}`,
    `--${option}`,
  );
}
