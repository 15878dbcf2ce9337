import { stream } from "tsallis";

/** A power of two, small enough for the table to stay in the processor's cache. */
const LOSSES = 4096;
const SHAPE = 2.2;
/** (E X^2)^(1/2) of the losses below, rounded up: a true sigma for every alpha up to 2. */
export const SIGMA = 3.5;

/** Lomax losses of tail index 2.2 and mean 1, drawn before any clock starts. */
export const LOSS_TABLE = drawn();

function drawn(): Float64Array {
  const rng = stream(1, "bench");
  return Float64Array.from({ length: LOSSES }, () => (SHAPE - 1) * (rng.open() ** (-1 / SHAPE) - 1));
}

/** The loss of an arm in a round, counted from 0. All arms share the table; arm 0 has half the mean and is best. yardstick/yardstick.c does the same in C. */
export function lossOf(round: number, arm: number): number {
  return (arm === 0 ? 0.5 : 1) * LOSS_TABLE[(Math.imul(round, 1597) + arm) & (LOSSES - 1)]!;
}
