import { formatNumber } from "tsallis/statistics";

/** Powers and slopes, with two digits after the point. */
export function fixed(value: number): string {
  return value.toFixed(2).replace("-", "−");
}

/** A number for tables, in little space: as formatNumber below ten thousand, then 12.3k and 7.12M. */
export function formatShort(value: number): string {
  if (value < 0) return `−${formatShort(-value)}`;
  if (!(value >= 9999.5 && value < 999.5e6)) return formatNumber(value);
  return value < 999.5e3 ? `${(value / 1e3).toPrecision(3)}k` : `${(value / 1e6).toPrecision(3)}M`;
}

/** An interval in little space, as `[1.20, 12.3k]`. */
export function formatShortInterval(low: number, high: number): string {
  return `[${formatShort(low)}, ${formatShort(high)}]`;
}
