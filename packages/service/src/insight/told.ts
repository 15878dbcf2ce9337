/** A number in a sentence: three digits. */
export function told(value: number): string {
  return String(Number(value.toPrecision(3)));
}

export function toldCount(count: number): string {
  return count.toLocaleString("en-US");
}

export function toldShare(share: number): string {
  return `${told(100 * share)} %`;
}
