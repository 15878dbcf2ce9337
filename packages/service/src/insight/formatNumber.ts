/** A number in a sentence: three digits. */
export function formatNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

export function formatShare(share: number): string {
  return `${formatNumber(100 * share)} %`;
}
