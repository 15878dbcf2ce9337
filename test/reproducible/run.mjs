// Plays every policy, evaluates every elementary function, and reduces each result to one hash. Runs in Node and, bundled, in a browser.
import { createEnvironment, createPolicy, elementary, POLICIES, stream } from "tsallis";
import { Fnv1a } from "./fnv1a.mjs";

export { runWorlds } from "./worlds.mjs";

const ROUNDS = 100_000;
/** The rivals play fewer rounds, because there are many of them. */
const RIVAL_ROUNDS = 20_000;
const OWN = ["htinf", "opttinf", "adatinf", "ada2tinf", "uniform"];

/** The values of required parameters that many policies have, by name; others come from the policy's example. @type {Record<string, unknown>} */
const REQUIRED = { alpha: 1.5, sigma: 2, horizon: ROUNDS };

/**
 * The options of a policy, one run each: HTINF with several alpha, MatchedTINF with each of its options, the others with their required parameters. A parameter that is a name, such as an
 * estimator, takes every value, unless it is optional: then it is left out. @param {string} policy @returns {object[]}
 */
export function optionsOf(policy) {
  if (policy === "matched-tinf") return [{}, { halfLife: 500 }, { rarest: 50 }, { detect: 0.2 }];
  if (policy === "htinf") return [...[2, 1.7, 1.5].map((alpha) => ({ alpha, sigma: 2 })), { alpha: 1.7, sigma: 2, halfLife: 500 }];
  const parameters = Object.entries(POLICIES[policy]?.parameters ?? {});
  const asked = parameters.filter(([, parameter]) => !(parameter.type === "name" || "optional" in parameter || "default" in parameter));
  const options = Object.fromEntries(asked.map(([key]) => [key, REQUIRED[key] ?? POLICIES[policy]?.example?.[key]]));
  const named = parameters.flatMap(([key, parameter]) =>
    parameter.type === "name" && !("optional" in parameter) ? parameter.names.map((name) => ({ [key]: name })) : [],
  );
  // Catoni's estimator needs a variance.
  const plain = named.length > 0 ? named.map((name) => ({ ...options, ...(name.estimator === "catoni" && { alpha: 2 }), ...name })) : [options];
  // The first of them also runs with a half-life.
  return "halfLife" in (POLICIES[policy]?.parameters ?? {}) ? [...plain, { ...plain[0], halfLife: 500 }] : plain;
}

/** Ten arms with ten distributions, so that their samplers are covered too. */
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
    for (const options of optionsOf(name)) {
      const spec = { policy: name, ...options };
      const rounds = OWN.includes(name) ? ROUNDS : RIVAL_ROUNDS;
      hashes[JSON.stringify(spec)] = hashOfPlay(spec, rounds, 0);
      hashes[`${JSON.stringify(spec)}, late feedback`] = hashOfPlay(spec, rounds, 100);
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

/** Each loss comes up to `lateness` rounds late, out of order. @param {{ policy: string }} spec @param {number} rounds @param {number} lateness */
function hashOfPlay(spec, rounds, lateness) {
  const environment = createEnvironment(ENVIRONMENT, 1);
  const policy = createPolicy(spec, environment.arms);
  const rng = stream(1, "policy");
  const delays = stream(1, "delays");
  /** @type {Map<number, import("tsallis").Choice[]>} */
  const due = new Map();
  const hash = new Fnv1a();
  for (let round = 1; round <= rounds; round++) {
    const choice = policy.choose(rng);
    hash.add(choice.arm);
    if (choice.probability !== null) hash.add(choice.probability);
    const when = round + Math.floor(lateness * delays.uniform());
    due.set(when, [...(due.get(when) ?? []), choice]);
    for (const told of due.get(round) ?? []) policy.update(told, environment.loss(told.round, told.arm));
    due.delete(round);
  }
  return hash.digest();
}
