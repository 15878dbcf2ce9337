import type { Distribution } from "../distributions/distribution.js";
import { shifted } from "../distributions/shifted.js";
import { sinPi } from "../elementary/sinPi.js";
import { LARGEST_LOSS } from "../largestLoss.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { environmentNoise } from "./environmentNoise.js";
import { phased } from "./phased.js";
import { requireCell } from "./requireCell.js";
import { requireMeans } from "./requireMeans.js";

export const WAVES = {
  alpha: ALPHA,
  arms: { type: "distributions", minimum: 1, description: "the distribution of each arm's losses at level 0" },
  amplitude: { type: "number", atLeast: 0, atMost: LARGEST_LOSS, description: "the highest level" },
  period: { type: "integer", atLeast: 1, description: "the rounds of a wave; four times the horizon gives a rise that never turns" },
} as const satisfies Parameters;

/**
 * All losses rise and fall together: in round t, amplitude sin(2 pi (t - 1) / period) is added to the loss of every arm. The gaps stay. The
 * answers for an environment of just the lowest and the highest level hold here too: E|X + level|^alpha is convex in the level, hence largest at
 * an end; and x 1{|x| > M} does not fall as x rises, so what is truncated non-negative at the lowest level is so at every level.
 */
export function waves(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(WAVES, options, path);
  const { arms, amplitude, period } = completed;
  requireMeans(arms, `${path}arms`);
  const levelAt = (step: number) => amplitude * sinPi((2 * step) / period);
  const highest = Math.max(levelAt(Math.floor(period / 4)), levelAt(Math.ceil(period / 4)));
  const noise = environmentNoise("waves", seed);
  const lists = [-highest, highest].map((by) => arms.map((of) => shifted({ by, of })));
  const ends = phased("waves", completed, seed, lists, () => 0, noise);
  const levelOf = (round: number) => levelAt((round - 1) % period);

  /** The sum of the levels of rounds 1 to `round`: that of sin(2 k x) over k < n is sin(n x) sin((n - 1) x) / sin(x), and that of a whole wave 0. */
  function levelSum(round: number): number {
    const n = round % period;
    return n === 0 ? 0 : (amplitude * sinPi(n / period) * sinPi((n - 1) / period)) / sinPi(1 / period);
  }

  return Object.freeze({
    ...ends,
    loss(round: number, arm: number) {
      requireCell(arms.length, round, arm);
      return arms[arm]!.sample(noise.at(round, arm)) + levelOf(round);
    },
    mean(round: number, arm: number) {
      requireCell(arms.length, round, arm);
      return arms[arm]!.mean + levelOf(round);
    },
    meanSum(round: number, arm: number) {
      requireCell(arms.length, round, arm);
      return round * arms[arm]!.mean + levelSum(round);
    },
    gap(round: number, arm: number) {
      requireCell(arms.length, round, arm);
      return ends.gaps![arm]!;
    },
    distribution(round: number, arm: number): Distribution {
      requireCell(arms.length, round, arm);
      return shifted({ by: levelOf(round), of: arms[arm]! });
    },
  });
}
