import { type DistributionSpec, elementary, normal, stream, type Xoshiro128 } from "tsallis";
import { between, integer } from "./draws.js";
import { ROUNDS } from "./rounds.js";

/**
 * What changes. swap: the best arm and another one change places again and again. fall: the best arm gets worse. rise: another arm becomes the best.
 * drift: every level moves slowly, and another arm is the best in the end. common: all levels move together, and the gaps stay.
 */
export const CHANGES = ["swap", "fall", "rise", "drift", "common"] as const;
export type Change = (typeof CHANGES)[number];

export const LOSSES = ["normal", "bernoulli", "pareto"] as const;

/** A random world in which the levels of the losses change. */
export interface ChangesWorld {
  readonly number: number;
  readonly change: Change;
  readonly losses: (typeof LOSSES)[number];
  readonly arms: number;
  /** The true mean of the arm's loss in that round. */
  mean(round: number, arm: number): number;
  /** The distribution of the noise, the same for all arms and rounds. */
  readonly noise: DistributionSpec;
  /** The loss with this mean and this noise. */
  loss(mean: number, noise: number): number;
}

/** The level of an arm in a round. In [0, 1], if it moves by itself or losses are Bernoulli. */
type Level = (round: number, arm: number) => number;
interface Range {
  readonly from: number;
  readonly to: number;
}

// Written down before any policy was changed because of these worlds.
const ARMS = { least: 2, most: 10 };
/** How far normal and Pareto losses spread levels, as a power of ten: over 2 to 10 deviations of the normal noise, or 2 to 10 means of the Pareto noise. */
const SPREADS = { from: 0.3, to: 1 };
/** The tail index of the Pareto noise. */
const SHAPES = { from: 1.5, to: 2.5 };
/** The rounds between two swaps, as a power of ten: 2,000 to 10,000. */
const PERIODS = { from: 3.3, to: 4 };
/** When an arm falls or rises, as a part of the rounds. At least a fifth of them is left to notice it before the last fifth, by which stuck is defined. */
const MOMENTS = { from: 0.1, to: 0.6 };
const DRIFT_BEGINS = { from: 0, to: 0.3 };
const DRIFT_ENDS = { from: 0.5, to: 0.7 };
/** How far all levels move together, as a power of ten: 1 to 10 times as far as they are spread. With Bernoulli losses it is as far as that, and both are halved. */
const SIZES = { from: 0, to: 1 };
/** The period of a common wave, as a power of ten: 100 to 10,000 rounds. */
const WAVES = { from: 2, to: 4 };
/** The deviation of a step of a common random walk, as a power of ten. Over 20,000 rounds it goes through all levels about once, or a hundred times. */
const STEPS = { from: -2.2, to: -1.2 };
/** How far the best arm is ahead of every other one, where levels are in [0, 1]. */
const LEAST_GAP = 0.2;
const STANDARD_NORMAL = normal({ mean: 0, deviation: 1 });

/** The world of changes with this number, counted from 1. The same number always gives the same world. Among 15 in a row, each change comes with each distribution once. */
export function createChangesWorld(number: number): ChangesWorld {
  const rng = stream(number, "fuzz", "changes", "world");
  const change = CHANGES[number % CHANGES.length]!;
  const losses = LOSSES[number % LOSSES.length]!;
  const arms = integer(rng, ARMS);
  const spread = power(rng, SPREADS);
  const shape = between(rng, SHAPES);
  const level = LEVELS[change](rng, arms, losses === "bernoulli");
  const { noise, place, loss } = {
    normal: {
      noise: { distribution: "normal", mean: 0, deviation: 1 },
      place: (x: number) => spread * x,
      loss: (mean: number, z: number) => mean + z,
    },
    bernoulli: {
      noise: { distribution: "uniform", low: 0, high: 1 },
      place: (x: number) => 0.05 + 0.9 * x,
      loss: (mean: number, u: number) => (u < mean ? 1 : 0),
    },
    pareto: {
      noise: { distribution: "pareto", shape, scale: (shape - 1) / shape },
      place: (x: number) => 1 + spread * x,
      loss: (mean: number, z: number) => mean - 1 + z,
    },
  }[losses];
  return { number, change, losses, arms, mean: (round, arm) => place(level(round, arm)), noise, loss };
}

