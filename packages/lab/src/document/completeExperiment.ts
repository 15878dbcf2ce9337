import { createDistribution, createPolicy, ENVIRONMENTS, type Environment, POLICIES, type PolicySpec, TsallisError } from "tsallis";
import { Compile } from "typebox/schema";
import { Anatomy } from "../anatomy/anatomy.js";
import { checkMeans } from "../conformance/checkMeans.js";
import { LabError } from "../labError.js";
import type { Evidence, Experiment, LabEnvironmentSpec, SweepAxis } from "./experiment.js";
import { defaultPolicies, namedPolicies } from "./namedPolicies.js";
import { environmentOf, fillPolicy, seedsRescaling } from "./resolveRun.js";
import { DEFAULT_CHECKPOINTS, experimentSchema, LABEL, MOST_ARMS, MOST_SEEDS, MOST_VALUES, NAME, PROMISED, PROSE, SWEPT } from "./schema.js";
import { sweepPoints, withValue } from "./sweepPoints.js";

const KEYS = ["$schema", "name", "claim", "evidence", "horizon", "seeds", "environments", "policies", "sweep", "checkpoints", "anatomy", "runHash"];

/** A word among the values of a sweep becomes part of run ids. */
const WORD = /^[^/\p{Cc}]+$/u;

/** What the command line may override in the document. */
export interface Overrides {
  readonly seeds?: number | readonly number[];
  readonly horizon?: number;
  readonly runHash?: true;
  /**
   * The policies to play in place of the document's: a label of the document, a name of the registry (with its defaults and the environment's promises),
   * or a spec. The claim and its evidence, which are about the document's policies, are left out.
   */
  readonly policies?: readonly (string | PolicySpec)[];
}

/** Checks and completes an untyped document, once: an error names the path of whatever is wrong, and nothing is repaired. The result is frozen. */
export function completeExperiment(document: unknown, overrides: Overrides = {}): Experiment {
  const given = overridden(record(document, ""), overrides);
  const completed = completeOnce(given);
  // What a sweep cannot change has been checked.
  const swept = { ...completed, seeds: completed.seeds.slice(0, 1), evidence: [], sweep: [] };
  for (const point of sweepPoints(completed.sweep)) {
    try {
      completeOnce(withValue(swept, point));
    } catch (error) {
      if (error instanceof LabError) throw error;
      throw within(error, `sweep: with ${point.value} at ${point.path}, `);
    }
  }
  requireSchema(given);
  return deepFreeze(completed);
}

function overridden(document: Readonly<Record<string, unknown>>, { policies, ...overrides }: Overrides): Readonly<Record<string, unknown>> {
  if (policies === undefined) return { ...document, ...overrides };
  const { claim: _, evidence: __, ...rest } = document;
  return { ...rest, ...overrides, policies: namedPolicies(policies, rest.policies) };
}

function completeOnce(given: Readonly<Record<string, unknown>>): Experiment {
  for (const key of Object.keys(given)) {
    if (!KEYS.includes(key)) throw unknownKey(key, given[key], KEYS.slice(1));
  }
  const horizon = integer(given.horizon, "horizon", 1, Number.MAX_SAFE_INTEGER);
  const seeds = completeSeeds(given.seeds);
  const sweep = completeSweep(given.sweep);
  const anatomy = flag(given.anatomy ?? false, "anatomy");
  const environments = completeEnvironments(given.environments, horizon, seeds[0]!);
  const policies = completePolicies(given.policies, environments, { horizon, seed: seeds[0]!, anatomy });
  return {
    name: text(given.name, "name", NAME, "a text of letters, digits and . _ -, at most 64, that begins with a letter or digit"),
    claim: given.claim === undefined || given.claim === null ? null : text(given.claim, "claim", PROSE, "a text without control characters"),
    evidence: completeEvidence(given.evidence ?? [], Object.keys(environments), Object.keys(policies), sweep),
    horizon,
    seeds,
    environments: Object.fromEntries(Object.entries(environments).map(([label, { spec }]) => [label, spec])),
    policies,
    sweep,
    checkpoints: integer(given.checkpoints ?? DEFAULT_CHECKPOINTS, "checkpoints", 2, 10_000),
    anatomy,
    // Left out unless it is wanted, so that the hash is that of a document without the key.
    ...(flag(given.runHash ?? false, "runHash") ? { runHash: true } : {}),
  };
}

