import { elementary } from "tsallis";
import { processorTime } from "../processorTime.js";

/** One elementary function, the library's or the engine's, and how often to call it. */
export interface CallTask {
  readonly kind: "calls";
  readonly name: string;
  readonly engine: boolean;
  readonly calls: number;
}

interface Pair {
  readonly ours: (x: number) => number;
  readonly engine: (x: number) => number;
  readonly low: number;
  readonly high: number;
}

/** The library's functions beside the engine's, and the range of arguments on which both are timed. */
export const FUNCTIONS: Readonly<Record<string, Pair>> = {
  exp: { ours: elementary.exp, engine: Math.exp, low: -20, high: 20 },
  log: { ours: elementary.log, engine: Math.log, low: 0, high: 1000 },
  pow: { ours: (x) => elementary.pow(x, 1.7), engine: (x) => x ** 1.7, low: 0, high: 1000 },
  expm1: { ours: elementary.expm1, engine: Math.expm1, low: -1, high: 1 },
  log1p: { ours: elementary.log1p, engine: Math.log1p, low: -0.5, high: 1 },
  sinPi: { ours: elementary.sinPi, engine: (x) => Math.sin(Math.PI * x), low: -1, high: 1 },
  cosPi: { ours: elementary.cosPi, engine: (x) => Math.cos(Math.PI * x), low: -1, high: 1 },
  atan: { ours: elementary.atan, engine: Math.atan, low: -10, high: 10 },
};

const ARGUMENTS = 1024;
/** Keeps the results alive: a compiler may leave out work whose result nobody reads. */
let sum = 0;

/** Nanoseconds per call, loop included. */
export function timeCalls({ name, engine, calls }: CallTask): number {
  const { low, high, ...pair } = FUNCTIONS[name]!;
  const call = engine ? pair.engine : pair.ours;
  const points = Float64Array.from({ length: ARGUMENTS }, (_, i) => low + ((high - low) * (((i * 619) % ARGUMENTS) + 0.5)) / ARGUMENTS);
  let total = 0;
  const start = processorTime();
  for (let n = 0; n < calls; n++) total += call(points[n & (ARGUMENTS - 1)]!);
  const elapsed = processorTime() - start;
  sum += total;
  return Number.isNaN(sum) ? sum : (elapsed * 1e6) / calls;
}
