import { parseObject } from "@tsallis/cli/dist/input/parseObject.js";
import { at } from "@tsallis/cli/dist/text/failure.js";
import { print } from "@tsallis/cli/dist/text/output.js";
import { createPolicy, DEFAULT_POLICY, type PolicySpec } from "tsallis";
import { requireCount } from "../requireCount.js";
import { entrantOf } from "./entrant.js";
import { type FuzzResult, fuzzResults } from "./fuzzResult.js";
import { fuzzTable } from "./fuzzTable.js";
import { fuzzThreads } from "./fuzzThreads.js";
import { createWorld, KINDS, type Kind } from "./kinds.js";
import { RECOMMENDED } from "./recommended.js";
import { roundsOf } from "./rounds.js";

export interface FuzzOptions {
  /** Without it, worlds of all kinds are played. */
  readonly kind?: Kind | undefined;
  readonly worlds: number;
  readonly first: number;
  /** A name or a spec as JSON. Without it, the policies that the guide recommends are played in the worlds of values, and the default in the others. */
  readonly policy?: string | undefined;
  readonly json: boolean;
}

/** The worlds to play: `worlds` of them from the first on. */
export interface FuzzSize {
  readonly worlds: number;
  readonly first: number;
  /** By default those of the kind. */
  readonly rounds?: number;
}

const MOST_WORLDS = 1_000_000;
const LAST_WORLD = 1_000_000_000;

/** What to play: some policies in worlds of a kind. */
export interface Entry {
  readonly kind: Kind;
  readonly policies: readonly PolicySpec[];
}

/** Prints how policies do in random worlds. */
export async function benchFuzz({ kind, worlds, first, policy, json }: FuzzOptions, signal: AbortSignal): Promise<void> {
  requireCount("worlds", worlds, MOST_WORLDS);
  requireCount("first", first, LAST_WORLD);
  const entries = (kind === undefined ? KINDS : [kind]).map((each) => ({
    kind: each,
    policies: policy === undefined ? recommendedIn(each) : [givenSpec(policy, each, first)],
  }));
  const results = await fuzzed(entries, { worlds, first }, signal);
  await print(json ? `${JSON.stringify(results)}\n` : fuzzTable(results));
}

/** Plays every policy in every world of its kind. */
export async function fuzzed(entries: readonly Entry[], size: FuzzSize, signal: AbortSignal): Promise<FuzzResult[]> {
  const tasks = entries.flatMap(({ kind, policies }) => policies.map((policy) => ({ kind, policy, rounds: roundsOf(kind), ...size })));
  const runs = await fuzzThreads(tasks, signal);
  return tasks.flatMap(({ kind, policy }, t) => fuzzResults(kind, policy, runs[t]!));
}

/** Only worlds of values meet the conditions of all the policies that are recommended. */
function recommendedIn(kind: Kind): readonly PolicySpec[] {
  return kind === "values" ? RECOMMENDED : [DEFAULT_POLICY];
}

/** The policy that --policy gives. It is tried out on the first world: an error there is an error in all of them. */
function givenSpec(text: string, kind: Kind, first: number): PolicySpec {
  try {
    const given = text.trimStart().startsWith("{")
      ? parseObject(text, `write it like --policy '{"policy":"exp3"}', or --policy exp3`)
      : { policy: text };
    const spec = given as PolicySpec;
    const { view, spec: specFor } = entrantOf(spec, kind);
    const { environment } = createWorld(kind, first, view);
    createPolicy(specFor(environment, roundsOf(kind)), environment.arms);
    return spec;
  } catch (error) {
    throw at(kind === "values" ? "--policy" : `--policy, in worlds of ${kind}`, error);
  }
}