const LEVELS: Readonly<Record<Change, (rng: Xoshiro128, arms: number, bounded: boolean) => Level>> = {
  swap(rng, arms) {
    const { levels, best, other } = drawn(rng, arms);
    const period = Math.floor(power(rng, PERIODS));
    const swapped = replaced(replaced(levels, best, levels[other]!), other, levels[best]!);
    return (round, arm) => (Math.floor((round - 1) / period) % 2 === 0 ? levels : swapped)[arm]!;
  },
  fall(rng, arms) {
    const { levels, best } = drawn(rng, arms, { from: 0, to: 1 - LEAST_GAP });
    return once(rng, levels, replaced(levels, best, 1));
  },
  rise(rng, arms) {
    const { levels, other } = drawn(rng, arms, { from: LEAST_GAP, to: 1 });
    return once(rng, levels, replaced(levels, other, 0));
  },
  drift(rng, arms) {
    const first = drawn(rng, arms);
    const last = drawn(rng, arms);
    // Another arm is the best in the end.
    const target = last.best === first.best ? rotated(last.levels) : last.levels;
    const begin = between(rng, DRIFT_BEGINS) * ROUNDS;
    const end = between(rng, DRIFT_ENDS) * ROUNDS;
    return (round, arm) => {
      const part = Math.min(1, Math.max(0, (round - begin) / (end - begin)));
      return (1 - part) * first.levels[arm]! + part * target[arm]!;
    };
  },
  common(rng, arms, bounded) {
    const { levels } = drawn(rng, arms);
    const size = power(rng, SIZES);
    const move = MOVES[integer(rng, { least: 0, most: MOVES.length - 1 })]!(rng);
    return (round, arm) => (bounded ? (levels[arm]! + move(round)) / 2 : levels[arm]! + size * move(round));
  },
};

/** Ways in which all levels move together, over [0, 1]. */
const MOVES: readonly ((rng: Xoshiro128) => (round: number) => number)[] = [
  function jump(rng) {
    const moment = between(rng, MOMENTS) * ROUNDS;
    const up = rng.uniform() < 0.5;
    return (round) => (round > moment === up ? 1 : 0);
  },
  function ramp(rng) {
    const up = rng.uniform() < 0.5;
    return (round) => (up ? round : ROUNDS - round) / ROUNDS;
  },
  function wave(rng) {
    const period = power(rng, WAVES);
    return (round) => (1 + elementary.sinPi((2 * round) / period)) / 2;
  },
  function walk(rng) {
    const step = power(rng, STEPS);
    const places = new Float64Array(ROUNDS);
    let place = rng.uniform();
    for (let i = 0; i < ROUNDS; i++) {
      // Reflected at 0 and 1.
      place = Math.abs(place + step * STANDARD_NORMAL.sample(rng)) % 2;
      place = Math.min(place, 2 - place);
      places[i] = place;
    }
    return (round) => places[round - 1]!;
  },
];

/** Random levels, the best of them at the lower end and ahead of all others; the best arm and some other one. */
function drawn(rng: Xoshiro128, arms: number, { from, to }: Range = { from: 0, to: 1 }) {
  const best = integer(rng, { least: 0, most: arms - 1 });
  const other = (best + integer(rng, { least: 1, most: arms - 1 })) % arms;
  const levels = Array.from({ length: arms }, (_, arm) => {
    const level = between(rng, { from: from + LEAST_GAP, to });
    return arm === best ? from : level;
  });
  return { levels, best, other };
}

/** The levels before and after a random moment. */
function once(rng: Xoshiro128, before: readonly number[], after: readonly number[]): Level {
  const moment = between(rng, MOMENTS) * ROUNDS;
  return (round, arm) => (round > moment ? after : before)[arm]!;
}

function replaced(levels: readonly number[], arm: number, level: number): number[] {
  return levels.map((each, i) => (i === arm ? level : each));
}

function rotated(levels: readonly number[]): number[] {
  return [...levels.slice(1), levels[0]!];
}

function power(rng: Xoshiro128, range: Range): number {
  return elementary.pow(10, between(rng, range));
}
