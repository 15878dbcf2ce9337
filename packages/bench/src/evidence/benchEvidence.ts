import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { print } from "@tsallis/cli/dist/text/output.js";
import { inThreads } from "../inThreads.js";
import { requireCount } from "../requireCount.js";
import { type CoverageResult, coverageResult, type RaceResult, raceResult } from "./evidenceResult.js";
import { evidenceTables } from "./evidenceTables.js";
import type { LogRun, LogTask } from "./playLog.js";
import { fewestDecisions, type RaceRun, type RaceTask } from "./playRace.js";
import { MAKERS, WORLDS, worldOf } from "./worlds.js";

export interface EvidenceOptions {
  /** Names, with commas; all if absent. */
  readonly worlds: string | undefined;
  /** The number of logs in each cell, and the seed of the first. */
  readonly logs: number;
  readonly first: number;
  readonly rounds: number;
  readonly json: boolean;
}

export interface EvidenceResult {
  readonly coverage: readonly CoverageResult[];
  readonly races: readonly RaceResult[];
}

const MOST_LOGS = 100_000;
const MOST_ROUNDS = 10_000_000;
const MOST_SEED = 2 ** 31;

/** The races: near ties, clear gaps, and five arms, with the decisions after which each ends undecided. */
const RACES = [
  { arms: 2, gap: 0.02, rounds: 3000 },
  { arms: 2, gap: 0.3, rounds: 20_000 },
  { arms: 5, gap: 0.3, rounds: 20_000 },
];

/** Prints how often evidence is right, at the end and at all times, how long its intervals are, and when it stops. */
export async function benchEvidence({ worlds, logs, first, rounds, json }: EvidenceOptions, signal: AbortSignal): Promise<void> {
  requireCount("logs", logs, MOST_LOGS);
  requireCount("first", first, MOST_SEED);
  requireCount("rounds", rounds, MOST_ROUNDS);
  const result = await measureEvidence(namesOf(worlds), logs, first, rounds, signal);
  await print(json ? `${JSON.stringify(result)}\n` : evidenceTables(result));
}

function namesOf(worlds: string | undefined): string[] {
  const known = WORLDS.map(({ name }) => name);
  const names = worlds?.split(",").map((name) => name.trim()) ?? known;
  const stray = names.find((name) => !known.includes(name));
  if (stray === undefined) return names;
  throw new Failure("ERR_UNKNOWN_NAME", `no world is named ${JSON.stringify(stray)}; there are ${known.join(", ")}`, "--worlds");
}

async function measureEvidence(worlds: readonly string[], logs: number, first: number, rounds: number, signal: AbortSignal): Promise<EvidenceResult> {
  const seeds = Array.from({ length: logs }, (_, i) => first + i);
  const cells = worlds.flatMap((world) => MAKERS.map(({ name }) => ({ world, maker: name })));
  const races = worlds.flatMap((world) => RACES.map((race) => ({ world, ...race, rounds: Math.min(race.rounds, 2 * rounds) })));
  const tasks = [...cells.map((cell) => ({ ...cell, rounds })), ...races].flatMap((cell): (LogTask | RaceTask)[] =>
    seeds.map((seed) => ({ ...cell, seed })),
  );
  const runs = await inThreads<LogTask | RaceTask, LogRun | RaceRun>(new URL("./evidenceThread.js", import.meta.url), "evidence", tasks, signal);
  const runsOf = <Run>(cell: number) => runs.slice(cell * logs, (cell + 1) * logs) as Run[];
  return {
    coverage: cells.map(({ world, maker }, i) => coverageResult(world, maker, runsOf<LogRun>(i))),
    races: races.map(({ world, arms, gap }, i) => {
      const fewest = arms === 2 && gap >= 0.1 ? fewestDecisions(worldOf(world), gap) : null;
      return raceResult(world, arms, gap, runsOf<RaceRun>(cells.length + i), fewest);
    }),
  };
}
