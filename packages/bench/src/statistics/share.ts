/** A share of trials with its Monte Carlo standard error. */
export interface Share {
  readonly trials: number;
  readonly share: number;
  readonly standardError: number;
}

export function shareOf(hits: number, trials: number): Share {
  const share = hits / trials;
  return { trials, share, standardError: Math.sqrt((share * (1 - share)) / trials) };
}
