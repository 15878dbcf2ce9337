import { stream } from "tsallis";

/** Positive factors around 1, as latencies have them: log-normal with sigma 0.5. A policy that measures the spread of losses needs some. */
export function jitter(seed: number): () => number {
  const rng = stream(seed, "jitter");
  return () => Math.exp(0.5 * Math.sqrt(-2 * Math.log(1 - rng.uniform())) * Math.cos(2 * Math.PI * rng.uniform()));
}
