import { parseObject } from "@tsallis/cli/dist/input/parseObject.js";
import { at } from "@tsallis/cli/dist/text/failure.js";
import { print } from "@tsallis/cli/dist/text/output.js";
import { createPolicy, type PolicySpec } from "tsallis";
import { requireCount } from "../requireCount.js";
import { entrantOf } from "./entrant.js";
import { type FuzzResult, fuzzResult } from "./fuzzResult.js";
import { fuzzTable } from "./fuzzTable.js";
import { fuzzThreads } from "./fuzzThreads.js";
import { ROUNDS } from "./playFuzz.js";
import { RECOMMENDED } from "./recommended.js";
import { viewed } from "./view.js";
import { createWorld } from "./world.js";

export interface FuzzOptions {
  readonly worlds: number;
  readonly first: number;
  /** A name or a spec as JSON. Without it, the policies that the guide recommends are played. */
  readonly policy?: string | undefined;
  readonly json: boolean;
}

/** The worlds to play: `worlds` of them from the first on. */
export interface FuzzSize {
  readonly worlds: number;
  readonly first: number;
  readonly rounds: number;
}

const MOST_WORLDS = 1_000_000;
const LAST_WORLD = 1_000_000_000;

/** Prints how policies do in random worlds. */
export async function benchFuzz({ worlds, first, policy, json }: FuzzOptions, signal: AbortSignal): Promise<void> {
  requireCount("worlds", worlds, MOST_WORLDS);
  requireCount("first", first, LAST_WORLD);
  const policies = policy === undefined ? RECOMMENDED : [givenSpec(policy, first)];
  const results = await fuzzed(policies, { worlds, first, rounds: ROUNDS }, signal);
  await print(json ? `${JSON.stringify(results)}\n` : fuzzTable(results));
}

/** Plays every policy in every world. */
export async function fuzzed(policies: readonly PolicySpec[], size: FuzzSize, signal: AbortSignal): Promise<FuzzResult[]> {
  const runs = await fuzzThreads(
    policies.map((policy) => ({ policy, ...size })),
    signal,
  );
  return policies.map((policy, p) => fuzzResult(policy, runs[p]!));
}

/** The policy that --policy gives. It is tried out on the first world: an error there is an error in all of them. */
function givenSpec(text: string, first: number): PolicySpec {
  try {
    const given = text.trimStart().startsWith("{")
      ? parseObject(text, `write it like --policy '{"policy":"exp3"}', or --policy exp3`)
      : { policy: text };
    const spec = given as PolicySpec;
    const { view, spec: specFor } = entrantOf(spec);
    const environment = viewed(createWorld(first), view);
    createPolicy(specFor(environment, ROUNDS), environment.arms);
    return spec;
  } catch (error) {
    throw at("--policy", error);
  }
}
