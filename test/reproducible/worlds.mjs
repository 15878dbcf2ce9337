// Draws from every distribution and every environment, asks for evidence on a log, and reduces each result to one hash. Runs in Node and, bundled, in a browser, beside run.mjs.
import { createDistribution, createEnvironment, stream } from "tsallis";
import { hashOfEvidence } from "./evidence.mjs";
import { Fnv1a } from "./fnv1a.mjs";

const pareto = { distribution: "pareto", shape: 1.5, scale: 1 };
const arms = [pareto, { distribution: "shifted", by: 0.5, of: pareto }, { distribution: "lomax", shape: 1.8, scale: 2 }];
const alternate = [arms[1], arms[2], arms[0]];

/** The parameters of every distribution, by its name. @type {Record<string, object>} */
export const PARAMETERS = {
  pareto: { shape: 1.5, scale: 1 },
  lomax: { shape: 1.6, scale: 2 },
  frechet: { shape: 1.5, scale: 1 },
  burr: { c: 2, k: 0.8, scale: 1 },
  "log-normal": { location: 0.5, scale: 1.5 },
  weibull: { shape: 0.7, scale: 1 },
  "student-t": { dof: 1.5, scale: 1 },
  stable: { index: 1.5, skew: -0.5, scale: 1 },
  normal: { mean: 1, deviation: 2 },
  uniform: { low: -1, high: 3 },
  bernoulli: { p: 0.3 },
  constant: { value: 1.5 },
  "two-point": { value: 16, probability: 0.1 },
  signed: { p: 0.6, of: pareto },
  thinned: { q: 0.4, of: pareto },
  shifted: { by: -1, of: pareto },
  scaled: { by: 3, of: pareto },
  negated: { of: pareto },
  mixture: { weights: [0.3, 0.7], of: [pareto, { distribution: "normal", mean: 0, deviation: 1 }] },
};

/** The parameters of every environment, by its name. @type {Record<string, object>} */
export const WORLDS = {
  stochastic: { alpha: 1.4, arms },
  "stochastically-constrained": { alpha: 1.4, arms, alternate: arms.map((of) => ({ distribution: "shifted", by: 2, of })) },
  switching: { alpha: 1.4, arms, alternate, period: 30 },
  drifting: { alpha: 1.4, arms, alternate, rounds: 300 },
  corrupted: { alpha: 1.4, arms, budget: 40 },
  "scale-bomb": { alpha: 1.4, arms, from: 20, until: 70, factor: 10 },
  waves: { alpha: 1.4, arms, amplitude: 3, period: 50 },
  "changing-tail": { alpha: 1.4, means: [1, 2, 3], shapes: [1.6, 3], period: 25 },
  "lower-bound": { alpha: 1.4, arms: 3, gap: 0.25 },
  minimax: { alpha: 1.4, arms: 3, sigma: 3, horizon: 500 },
  "truncation-violated": { alpha: 1.4, arms: 3, shape: 1.7, scale: 1, gap: 0.5 },
  replay: { alpha: 1.4, losses: [[0.1, 0.2, -1e300]] },
};

/** @returns {Record<string, string>} a hash by spec */
export function runWorlds() {
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const [distribution, parameters] of Object.entries(PARAMETERS)) {
    const spec = { distribution, ...parameters };
    hashes[JSON.stringify(spec)] = hashOfDistribution(spec);
  }
  for (const [environment, parameters] of Object.entries(WORLDS)) {
    const spec = { environment, ...parameters };
    hashes[JSON.stringify(spec)] = hashOfWorld(spec);
  }
  const world = { environment: "stochastic", ...WORLDS.stochastic };
  for (const moving of [false, true]) hashes[`evidence, moving: ${moving}`] = hashOfEvidence(world, moving);
  return hashes;
}

/** Samples, and the known properties of the distribution. @param {object} spec */
function hashOfDistribution(spec) {
  const hash = new Fnv1a();
  const distribution = createDistribution(spec);
  const rng = stream(1, "law");
  for (let i = 0; i < 5000; i++) hash.add(distribution.sample(rng));
  for (const value of [distribution.mean, distribution.variance, distribution.absoluteMoment(1.2)]) hash.add(value);
  for (const x of [-3, 0.1, 0.9, 1.5, 20])
    for (const value of [distribution.cdf(x), distribution.survival(x), distribution.truncatedMean(Math.abs(x))]) hash.add(value);
  return hash.digest();
}

/** Losses, and the known properties of the world. @param {object} spec */
function hashOfWorld(spec) {
  const hash = new Fnv1a();
  const world = createEnvironment(spec, 1);
  hash.add(world.sigma());
  const rounds = "losses" in spec ? 1 : 500;
  for (let round = 1; round <= rounds; round++) {
    for (let arm = 0; arm < world.arms; arm++) for (const value of [world.loss(round, arm), world.mean(round, arm)]) hash.add(value);
  }
  return hash.digest();
}
