import { stream } from "tsallis";
import { Evaluation } from "tsallis/evidence";
import { Z95 } from "tsallis/statistics";
import { type World, worldOf } from "./worlds.js";

/** Arms under uniform traffic, of which the first is better than the others by the gap, until a rule stops. */
export interface RaceTask {
  readonly world: string;
  readonly arms: number;
  readonly gap: number;
  readonly seed: number;
  readonly rounds: number;
}

/** When a rule stopped, and whether at a wrong arm; null if it did not. */
export interface Stop {
  readonly round: number;
  readonly wrong: boolean;
}

export interface RaceRun {
  readonly evidence: Stop | null;
  /** Welch's t-test at the 5 % level, looked at as often; for two arms only. */
  readonly peeking: Stop | null;
}

const ERROR = 0.05;
/** From this many losses of each arm on, the t-test is looked at. */
const FEWEST = 10;

/** A look after each of the first 500 decisions, and then whenever they have grown by 1 %. */
export function playRace({ world: name, arms, gap, seed, rounds }: RaceTask): RaceRun {
  const world = worldOf(name);
  const distributions = Array.from({ length: arms }, (_, arm) => world.arm(arm === 0 ? 1 : 1 + gap));
  const rng = stream(seed, "race", name, arms, String(gap));
  const evaluation = new Evaluation({ arms, cap: world.cap, floor: world.floor });
  const sums = distributions.map(() => ({ count: 0, sum: 0, squares: 0 }));
  let evidence: Stop | null = null;
  let peeking: Stop | null = null;
  let next = 1;
  for (let round = 1; round <= rounds && (evidence === null || (arms === 2 && peeking === null)); round++) {
    const arm = Math.floor(arms * rng.uniform());
    const loss = distributions[arm]!.sample(rng);
    evaluation.add({ arm, loss });
    const its = sums[arm]!;
    its.count++;
    its.sum += loss;
    its.squares += loss * loss;
    if (round < next) continue;
    next = round < 500 ? round + 1 : Math.ceil(round * 1.01);
    const best: number | null = evidence === null ? evaluation.verdict({ error: ERROR }).best : null;
    if (best !== null) evidence = { round, wrong: best !== 0 };
    const t: number = arms === 2 && peeking === null ? welch(sums[0]!, sums[1]!) : 0;
    if (Math.abs(t) > Z95) peeking = { round, wrong: t > 0 };
  }
  return { evidence, peeking };
}

interface Sums {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

function welch(a: Sums, b: Sums): number {
  if (Math.min(a.count, b.count) < FEWEST) return 0;
  const square = ({ count, sum, squares }: Sums) => Math.max(0, squares / count - (sum / count) ** 2) / (count - 1);
  const error = Math.sqrt(square(a) + square(b));
  return error > 0 ? (a.sum / a.count - b.sum / b.count) / error : 0;
}

const DRAWS = 20_000;

/**
 * No rule that is wrong in at most 5 % of races between two arms, of whatever distributions within floor and cap, stops after fewer decisions on average, under uniform
 * traffic: ln(1 / (2.4 error)) / (1/2 min over m of Kinf(A, m) + Kinf(B, m)), by Garivier and Kaufmann (COLT 2016) with the distances of Honda and Takemura (2010), which are
 * the largest mean of log(1 + l (m - x)) over the rates l for which no logarithm is infinite.
 */
export function fewestDecisions(world: World, gap: number): number {
  const { cap, floor } = world;
  const draws = (mean: number, label: string) => {
    const [distribution, rng] = [world.arm(mean), stream(1, "fewest", world.name, label)];
    return Float64Array.from({ length: DRAWS }, () => Math.min(cap, Math.max(floor, distribution.sample(rng))));
  };
  const [a, b] = [draws(1, "a"), draws(1 + gap, "b")];
  const average = (losses: Float64Array) => losses.reduce((sum, loss) => sum + loss, 0) / DRAWS;
  const distance = (m: number) => furthest(a, m, 0.999999 / (cap - m)) + furthest(b, m, -0.999999 / (m - floor));
  return Math.log(1 / (2.4 * ERROR)) / (0.5 * -peak((m) => -distance(m), average(a), average(b)));
}

/** The largest mean of log(1 + rate (m - x)), over rates from 0 to `most`. */
function furthest(losses: Float64Array, m: number, most: number): number {
  return peak((rate) => losses.reduce((sum, loss) => sum + Math.log1p(rate * (m - loss)), 0) / losses.length, 0, most);
}

/** The largest value of a concave function, by golden section. */
function peak(of: (x: number) => number, from: number, to: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [from, to];
  let [x, y] = [high - ratio * (high - low), low + ratio * (high - low)];
  let [atX, atY] = [of(x), of(y)];
  for (let i = 0; i < 25; i++) {
    if (atX > atY) {
      [high, y, atY] = [y, x, atX];
      x = high - ratio * (high - low);
      atX = of(x);
    } else {
      [low, x, atX] = [x, y, atY];
      y = low + ratio * (high - low);
      atY = of(y);
    }
  }
  return Math.max(atX, atY);
}
