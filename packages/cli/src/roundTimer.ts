import { type Choice, createPolicy, type PolicySpec, stream } from "tsallis";

/** One policy at one number of arms, for so many rounds. */
export interface RoundTask {
  readonly kind: "rounds";
  readonly spec: PolicySpec;
  readonly arms: number;
  readonly rounds: number;
}

/** A power of two. Few enough that the table of 1000 arms stays in the cache. */
const ROWS = 256;
const SHAPE = 2.2;
/** (E X^2)^(1/2) of the losses below, rounded up: a true sigma for every alpha up to 2. */
export const SIGMA = 3.5;

const tables = new Map<number, Float64Array>();

/** Lomax losses of tail index 2.2 and mean 1, except for arm 0, which has 1/2 and is best. Drawn before the clock starts. */
function lossTable(arms: number): Float64Array {
  let table = tables.get(arms);
  if (table === undefined) {
    const rng = stream(1, "bench", arms);
    table = Float64Array.from({ length: ROWS * arms }, (_, i) => (i % arms === 0 ? 0.5 : 1) * (SHAPE - 1) * (rng.open() ** (-1 / SHAPE) - 1));
    tables.set(arms, table);
  }
  return table;
}

/** Nanoseconds per round, choose and update, of a fresh policy. */
export function timeRounds({ spec, arms, rounds }: RoundTask): number {
  const table = lossTable(arms);
  const policy = createPolicy(spec, arms);
  const rng = stream(1, "bench", "policy");
  let choice: Choice | undefined;
  const start = performance.now();
  for (let n = 0; n < rounds; n++) {
    choice = policy.choose(rng, choice);
    policy.update(choice, table[(n & (ROWS - 1)) * arms + choice.arm]!);
  }
  return ((performance.now() - start) * 1e6) / rounds;
}
