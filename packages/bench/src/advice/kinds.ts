import { type DistributionSpec, elementary } from "tsallis";

/** A kind of data set: what people record, with the distribution of each arm. */
export interface Kind {
  readonly name: string;
  readonly arms: readonly DistributionSpec[];
}

/** Counts are below this: the probability of larger ones is negligible, or they are left out. */
const MOST_COUNT = 40;

/** The kinds that the rules of `advise` were fitted to. They were written down before the rules, and have not been changed since. */
export const KINDS: readonly Kind[] = [
  { name: "clicks, 30 to 45 %", arms: [0.7, 0.65, 0.6, 0.55].map(bernoulli) },
  { name: "conversions, 2 to 5 %", arms: [0.98, 0.97, 0.98, 0.95, 0.975].map(bernoulli) },
  { name: "failures, 0.5 to 3 %", arms: [0.03, 0.02, 0.005].map(bernoulli) },
  {
    name: "scores in [0, 1]",
    arms: [0.2, 0.3, 0.35, 0.4, 0.5, 0.6].map((high) => mixture([1 - high, high], [uniform(0, 0.6), uniform(0.4, 1)])),
  },
  { name: "scores, all near 0.9", arms: [0.9, 0.91, 0.89, 0.9, 0.92].map((mean) => uniform(mean - 0.05, mean + 0.05)) },
  { name: "latency, log-normal, ms", arms: [25, 35, 40, 45, 60].map((median) => logNormal(median, 0.8)) },
  { name: "latency, Pareto 1.6, ms", arms: [20, 25, 30, 40].map((scale) => pareto(1.6, scale)) },
  {
    name: "durations with timeouts, s",
    arms: [
      [0.02, 1.5],
      [0.05, 1],
      [0.08, 0.8],
      [0.04, 1.6],
    ].map(([p, median]) => mixture([1 - p!, p!], [logNormal(median!, 0.6), constant(30)])),
  },
  {
    name: "insurance claims",
    arms: [
      [0.04, 1000],
      [0.06, 900],
      [0.05, 1400],
      [0.08, 1000],
    ].map(([q, scale]) => thinned(q!, { distribution: "lomax", shape: 2.2, scale })),
  },
  { name: "returns, Student 3", arms: [-0.002, 0, 0.001, -0.001].map((mean) => shifted(mean, student(3, 0.01))) },
  { name: "profit and loss, Student 1.6", arms: [-0.5, 0, 0.5].map((mean) => shifted(mean, student(1.6, 1))) },
  {
    name: "revenue, 3 to 6 % buy",
    arms: [
      [0.05, 40],
      [0.04, 45],
      [0.06, 50],
      [0.03, 60],
    ].map(([q, median]) => negated(thinned(q!, logNormal(median!, 1)))),
  },
  {
    name: "revenue, 1 in 200 buys much",
    arms: [
      [0.05, 1],
      [0.04, 1],
      [0.005, 25],
    ].map(([q, median]) => negated(thinned(q!, logNormal(median!, 0.5)))),
  },
  { name: "counts, Poisson", arms: [3, 2.5, 2, 3.5, 4].map((mean) => onIntegers(poisson(mean))) },
  { name: "counts, overdispersed", arms: [3, 2, 4].map((mean) => onIntegers(geometric(mean))) },
  {
    name: "ratings, 5 minus stars",
    arms: [
      [0.4, 0.3, 0.15, 0.1, 0.05],
      [0.5, 0.3, 0.1, 0.05, 0.05],
      [0.3, 0.3, 0.2, 0.1, 0.1],
      [0.45, 0.2, 0.1, 0.05, 0.2],
    ].map(onIntegers),
  },
  { name: "costs, 1,000,000 plus noise", arms: [0, 10, 20, 30, -10].map((mean) => normal(1e6 + mean, 50)) },
  { name: "uniform, 0 to 10", arms: [0, 0.5, 1].map((low) => uniform(low, low + 10)) },
  { name: "temperatures, ten arms", arms: [0, 1, 2, 3, 4, 5, 6, 7, 8, -2].map((mean) => normal(mean, 5)) },
];

