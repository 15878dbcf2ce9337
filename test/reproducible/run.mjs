// Plays every policy and evaluates every elementary function, and reduces what came out to one hash each. Runs in Node and, bundled, in a browser.
import { createEnvironment, createPolicy, elementary, POLICIES, stream } from "tsallis";
import { Fnv1a } from "./fnv1a.mjs";

const ROUNDS = 100_000;

/** How to make each policy: one run per line. A policy that is not listed is made without options. @type {Record<string, object[]>} */
const OPTIONS = {
  htinf: [2, 1.7, 1.5].map((alpha) => ({ alpha, sigma: 2 })),
  adatinf: [{ horizon: ROUNDS }],
};

/** Ten arms of ten laws, so that their samplers are covered too. */
const ENVIRONMENT = {
  environment: "stochastic",
  alpha: 1.5,
  arms: [
    { distribution: "pareto", shape: 1.8, scale: 0.3 },
    { distribution: "signed", p: 0.7, of: { distribution: "lomax", shape: 1.6, scale: 0.5 } },
    { distribution: "shifted", by: 1, of: { distribution: "student-t", dof: 1.9, scale: 1 } },
    { distribution: "shifted", by: 0.5, of: { distribution: "stable", index: 1.7, skew: 0.5, scale: 0.5 } },
    { distribution: "log-normal", location: -1, scale: 1 },
    { distribution: "frechet", shape: 2.5, scale: 0.5 },
    { distribution: "burr", c: 1.2, k: 1.5, scale: 0.5 },
    { distribution: "weibull", shape: 0.5, scale: 0.5 },
    { distribution: "normal", mean: 0.8, deviation: 1 },
    { distribution: "thinned", q: 0.5, of: { distribution: "uniform", low: 0, high: 2 } },
  ],
};

/** Where each elementary function is evaluated: u is uniform on (0, 1). @type {Record<string, (u: number, v: number) => number>} */
const ELEMENTARY = {
  exp: (u) => elementary.exp(1500 * u - 750),
  expm1: (u, v) => elementary.expm1((v - 0.5) / u),
  log: (u, v) => elementary.log(u / v),
  log1p: (u, v) => elementary.log1p(u / v - 1),
  pow: (u, v) => elementary.pow(u / (1 - u), 40 * v - 20),
  sinPi: (u, v) => elementary.sinPi((u - 0.5) / v),
  cosPi: (u, v) => elementary.cosPi((u - 0.5) / v),
  atan: (u, v) => elementary.atan((u - 0.5) / v),
};

/** @returns {Record<string, string>} a hash by name */
export function run() {
  /** @type {Record<string, string>} */
  const hashes = {};
  for (const [name, evaluate] of Object.entries(ELEMENTARY)) hashes[`elementary ${name}`] = hashOfFunction(evaluate);
  for (const arm of ENVIRONMENT.arms.keys()) hashes[`losses ${JSON.stringify(ENVIRONMENT.arms[arm])}`] = hashOfLosses(arm);
  for (const name of Object.keys(POLICIES)) {
    for (const options of OPTIONS[name] ?? [{}]) {
      const spec = { policy: name, ...options };
      hashes[JSON.stringify(spec)] = hashOfPlay(spec, 0);
      hashes[`${JSON.stringify(spec)}, late feedback`] = hashOfPlay(spec, 100);
    }
  }
  return hashes;
}

/** @param {(u: number, v: number) => number} evaluate */
function hashOfFunction(evaluate) {
  const hash = new Fnv1a();
  const rng = stream(1, "elementary");
  for (let i = 0; i < 50_000; i++) hash.add(evaluate(rng.open(), rng.open()));
  return hash.digest();
}

/** @param {number} arm */
function hashOfLosses(arm) {
  const hash = new Fnv1a();
  const environment = createEnvironment(ENVIRONMENT, 1);
  for (let round = 1; round <= 20_000; round++) hash.add(environment.loss(round, arm));
  return hash.digest();
}

/** Each loss is told up to `lateness` rounds late, out of order. @param {{ policy: string }} spec @param {number} lateness */
function hashOfPlay(spec, lateness) {
  const environment = createEnvironment(ENVIRONMENT, 1);
  const policy = createPolicy(spec, environment.arms);
  const rng = stream(1, "policy");
  const delays = stream(1, "delays");
  /** @type {Map<number, import("tsallis").Choice[]>} */
  const due = new Map();
  const hash = new Fnv1a();
  for (let round = 1; round <= ROUNDS; round++) {
    const choice = policy.choose(rng);
    hash.add(choice.arm);
    hash.add(choice.probability);
    const when = round + Math.floor(lateness * delays.uniform());
    due.set(when, [...(due.get(when) ?? []), choice]);
    for (const told of due.get(round) ?? []) policy.update(told, environment.loss(told.round, told.arm));
    due.delete(round);
  }
  return hash.digest();
}
