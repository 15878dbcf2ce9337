import { elementary } from "tsallis";
import { lastFifth } from "./lastFifth.js";

/**
 * At most `count` rounds up to the horizon, at least 2: the horizon, the round before the last fifth of the rounds, by which a run is stuck or not, and
 * others from 1 on, evenly spaced on a logarithmic axis.
 */
export function checkpoints(horizon: number, count: number): number[] {
  const step = elementary.log(horizon) / (count - 2);
  const rounds = new Set([horizon, lastFifth(horizon).from]);
  for (let i = 0; i < count - 2; i++) rounds.add(Math.min(horizon, Math.round(elementary.exp(i * step))));
  rounds.delete(0);
  return [...rounds].sort((a, b) => a - b);
}
