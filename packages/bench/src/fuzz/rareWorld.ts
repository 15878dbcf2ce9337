import { createEnvironment, type Environment, elementary, normal, stream, type Xoshiro128 } from "tsallis";
import { between, integer } from "./draws.js";

/** An arm whose losses are normal, and with a small probability also have `size` added to them. */
export interface RareArm {
  /** The mean of the normal part. */
  readonly mean: number;
  /** How often the rare event happens. */
  readonly probability: number;
  /** What it adds to the loss: below 0 it is a gain. */
  readonly size: number;
}

/** A random world of rare events. */
export interface RareWorld {
  readonly number: number;
  readonly arms: readonly RareArm[];
  /** Without its own rare event, the best arm would not be the best. */
  readonly wonByRareGains: boolean;
}

// The probabilities and sizes are those of the research that found the weakness; the rest was chosen on the worlds 1 to 1,000, so that MatchedTINF before it was changed to
// find rare gains is stuck in many of the worlds that are won by them (18 of 128 among the first 400), and the gains can be found. The worlds 1,001 to 1,400 are for the
// judgement: nothing is chosen by them.
const ARMS = { least: 2, most: 10 };
/** The probability of the rare event, as a power of ten: from 1 in 500 to 1 in 3. */
const PROBABILITIES = { from: -2.7, to: -0.5 };
/** Its size, as a power of ten. */
const SIZES = { from: 0, to: 2 };
/** The standard deviation of the normal part, and that of its means. */
const DEVIATION = 0.5;
const SPREAD = 2;
/**
 * How far the best arm must be ahead of the second, in multiples of the largest standard deviation of an arm, rare events included. To see a gap of that
 * size takes some 2 ln(T) / 0.1^2 = 2,000 plays, which is what every one of 10 arms can have in 50,000 rounds. Since a gain of probability p moves a mean by at
 * most sqrt(p) deviations, it also keeps a world from being won by gains rarer than about 1 in 100.
 */
const LEAST_GAP = 0.1;
const STANDARD_NORMAL = normal({ mean: 0, deviation: 1 });

/** The world of rare events with this number, counted from 1. The same number always gives the same world. A world with a smaller gap is drawn again. */
export function createRareWorld(number: number): RareWorld {
  const rng = stream(number, "fuzz", "rare", "world");
  for (;;) {
    const arms = Array.from({ length: integer(rng, ARMS) }, () => drawn(rng));
    const [best, second] = [...arms].sort((a, b) => meanOf(a) - meanOf(b));
    const gap = meanOf(second!) - meanOf(best!);
    if (gap >= LEAST_GAP * Math.max(...arms.map(deviationOf))) return { number, arms, wonByRareGains: best!.mean > meanOf(second!) };
  }
}

export function rareEnvironment({ number, arms }: RareWorld): Environment {
  const distributions = arms.map(({ mean, probability, size }) => ({
    distribution: "mixture",
    weights: [1 - probability, probability],
    of: [mean, mean + size].map((each) => ({ distribution: "normal", mean: each, deviation: DEVIATION })),
  }));
  return createEnvironment({ environment: "stochastic", alpha: 2, arms: distributions }, number);
}

function drawn(rng: Xoshiro128): RareArm {
  const power = (range: { from: number; to: number }) => elementary.pow(10, between(rng, range));
  return {
    mean: SPREAD * STANDARD_NORMAL.sample(rng),
    probability: power(PROBABILITIES),
    size: (rng.uniform() < 0.5 ? -1 : 1) * power(SIZES),
  };
}

function meanOf({ mean, probability, size }: RareArm): number {
  return mean + probability * size;
}

function deviationOf({ probability, size }: RareArm): number {
  return Math.sqrt(DEVIATION * DEVIATION + probability * (1 - probability) * size * size);
}
