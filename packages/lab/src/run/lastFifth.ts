/**
 * The last fifth of the rounds, in which a run shows the result of its learning: the rounds after `from`, which is floor(4/5 horizon), up to `to`, the
 * horizon.
 */
export function lastFifth(horizon: number): { readonly from: number; readonly to: number } {
  return { from: horizon - Math.ceil(horizon / 5), to: horizon };
}
