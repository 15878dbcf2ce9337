import { formatNumber, powerOfTen } from "tsallis/statistics";

/** One axis of a figure: its range, its ticks and their labels. */
export interface Axis {
  readonly type: "linear" | "log" | "symlog";
  readonly domain: readonly [number, number];
  readonly label: string;
  readonly ticks: readonly number[];
  /** Fainter lines between the ticks. */
  readonly minor: readonly number[];
  readonly format: (value: number) => string;
  /** For symlog only: values much smaller than this are drawn linearly. */
  readonly constant?: number;
}

/** No axis reaches further, so that sums and products of its numbers remain finite doubles. */
const FARTHEST = 1e300;

export function linearAxis(label: string, from: number, to: number, format: (value: number) => string = tick): Axis {
  let [low, high] = [from, to].map((end) => Math.min(FARTHEST, Math.max(-FARTHEST, end))) as [number, number];
  if (!(high - low > 1 / FARTHEST)) [low, high] = [low - 1, high + 1];
  const step = niceStep((high - low) / 5);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
  return { type: "linear", domain: [low, high], label, ticks, minor: [], format };
}

/** The smallest of 1, 2, 5 or 10 times a power of ten that is at least three quarters of `rough`. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find((factor) => factor * power >= rough * 0.75) ?? 10);
}

/** Ticks at powers of ten; if fewer than two powers are visible, also at 2 and 5 times them. */
export function logAxis(label: string, from: number, to: number): Axis {
  let [low, high] = [from, to].map((end) => Math.min(FARTHEST, Math.max(1 / FARTHEST, end))) as [number, number];
  if (!(high > low)) [low, high] = [low / 2, low * 2];
  const decades = range(Math.floor(Math.log10(low)), Math.ceil(Math.log10(high)));
  const inside = (value: number): boolean => value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
  const powers = decades.map(power).filter(inside);
  const stride = Math.ceil(powers.length / 7);
  const minor = decades.flatMap((exponent) => [2, 3, 4, 5, 6, 7, 8, 9].map((digit) => digit * power(exponent))).filter(inside);
  if (powers.length >= 2) {
    const ticks = powers.filter((_, index) => index % stride === 0);
    return { type: "log", domain: [low, high], label, ticks, minor, format: (value) => powerOfTen(Math.round(Math.log10(value))) };
  }
  const ticks = decades.flatMap((exponent) => [1, 2, 5].map((digit) => digit * power(exponent))).filter(inside);
  return { type: "log", domain: [low, high], label, ticks, minor, format: tick };
}

/** Linear around zero and logarithmic further out, for differences of very different sizes. */
export function symlogAxis(label: string, from: number, to: number, constant: number): Axis {
  const [low, high] = [Math.max(-FARTHEST, from), Math.min(FARTHEST, to)];
  const largest = Math.max(-low, high);
  const powers = range(Math.ceil(Math.log10(constant)), Math.floor(Math.log10(largest))).map(power);
  const stride = Math.ceil(powers.length / 4);
  const shown = powers.filter((_, index) => (powers.length - 1 - index) % stride === 0);
  const ticks = [...shown.map((value) => -value), 0, ...shown].filter((value) => value >= low && value <= high);
  return { type: "symlog", domain: [low, high], label, ticks, minor: [], format: tick, constant };
}

/** Numbers on ticks: 2k, 150k, 3M. */
function tick(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-3)) return formatNumber(value);
  const [scaled, unit] = size >= 1e6 ? [value / 1e6, "M"] : size >= 1e4 ? [value / 1e3, "k"] : [value, ""];
  return `${String(Number(scaled.toPrecision(6))).replace("-", "−")}${unit}`;
}

function power(exponent: number): number {
  return Number(`1e${exponent}`);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
