import { rateFor, softmaxProbabilities, tsallisProbabilities } from "./tsallisProbabilities.js";

/** What the arms have cost so far, before the bad luck. */
export const BEFORE = [0, 1, 1] as const;
/** What both rules then give the leader. */
export const LEADER = 0.8;

/** The probabilities of the arms under each rule, after arm 3 had a loss of that size. */
export function probabilitiesAfter(size: number, alpha: number): readonly (readonly number[])[] {
  const rules = [
    (estimates: readonly number[], rate: number) => tsallisProbabilities(estimates, rate, alpha),
    (estimates: readonly number[], rate: number) => softmaxProbabilities(estimates, rate),
  ];
  return rules.map((rule) => {
    const rate = rateFor((each) => rule(BEFORE, each), LEADER);
    return rule([BEFORE[0], BEFORE[1], BEFORE[2] + size], rate);
  });
}