function completeSeeds(seeds: unknown): number[] {
  if (typeof seeds === "number") return Array.from({ length: integer(seeds, "seeds", 1, MOST_SEEDS) }, (_, i) => i + 1);
  if (seeds === undefined) throw missing("seeds", "a number N (the seeds 1 to N) or a list of integers");
  if (!(Array.isArray(seeds) && seeds.length > 0)) throw wrong("seeds", seeds, "a number N (the seeds 1 to N) or a list of integers");
  const list = seeds.map((seed, i) => integer(seed, `seeds[${i}]`, 0, Number.MAX_SAFE_INTEGER));
  if (new Set(list).size < list.length) throw wrong("seeds", seeds, "a list without repetitions");
  return list;
}

interface CompletedEnvironment {
  readonly spec: LabEnvironmentSpec;
  readonly environment: Environment;
}

function completeEnvironments(environments: unknown, horizon: number, seed: number): Record<string, CompletedEnvironment> {
  return mapLabels(environments, "environments", (given, path) => {
    requireFewArms(record(given, path).arms, `${path}arms`);
    const environment = environmentOf(record(given, path) as LabEnvironmentSpec, horizon, seed, path);
    try {
      environment.mean(horizon, 0);
    } catch (error) {
      throw within(error, `${path.slice(0, -1)} is too short for the horizon: `);
    }
    if (!OURS.has(environment.spec.environment)) requireMeans(environment, horizon, path.slice(0, -1));
    const { delay, rotate = false, rescale = false, horizon: own } = given as Record<string, unknown>;
    const { horizon: filled, ...spec } = environment.spec;
    return {
      environment,
      spec: {
        ...(spec as LabEnvironmentSpec),
        ...(own === undefined ? {} : { horizon: filled }),
        ...(delay === undefined ? {} : { delay: completeDelay(delay, `${path}delay`) }),
        // These keys are left out unless they are true, so that the hash is that of a document without them.
        ...(flag(rotate, `${path}rotate`) ? { rotate: true } : {}),
        ...(flag(rescale, `${path}rescale`) ? { rescale: requireSigma(environment, `${path}rescale`) } : {}),
      },
    };
  });
}

/** The environments of the library, which its own tests check. */
const OURS = new Set(Object.keys(ENVIRONMENTS));

/** Regret by wrong means or sums would look like a result. How far `checkEnvironment` looks would take too long here. */
function requireMeans(environment: Environment, horizon: number, label: string): void {
  try {
    checkMeans(environment, Math.min(horizon, 3));
  } catch (error) {
    throw error instanceof LabError ? new LabError(error.code, `${label}: ${error.message}`) : error;
  }
}

/** Whatever else is wrong with the arms, the environment says. */
function requireFewArms(arms: unknown, name: string): void {
  const count = Array.isArray(arms) ? arms.length : Number(arms ?? 0);
  if (!(count > MOST_ARMS)) return;
  const wanted = `at most ${MOST_ARMS.toLocaleString("en")} arms, got ${count.toLocaleString("en")}`;
  throw new TsallisError("ERR_PARAMETER", name, count, `${name} must be ${wanted}; with more arms, call the library itself`);
}

/** The shift is measured in sigmas. */
function requireSigma(environment: Environment, name: string): true {
  if (environment.sigma() < Infinity) return true;
  const { alpha } = environment;
  throw new TsallisError("ERR_PARAMETER", name, true, `${name} needs a finite sigma, and the environment promises none at alpha ${alpha}`);
}

function completeDelay(delay: unknown, name: string): LabEnvironmentSpec["delay"] & {} {
  if (typeof delay === "number") return integer(delay, name, 0, Number.MAX_SAFE_INTEGER);
  const { batch, ...others } = record(delay, `${name}.`);
  if (batch !== undefined) {
    for (const key of Object.keys(others)) throw unknownKey(`${name}.${key}`, others[key], ["batch"]);
    return { batch: integer(batch, `${name}.batch`, 1, Number.MAX_SAFE_INTEGER) };
  }
  const distribution = createDistribution(delay, `${name}.`);
  if (!(distribution.low >= 0)) throw wrong(name, delay, "a whole number of rounds, a distribution without negative values, or { batch: rounds }");
  return distribution.spec;
}

