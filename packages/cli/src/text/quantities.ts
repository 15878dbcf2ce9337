/** "1 chunk", "2 chunks" */
export function counted(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** Seconds as people say them: "8 s", "2 min 5 s", "1 h 12 min". */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A rate as people say it: "1.9 million", "12 thousand", "340". */
export function rateText(rate: number): string {
  if (rate >= 1e6) return `${(rate / 1e6).toFixed(1)} million`;
  return rate >= 1000 ? `${Math.round(rate / 1000)} thousand` : rate.toFixed(0);
}
