import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { print } from "@tsallis/cli/dist/text/output.js";
import { requireCount } from "../requireCount.js";
import { benchLoad } from "./load/benchLoad.js";
import { LOAD_SCENARIOS } from "./load/loadScenarios.js";
import { loadTables } from "./load/loadTables.js";
import { benchWorlds } from "./worlds/benchWorlds.js";
import { routerTables } from "./worlds/routerTables.js";
import { SCENARIOS } from "./worlds/scenarios.js";

const REQUESTS = 20_000;
const MOST_SEEDS = 10_000;

export interface RouterChoice {
  /** Without it, each kind of scenario has its own number. */
  readonly seeds: number | undefined;
  /** The names or kinds of the scenarios to play; all without it. */
  readonly only: readonly string[] | undefined;
  readonly json: boolean;
}

/** Prints how the router does beside the rules that people use. */
export async function benchRouter({ seeds, only, json }: RouterChoice, signal: AbortSignal): Promise<void> {
  if (seeds !== undefined) requireCount("seeds", seeds, MOST_SEEDS);
  const names = [...new Set([...SCENARIOS.map(({ name }) => name), ...LOAD_SCENARIOS.flatMap(({ kind, name }) => [kind, name])])];
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Failure("ERR_PARAMETER", `only must be names or kinds of scenarios (${names.join(", ")}), got ${JSON.stringify(unknown)}`, "--only");
  const isPlayed = ({ name, kind = "" }: { name: string; kind?: string }) => only === undefined || only.includes(name) || only.includes(kind);
  const worlds = await benchWorlds(SCENARIOS.filter(isPlayed), { requests: REQUESTS, seeds: seeds ?? 60 }, signal);
  const load = await benchLoad(LOAD_SCENARIOS.filter(isPlayed), { requests: REQUESTS, seeds: seeds ?? 20 }, signal);
  if (json) return print(`${JSON.stringify({ worlds, load })}\n`);
  await print([...(worlds.length > 0 ? [routerTables(worlds)] : []), ...(load.length > 0 ? [loadTables(load)] : [])].join("\n"));
}
