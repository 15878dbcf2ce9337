import { elementary } from "tsallis";

/** At most `count` rounds from 1 to the horizon, evenly spaced on a logarithmic axis; the horizon is always among them. */
export function checkpoints(horizon: number, count: number): number[] {
  const step = elementary.log(horizon) / (count - 1);
  const rounds = new Set<number>();
  for (let i = 0; i < count - 1; i++) rounds.add(Math.min(horizon, Math.round(elementary.exp(i * step))));
  return [...rounds.add(horizon)];
}
