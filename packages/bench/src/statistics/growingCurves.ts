import { elementary, normal, type Rng } from "tsallis";

/** Curves of regret over the rounds, one per seed, whose mean grows at a known rate. */
export interface GrowingCurves {
  readonly name: string;
  /** The true mean at a round; the exponent is the slope of its logarithm. */
  mean(round: number): number;
  /** Draws the curve of one seed. */
  draw(rng: Rng): number[];
}

const NORMAL = normal({ mean: 0, deviation: 1 });

/** Eight checkpoints per decade over the last decade and a half of 100,000 rounds, as in the lab. */
export const ROUNDS: readonly number[] = Array.from({ length: 13 }, (_, i) => Math.round(10 ** (3.5 + i / 8)));

/** t^0.6 times the seed's log-normal factor, which wanders along ln t and always has mean 1. */
function powers(name: string, scale: number, wander: number): GrowingCurves {
  return {
    name,
    mean: (round) => elementary.pow(round, 0.6),
    draw: (rng) => wandering(rng, scale, wander).map((factor, i) => factor * elementary.pow(ROUNDS[i]!, 0.6)),
  };
}

function wandering(rng: Rng, scale: number, wander: number): number[] {
  let position = scale * NORMAL.sample(rng) - (scale * scale) / 2;
  return ROUNDS.map((round, i) => {
    const step = i === 0 ? 0 : elementary.log(round / ROUNDS[i - 1]!);
    position += wander * Math.sqrt(step) * NORMAL.sample(rng) - (wander * wander * step) / 2;
    return elementary.exp(position);
  });
}

const STUCK = 0.1;

/** One seed in ten is stuck: its regret is linear. */
const stuck: GrowingCurves = {
  name: "root, 1 in 10 linear",
  mean: (round) => (1 - STUCK) * 10 * Math.sqrt(round) + STUCK * 0.1 * round,
  draw: (rng) => {
    const linear = rng.uniform() < STUCK;
    return wandering(rng, 0.3, 0.1).map((factor, i) => (linear ? 0.1 * ROUNDS[i]! : 10 * factor * Math.sqrt(ROUNDS[i]!)));
  },
};

export const GROWING_CURVES: readonly GrowingCurves[] = [powers("power, calm", 0.5, 0.1), powers("power, wild", 1, 0.3), stuck];
