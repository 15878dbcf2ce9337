/** The sum over all arms but the best, for theorems that need a unique best arm: a second zero gap makes the sum infinite. */
export function sumOverOthers(gaps: readonly number[], term: (gap: number) => number): number {
  const best = gaps.indexOf(0);
  let sum = 0;
  for (let arm = 0; arm < gaps.length; arm++) {
    const gap = gaps[arm]!;
    if (arm !== best) sum += gap === 0 ? Infinity : term(gap);
  }
  return sum;
}

/** The sum over the arms with a positive gap, for theorems that allow several best arms. */
export function sumOverSuboptimal(gaps: readonly number[], term: (gap: number) => number): number {
  let sum = 0;
  for (const gap of gaps) if (gap > 0) sum += term(gap);
  return sum;
}
