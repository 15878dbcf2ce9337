import { Noise } from "../random/noise.js";

/** The noise of an environment depends only on its name and the seed, so two environments of one name and seed differ by their distributions alone. */
export function environmentNoise(name: string, seed: number): Noise {
  return new Noise(seed, "environment", name);
}