function completePolicies(
  policies: unknown,
  environments: Readonly<Record<string, CompletedEnvironment>>,
  { horizon, seed, anatomy }: { readonly horizon: number; readonly seed: number; readonly anatomy: boolean },
): Record<string, PolicySpec> {
  return mapLabels(policies === "default" ? defaultPolicies() : policies, "policies", (given, path) => {
    const spec = record(given, path) as PolicySpec;
    let completed: PolicySpec | undefined;
    for (const [label, { environment, spec: world }] of Object.entries(environments)) {
      try {
        const filled = fillPolicy(spec, environment, horizon, world.rescale ? seedsRescaling(environment, seed) : null);
        if (spec.sigma === PROMISED && filled.sigma === Infinity) requirePromise(environment, `${path}sigma`);
        const policy = createPolicy(filled, environment.arms, { path });
        if (anatomy && world.rescale)
          throw wrong(`environments.${label}.rescale`, true, "false, or anatomy must be: its terms are of losses as they are");
        if (anatomy) new Anatomy(policy, environment, horizon, world.delay);
        // A policy of the user's own may be another one with options of its own, and shows the other's spec then: a run must create it by its own name.
        completed = policy.spec.policy === filled.policy ? policy.spec : { ...defaultsOf(filled.policy), ...filled };
      } catch (error) {
        throw Object.keys(environments).length === 1 ? error : within(error, "", ` (in the environment ${label})`);
      }
    }
    // Values that each environment fills in stay open; values that the policy completed are written down.
    const open = Object.fromEntries(Object.entries(spec).filter(([, value]) => value === PROMISED));
    const result: Record<string, unknown> & PolicySpec = { ...completed!, ...open };
    if (spec.horizon === undefined) delete result.horizon;
    return result;
  });
}

/** What the policy would say, that a sigma is no Infinity, is of no help to the author of an environment. */
function requirePromise({ spec: { environment } }: Environment, name: string): void {
  if (OURS.has(environment)) return;
  const remedy = "give a number here, or add sigma(alpha) to what its create returns";
  throw new TsallisError("ERR_PARAMETER", name, PROMISED, `${name} is ${PROMISED}, but the environment ${environment} promises no sigma; ${remedy}`);
}

function defaultsOf(policy: string): Record<string, unknown> {
  const parameters = Object.entries(POLICIES[policy]!.parameters);
  return Object.fromEntries(parameters.flatMap(([name, parameter]) => ("default" in parameter ? [[name, parameter.default]] : [])));
}

function completeEvidence(evidence: unknown, environments: readonly string[], policies: readonly string[], sweep: readonly SweepAxis[]): Evidence[] {
  if (!Array.isArray(evidence)) throw wrong("evidence", evidence, "a list");
  return evidence.map((item, i) => {
    const name = `evidence[${i}]`;
    const { environment, policy, beats, exponent, along = "rounds", ...rest } = record(item, `${name}.`);
    for (const key of Object.keys(rest)) throw unknownKey(`${name}.${key}`, rest[key], ["environment", "policy", "beats", "exponent", "along"]);
    const who = { environment: oneOf(environment, environments, `${name}.environment`), policy: oneOf(policy, policies, `${name}.policy`) };
    if (exponent === undefined) return { ...who, beats: oneOf(beats, policies, `${name}.beats`) };
    if (!(Array.isArray(exponent) && exponent.length === 2 && exponent.every(Number.isFinite) && exponent[0] <= exponent[1])) {
      throw wrong(`${name}.exponent`, exponent, "a range [low, high]");
    }
    if (beats !== undefined) throw wrong(name, item, "a statement with beats or with exponent, not with both");
    return { ...who, exponent: [exponent[0], exponent[1]], along: oneOf(along, ["rounds", ...sweep.map(({ path }) => path)], `${name}.along`) };
  });
}

function oneOf(value: unknown, names: readonly string[], name: string): string {
  if (value === undefined) throw missing(name, `one of ${names.join(", ")}`);
  if (!(typeof value === "string" && names.includes(value))) throw wrong(name, value, `one of ${names.join(", ")}`, names);
  return value;
}

function completeSweep(sweep: unknown): SweepAxis[] {
  if (sweep === undefined) return [];
  const several = Array.isArray(sweep);
  let count = 0;
  const paths = new Set<string>();
  return (several ? sweep : [sweep]).map((axis, i) => {
    const name = several ? `sweep[${i}]` : "sweep";
    const { path, values, ...rest } = record(axis, `${name}.`);
    for (const key of Object.keys(rest)) throw unknownKey(`${name}.${key}`, rest[key], ["path", "values"]);
    if (values === undefined) throw missing(`${name}.values`, "a list of numbers or words");
    count += Array.isArray(values) ? values.length : 0;
    if (count > MOST_VALUES) {
      const counted = `${count.toLocaleString("en")} values in all, and a sweep has at most ${MOST_VALUES.toLocaleString("en")}`;
      throw new TsallisError(
        "ERR_PARAMETER",
        `${name}.values`,
        count,
        `${name}.values makes ${counted}; split the experiment into several documents`,
      );
    }
    const good = Array.isArray(values) && values.length > 0 && new Set(values.map(String)).size === values.length;
    if (!(good && values.every((value) => Number.isFinite(value) || (typeof value === "string" && WORD.test(value))))) {
      throw wrong(`${name}.values`, values, "a list of different numbers or words without a /");
    }
    const swept = text(path, `${name}.path`, SWEPT, "horizon, or a path that begins with environments. or policies.");
    // Two axes with the same path would give two runs the same id.
    if (paths.has(swept)) throw wrong(`${name}.path`, path, "a path that no axis before it has");
    paths.add(swept);
    return { path: swept, values: [...values] };
  });
}