/** Kinds that were set aside when the rules were fitted, and looked at once, at the end. */
export const HELD_OUT: readonly Kind[] = [
  { name: "repair times, Weibull 0.6", arms: [2, 2.5, 3, 4].map((scale) => weibull(0.6, scale)) },
  { name: "waiting times, twenty arms", arms: Array.from({ length: 20 }, (_, i) => weibull(1, 1 + i / 10)) },
  { name: "percentages, 0 to 100", arms: [20, 25, 30, 35].map((low) => mixture([0.7, 0.3], [uniform(low, low + 30), uniform(0, 100)])) },
  {
    name: "votes: -1, 0, 1",
    arms: [
      [0.4, 0.3, 0.3],
      [0.3, 0.4, 0.3],
      [0.35, 0.3, 0.35],
    ].map((weights) => mixture(weights, [-1, 0, 1].map(constant))),
  },
  {
    name: "donations, 1 in 40, Pareto 2.2",
    arms: [
      [0.025, 10],
      [0.03, 10],
      [0.02, 20],
    ].map(([q, scale]) => negated(thinned(q!, pareto(2.2, scale!)))),
  },
  { name: "bids, Frechet 2.5, as gains", arms: [10, 11, 12, 13].map((scale) => negated({ distribution: "frechet", shape: 2.5, scale })) },
  {
    name: "power prices, at times negative",
    arms: [50, 47, 45].map((mean) => mixture([0.9, 0.06, 0.04], [normal(mean, 8), normal(200, 40), normal(-60, 20)])),
  },
  { name: "clicks, 0.5 to 1.5 %", arms: [0.995, 0.99, 0.985].map(bernoulli) },
];

function bernoulli(p: number): DistributionSpec {
  return { distribution: "bernoulli", p };
}

function uniform(low: number, high: number): DistributionSpec {
  return { distribution: "uniform", low, high };
}

function normal(mean: number, deviation: number): DistributionSpec {
  return { distribution: "normal", mean, deviation };
}

function logNormal(median: number, scale: number): DistributionSpec {
  return { distribution: "log-normal", location: elementary.log(median), scale };
}

function pareto(shape: number, scale: number): DistributionSpec {
  return { distribution: "pareto", shape, scale };
}

function weibull(shape: number, scale: number): DistributionSpec {
  return { distribution: "weibull", shape, scale };
}

function student(dof: number, scale: number): DistributionSpec {
  return { distribution: "student-t", dof, scale };
}

function constant(value: number): DistributionSpec {
  return { distribution: "constant", value };
}

function shifted(by: number, of: DistributionSpec): DistributionSpec {
  return { distribution: "shifted", by, of };
}

function negated(of: DistributionSpec): DistributionSpec {
  return { distribution: "negated", of };
}

function thinned(q: number, of: DistributionSpec): DistributionSpec {
  return { distribution: "thinned", q, of };
}

function mixture(weights: readonly number[], of: readonly DistributionSpec[]): DistributionSpec {
  return { distribution: "mixture", weights, of };
}

/** The probabilities of 0, 1, 2, ... */
function onIntegers(weights: readonly number[]): DistributionSpec {
  return mixture(
    weights,
    weights.map((_, i) => constant(i)),
  );
}

function poisson(mean: number): number[] {
  const weights = [elementary.exp(-mean)];
  for (let i = 1; i < MOST_COUNT; i++) weights.push((weights[i - 1]! * mean) / i);
  return normalised(weights);
}

function geometric(mean: number): number[] {
  const ratio = mean / (1 + mean);
  return normalised(Array.from({ length: MOST_COUNT }, (_, i) => elementary.pow(ratio, i)));
}

function normalised(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
