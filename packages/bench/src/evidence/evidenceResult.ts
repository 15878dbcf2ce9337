import { quantile } from "tsallis/statistics";
import type { Answer, LogRun } from "./playLog.js";
import type { RaceRun, Stop } from "./playRace.js";

/** Shares of logs, from 0 to 1; of the best arm, and of all other arms together. */
export interface CoverageResult {
  readonly world: string;
  readonly maker: string;
  readonly logs: number;
  readonly normal: readonly [number, number];
  /** Null if the policy has no probabilities. */
  readonly inversePropensity: readonly [number, number] | null;
  readonly winsorised: readonly [number, number];
  readonly answers: Readonly<Record<Question, AnswerResult>>;
  /** The length of the interval over that of the shortest around the same estimate that is right in 95 % of the logs: of the best arm, and the mean of the others. */
  readonly overOracle: readonly [number, number];
}

export type Question = "best arm" | "other arms" | "difference" | "uniform" | "savings";
export const QUESTIONS: readonly Question[] = ["best arm", "other arms", "difference", "uniform", "savings"];

export interface AnswerResult {
  readonly width: number;
  readonly right: number;
  readonly everWrong: number;
  /** Whether it is wrong at some time more often than chance explains at the .001 level, if 5 % were its probability. */
  readonly tooOften: boolean;
}

export interface RaceResult {
  readonly world: string;
  readonly arms: number;
  readonly gap: number;
  readonly logs: number;
  readonly evidence: StopResult;
  readonly peeking: StopResult | null;
  /** The fewest decisions that any rule needs on average; null for more than two arms and small gaps. */
  readonly fewest: number | null;
}

export interface StopResult {
  readonly stopped: number;
  readonly wrong: number;
  /** The median decision of the stops; null if more than half of the logs have none. */
  readonly median: number | null;
}

export function coverageResult(world: string, maker: string, runs: readonly LogRun[]): CoverageResult {
  const best = runs.map(({ arms }) => arms[0]!);
  const rest = runs.flatMap(({ arms }) => arms.slice(1));
  const both = (of: (arm: (typeof best)[number]) => boolean): [number, number] => [share(best, of), share(rest, of)];
  const places = [...runs[0]!.arms.keys()];
  const ratios = places.map((arm) => overOracle(runs.map(({ arms }) => arms[arm]!)));
  return {
    world,
    maker,
    logs: runs.length,
    normal: both(({ normal }) => normal),
    inversePropensity: best[0]!.inversePropensity === null ? null : both(({ inversePropensity }) => inversePropensity === true),
    winsorised: both(({ winsorised }) => winsorised),
    answers: {
      "best arm": answerResult(best),
      "other arms": answerResult(rest),
      difference: answerResult(runs.map(({ difference }) => difference)),
      uniform: answerResult(runs.map(({ uniform }) => uniform)),
      savings: answerResult(runs.map(({ savings }) => savings)),
    },
    overOracle: [ratios[0]!, mean(ratios.slice(1))],
  };
}

function answerResult(answers: readonly Answer[]): AnswerResult {
  const wrong = answers.filter(({ everWrong }) => everWrong).length;
  return {
    width: mean(answers.map(({ width }) => width)),
    right: share(answers, ({ right }) => right),
    everWrong: wrong / answers.length,
    tooOften: tailOf(wrong, answers.length, 0.05) < 0.001,
  };
}

function overOracle(answers: readonly Answer[]): number {
  const off = answers.flatMap(({ off }) => (off === null ? [] : [off]));
  return mean(answers.map(({ width }) => width)) / (2 * quantile(off, 0.95));
}

/** P(X >= hits) for a binomial X. */
export function tailOf(hits: number, trials: number, p: number): number {
  let term = (1 - p) ** trials;
  let below = 0;
  for (let i = 0; i < hits; i++) {
    below += term;
    term *= ((trials - i) / (i + 1)) * (p / (1 - p));
  }
  return Math.max(0, 1 - below);
}

export function raceResult(world: string, arms: number, gap: number, runs: readonly RaceRun[], fewest: number | null): RaceResult {
  const evidence = stopResult(runs.map(({ evidence }) => evidence));
  const peeking = arms === 2 ? stopResult(runs.map(({ peeking }) => peeking)) : null;
  return { world, arms, gap, logs: runs.length, evidence, peeking, fewest };
}

function stopResult(stops: readonly (Stop | null)[]): StopResult {
  const median = quantile(
    stops.map((stop) => stop?.round ?? Number.MAX_VALUE),
    0.5,
  );
  return {
    stopped: share(stops, (stop) => stop !== null),
    wrong: share(stops, (stop) => stop?.wrong === true),
    median: median < 1e300 ? median : null,
  };
}

function share<T>(items: readonly T[], of: (item: T) => boolean): number {
  return items.filter(of).length / items.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