/** The published schema has the last word: a document that passes here and fails the schema, or the reverse, reveals a bug in one of them. */
function requireSchema(document: unknown): void {
  const schema = Compile(experimentSchema());
  // Listing the errors tries every alternative of every part, which takes minutes for ten thousand arms.
  if (schema.Check(document)) return;
  const [, problems] = schema.Errors(document);
  const { instancePath, message } = problems[0]!;
  throw new LabError("ERR_DOCUMENT", `${instancePath.slice(1).replaceAll("/", ".") || "the document"} ${message}`);
}

function mapLabels<T>(value: unknown, name: string, complete: (item: unknown, path: string) => T): Record<string, T> {
  if (value === undefined) throw missing(name, "an object with one label for each");
  const entries = Object.entries(record(value, `${name}.`));
  if (entries.length === 0) throw wrong(name, value, "an object with at least one label");
  for (const [label] of entries) {
    if (!new RegExp(LABEL).test(label)) {
      const message = `${name} has the label ${JSON.stringify(label)}: a label must begin with a letter or digit and hold only letters, digits, spaces and . _ + = -, at most 64`;
      throw new TsallisError("ERR_PARAMETER", name, label, message);
    }
  }
  return Object.fromEntries(entries.map(([label, item]) => [label, locating(`${name}.${label}`, (path) => complete(item, path))]));
}

/** What is wrong with a policy or an environment of the user's own has no path in the document; then it has that of the label. */
function locating<T>(label: string, complete: (path: string) => T): T {
  try {
    return complete(`${label}.`);
  } catch (error) {
    if (!(error instanceof TsallisError) || error.parameter.startsWith(label)) throw error;
    throw new TsallisError(error.code, label, error.value, error.message.startsWith(label) ? error.message : `${label}: ${error.message}`);
  }
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw wrong(path.slice(0, -1) || "the document", value, "an object");
}

function integer(value: unknown, name: string, low: number, high: number): number {
  const wanted = high === Number.MAX_SAFE_INTEGER ? `an integer of at least ${low}` : `an integer in [${low}, ${high}]`;
  if (value === undefined) throw missing(name, wanted);
  if (!(Number.isSafeInteger(value) && (value as number) >= low && (value as number) <= high)) throw wrong(name, value, wanted);
  return value as number;
}

function text(value: unknown, name: string, pattern: string, wanted: string): string {
  if (value === undefined) throw missing(name, wanted);
  if (!(typeof value === "string" && new RegExp(pattern).test(value))) throw wrong(name, value, wanted);
  return value;
}

function flag(value: unknown, name: string): boolean {
  if (typeof value !== "boolean") throw wrong(name, value, "true or false");
  return value;
}

function missing(name: string, wanted: string): TsallisError {
  return new TsallisError("ERR_MISSING", name, undefined, `${name} is missing: it must be ${wanted}`);
}

function unknownKey(name: string, value: unknown, known: readonly string[]): TsallisError {
  return new TsallisError("ERR_UNKNOWN_KEY", name, value, `unknown key ${name}; known keys: ${known.join(", ")}`, known);
}

function wrong(name: string, value: unknown, wanted: string, known: readonly string[] = []): TsallisError {
  const json = JSON.stringify(value) ?? String(value);
  const shown = json.length > 60 ? `${json.slice(0, 57)}...` : json;
  return new TsallisError("ERR_PARAMETER", name, value, `${name} must be ${wanted}, got ${shown}`, known);
}

/** The same error with text around its message. */
function within(error: unknown, before: string, after = ""): unknown {
  if (!(error instanceof TsallisError)) return error;
  return new TsallisError(error.code, error.parameter, error.value, `${before}${error.message}${after}`, error.known);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}
