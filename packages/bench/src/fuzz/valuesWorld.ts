import { elementary, normal, stream, type Xoshiro128 } from "tsallis";
import { between, integer } from "./draws.js";

/** A random world: a few values, and for each arm the probability of each value. */
export interface ValuesWorld {
  readonly number: number;
  /** The possible losses, before the shift. */
  readonly values: readonly number[];
  readonly lowest: number;
  /** The highest value minus the lowest. */
  readonly range: number;
  /** The constant that is added to every loss. */
  readonly shift: number;
  /** For each arm, the probability of each value. */
  readonly distributions: readonly (readonly number[])[];
  /** The arm that never varies, whatever its distribution says, and its only value before the shift; null in most worlds. */
  readonly constant: { readonly arm: number; readonly value: number } | null;
}

const VALUES = { least: 2, most: 6 };
const ARMS = { least: 2, most: 20 };
/** The sizes of the values, as powers of ten. */
const EXPONENTS = { from: -3, to: 3 };
/** The shift, in multiples of the range. */
const SHIFTS = { from: -100, to: 100 };
/** One arm is constant in every tenth world. */
const CONSTANT_EVERY = 10;
const NORMAL = normal({ mean: 0, deviation: 1 });

/** The world with this number, counted from 1. The same number always gives the same world. A world that is too hard to learn in some thousand rounds is drawn again. */
export function createValuesWorld(number: number): ValuesWorld {
  const rng = stream(number, "fuzz", "world");
  for (;;) {
    const world = drawn(number, rng);
    const [best, second] = meansOf(world).sort((a, b) => a - b);
    if (second! - best! >= leastGap(world.distributions.length) * world.range) return world;
  }
}

/** How far the best arm must be ahead of the second, in multiples of the range. */
export function leastGap(arms: number): number {
  return arms > 8 ? 0.1 : 0.05;
}

/** The true mean of every arm before the shift. */
export function meansOf({ values, distributions, constant }: ValuesWorld): number[] {
  return distributions.map((distribution, arm) =>
    arm === constant?.arm ? constant.value : distribution.reduce((sum, weight, i) => sum + weight * values[i]!, 0),
  );
}

function drawn(number: number, rng: Xoshiro128): ValuesWorld {
  const values = Array.from({ length: integer(rng, VALUES) }, () => NORMAL.sample(rng) * elementary.pow(10, between(rng, EXPONENTS)));
  const lowest = Math.min(...values);
  const range = Math.max(...values) - lowest;
  const shift = between(rng, SHIFTS) * range;
  const distributions = Array.from({ length: integer(rng, ARMS) }, () => dirichlet(rng, values.length));
  const constant =
    number % CONSTANT_EVERY === 0
      ? { arm: integer(rng, { least: 0, most: distributions.length - 1 }), value: between(rng, { from: lowest, to: lowest + range }) }
      : null;
  return { number, values, lowest, range, shift, distributions, constant };
}

/** A distribution on `size` values, uniform among all of them: exponential numbers divided by their sum. */
function dirichlet(rng: Xoshiro128, size: number): number[] {
  const weights = Array.from({ length: size }, () => -elementary.log(rng.open()));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
