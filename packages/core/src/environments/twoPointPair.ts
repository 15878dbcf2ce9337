import { twoPoint } from "../distributions/twoPoint.js";
import type { Environment } from "./environment.js";
import { environmentNoise } from "./environmentNoise.js";
import { phased } from "./phased.js";

/**
 * The stochastic environment in which every arm's loss is `value` with `probability`, else 0. One arm, drawn from the seed, has half that probability.
 * These are the losses of the lower bounds of Bubeck, Cesa-Bianchi and Lugosi ("Bandits with heavy tail", 2013).
 */
export function twoPointPair(
  name: string,
  options: { readonly alpha: number; readonly arms: number; readonly [parameter: string]: unknown },
  seed: number,
  value: number,
  probability: number,
): Environment {
  const worse = twoPoint({ value, probability });
  const better = twoPoint({ value, probability: probability / 2 });
  // Round 0 is never played, so its first cell can name the best arm.
  const noise = environmentNoise(name, seed);
  const best = Math.floor(noise.at(0, 0).uniform() * options.arms);
  const distributions = Array.from({ length: options.arms }, (_, arm) => (arm === best ? better : worse));
  return phased(name, options, seed, [distributions], () => 0, noise);
}
