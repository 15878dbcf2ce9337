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
  /** The number of races of two arms; those of five arms are a fifth. */
  readonly races: number;
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
  { arms: 2, gap: 0.02, rounds: 3000, part: 1 },
  { arms: 2, gap: 0.3, rounds: 20_000, part: 1 },
  { arms: 5, gap: 0.3, rounds: 20_000, part: 0.2 },
];

/** Prints how often evidence is right, at the end and at all times, how long its intervals are, and when it stops. */
export async function benchEvidence({ worlds, logs, races, first, rounds, json }: EvidenceOptions, signal: AbortSignal): Promise<void> {
  requireCount("logs", logs, MOST_LOGS);
  requireCount("races", races, MOST_LOGS);
  requireCount("first", first, MOST_SEED);
  requireCount("rounds", rounds, MOST_ROUNDS);
  const result = await measureEvidence(namesOf(worlds), { logs, races, first, rounds }, signal);
  await print(json ? `${JSON.stringify(result)}\n` : evidenceTables(result));
}

function namesOf(worlds: string | undefined): string[] {
  const known = WORLDS.map(({ name }) => name);
  const names = worlds?.split(",").map((name) => name.trim()) ?? known;
  const stray = names.find((name) => !known.includes(name));
  if (stray === undefined) return names;
  throw new Failure("ERR_UNKNOWN_NAME", `no world is named ${JSON.stringify(stray)}; there are ${known.join(", ")}`, "--worlds");
}

type Sizes = Pick<EvidenceOptions, "logs" | "races" | "first" | "rounds">;

async function measureEvidence(worlds: readonly string[], { logs, races, first, rounds }: Sizes, signal: AbortSignal): Promise<EvidenceResult> {
  const cells = worlds.flatMap((world) => MAKERS.map(({ name }) => ({ task: { world, maker: name, rounds }, count: logs })));
  const contests = worlds.flatMap((world) =>
    RACES.map(({ part, ...race }) => ({ task: { world, ...race, rounds: Math.min(race.rounds, 2 * rounds) }, count: Math.ceil(part * races) })),
  );
  const tasks = [...cells, ...contests].flatMap(({ task, count }) =>
    Array.from({ length: count }, (_, i): LogTask | RaceTask => ({ ...task, seed: first + i })),
  );
  const runs = await inThreads<LogTask | RaceTask, LogRun | RaceRun>(new URL("./evidenceThread.js", import.meta.url), "evidence", tasks, signal);
  let next = 0;
  const nextRuns = <Run>(count: number) => {
    next += count;
    return runs.slice(next - count, next) as Run[];
  };
  return {
    coverage: cells.map(({ task: { world, maker }, count }) => coverageResult(world, maker, nextRuns<LogRun>(count))),
    races: contests.map(({ task: { world, arms, gap }, count }) => {
      const fewest = arms === 2 && gap >= 0.1 ? fewestDecisions(worldOf(world), gap) : null;
      return raceResult(world, arms, gap, nextRuns<RaceRun>(count), fewest);
    }),
  };
}
