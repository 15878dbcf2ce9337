import { Evaluation, type MeanEvidenceSnapshot } from "tsallis/evidence";

type Bets = MeanEvidenceSnapshot["atLeast"];

export interface Pace {
  /** The probability of each arm in the decisions to come; null: as often as so far. */
  readonly shares: readonly number[] | null;
  readonly error: number;
  readonly tolerance: number;
}

/** With more arms it would take too long to say. */
const MOST_ARMS = 20;
/** Below this part of the evidence that is needed, or further away than this many times the decisions so far, an estimate is worth nothing. */
const LEAST_PART = 0.25;
const FURTHEST = 30;
/** Evidence goes up and down: no verdict is nearer than this part of the decisions so far. */
const NEAREST = 0.1;
/** Steps of the search: the estimate is within 2 % of its own answer. */
const STEPS = 7;

/**
 * About how many further decisions the verdict takes, if they are like those so far: each stream goes on as it was, prolonged by what its arm is played. Null if nothing can
 * be said: the evidence is too far from its line, or an arm has never been played.
 */
export function decisionsToGo(evaluation: Evaluation, { shares, error, tolerance }: Pace): number | null {
  const { rounds, arms } = evaluation;
  const { best, leader, evidence, needed } = evaluation.verdict({ error, tolerance });
  if (best !== null) return 0;
  if (leader === null || arms > MOST_ARMS || !(evidence[leader]! >= LEAST_PART * needed)) return null;
  const snapshot = evaluation.snapshot();
  const played = snapshot.streams.slice(0, arms).map(({ range: { count, missing } }) => count + missing);
  if (played.some((count) => count === 0)) return null;
  const ends = (more: number): boolean => {
    const streams = snapshot.streams.map((stream, arm) => {
      if (arm >= arms) return stream;
      const factor = shares === null ? 1 + more / rounds : 1 + (more * shares[arm]!) / played[arm]!;
      return { range: prolonged(stream.range, factor) };
    });
    return Evaluation.restore({ ...snapshot, rounds: Math.round(rounds + more), streams }).verdict({ error, tolerance }).best === leader;
  };
  let [low, high] = [0, Math.max(1, rounds / 64)];
  while (!ends(high)) {
    if (high > FURTHEST * rounds) return null;
    [low, high] = [high, 2 * high];
  }
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (ends(middle)) high = middle;
    else low = middle;
  }
  return Math.ceil(Math.max(high, NEAREST * rounds));
}

function prolonged(stream: MeanEvidenceSnapshot, factor: number): MeanEvidenceSnapshot {
  const times = (count: number) => Math.round(factor * count);
  return {
    ...stream,
    ...{ count: times(stream.count), missing: times(stream.missing), beyondCap: times(stream.beyondCap), beyondFloor: times(stream.beyondFloor) },
    ...{ atLeast: prolongedBets(stream.atLeast, factor), atMost: prolongedBets(stream.atMost, factor) },
  };
}

/** The product of the factors to that power, and that many times their sums. */
function prolongedBets({ plays, rounds, waiting, products, exponents, sums }: Bets, factor: number): Bets {
  const logarithms = products.map((product, k) => factor * (exponents[k]! + Math.log2(product)));
  return {
    ...{ plays: Math.round(factor * plays), rounds: Math.round(factor * rounds), waiting: Math.round(factor * waiting) },
    products: logarithms.map((logarithm) => Math.min(2 - 2 ** -52, Math.max(1, 2 ** (logarithm - Math.floor(logarithm))))),
    exponents: logarithms.map(Math.floor),
    sums: sums.map((sum) => factor * sum),
  };
}
