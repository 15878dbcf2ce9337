import { type Advice, advise } from "@tsallis/lab/play";
import { createEnvironment, DEFAULT_POLICY } from "tsallis";
import { FEWEST_LOSSES } from "tsallis/statistics";
import type { Race } from "../engine/race.js";
import { type LossTable, tableOf } from "./lossTable.js";

/** Response times of three servers, in seconds: the fastest on average, a steady one, and one that is usually fast. */
const SERVERS = [
  { name: "near", distribution: { distribution: "lomax", shape: 1.8, scale: 0.16 } },
  { name: "steady", distribution: { distribution: "uniform", low: 0.2, high: 0.4 } },
  { name: "far", distribution: { distribution: "shifted", by: 0.2, of: { distribution: "lomax", shape: 1.5, scale: 0.1 } } },
];
const SAMPLE_ROUNDS = 1_500;

/** A table like the one that is shown, which has seed 1. */
export function sampleTable(seed: number): LossTable {
  const world = createEnvironment({ environment: "stochastic", alpha: 1.4, arms: SERVERS.map(({ distribution }) => distribution) }, seed);
  const row = (round: number) => SERVERS.map((_, arm) => Number(world.loss(round, arm).toPrecision(4)));
  return tableOf(
    SERVERS.map(({ name }) => name),
    Array.from({ length: SAMPLE_ROUNDS }, (_, i) => row(i + 1)),
  );
}

/** What `tsallis advise` says of the table; a sentence if it has too few losses or arms. */
export function adviceOn({ names, columns }: LossTable): Advice | string {
  if (names.length < 2) return "Advice needs at least two arms.";
  const fewest = Math.min(...columns.map(({ length }) => length));
  if (fewest < FEWEST_LOSSES) return `Advice needs at least ${FEWEST_LOSSES} losses of each arm; the file has ${fewest} of one.`;
  return advise(names.map((name, arm) => ({ name, losses: Float64Array.from(columns[arm]!) })));
}

/** A race on the recorded losses: the advised policy, and others for comparison. */
export function raceOn(table: LossTable): Race {
  const { losses } = table;
  const advice = adviceOn(table);
  const advised = typeof advice === "string" ? DEFAULT_POLICY : advice.recommendation.spec;
  const others: Race["policies"] = [
    { label: "UCB1", spec: { policy: "ucb1" } },
    { label: "EXP3", spec: { policy: "exp3" } },
    { label: "Uniform", spec: { policy: "uniform" } },
  ];
  return {
    world: { environment: "replay", alpha: 1.5, losses },
    policies: [{ label: "advised", spec: advised }, ...others],
    seeds: 10,
    rounds: losses.length,
  };
}
