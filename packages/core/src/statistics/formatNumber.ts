const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number for people: three significant digits, separated thousands, and powers of ten for very large and very small numbers. */
export function formatNumber(value: number): string {
  if (value < 0) return `−${formatNumber(-value)}`;
  if (value === 0) return "0";
  if (value === Infinity) return "∞";
  const exponent = Number(value.toExponential(2).split("e")[1]);
  if (exponent < -4 || exponent > 8) return `${Number(value.toExponential(2).split("e")[0])} × ${powerOfTen(exponent)}`;
  const [whole, fraction] = value.toFixed(Math.max(0, 2 - exponent)).split(".");
  return fraction === undefined ? formatCount(Number(whole)) : `${formatCount(Number(whole))}.${fraction}`;
}

/** A count of things. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A share as a percentage, with as many digits as matter. */
export function formatPercent(share: number): string {
  const percent = 100 * share;
  return percent === 0 ? "0 %" : percent < 0.01 ? "< 0.01 %" : percent > 99.95 ? "100 %" : `${Number(percent.toFixed(percent < 1 ? 2 : 1))} %`;
}

/** An interval, as `[1.20, 1.40]`. */
export function formatInterval(low: number, high: number): string {
  return `[${formatNumber(low)}, ${formatNumber(high)}]`;
}

/** A power of ten such as 10³, as on the ticks of logarithmic axes. */
export function powerOfTen(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return `10${exponent < 0 ? "⁻" : ""}${digits}`;
}
