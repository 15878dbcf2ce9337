/** A rate as people say it: "1.9 million", "12 thousand", "340". */
export function rateText(rate: number): string {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(1)} million`;
  return rate >= 1000 ? `${Math.round(rate / 1000)} thousand` : rate.toFixed(0);
}
