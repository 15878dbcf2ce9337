import type { Race } from "../engine/race.js";

/** How far the rare losses of the best arm are from what it usually costs, and how rare they are. */
export const SIZE = 50;
export const CHANCE = 0.02;

/** What the best arm costs in most rounds: its mean is 1 whatever the share. */
export const usual = (share: number) => 2 * share;

/**
 * Whether the best arm's costs outweigh its gains beyond every threshold. It has three values: in the order of their size the rare cost, the rare gain and the
 * usual cost. The sum over the first is a cost and over all three it is 1, so the sum over the first two decides.
 */
export const isTruncatedNonNegative = (share: number): boolean => (1 - share) * (SIZE + usual(share)) >= share * (SIZE - usual(share));

/** Negative losses are gains. The best arm costs 1 on average, and the other always 1.5. */
export function rareGainsRace(share: number): Race {
  const tail = { distribution: "signed", p: 1 - share, of: { distribution: "two-point", value: SIZE, probability: CHANCE } };
  const best = { distribution: "shifted", by: usual(share), of: tail };
  return {
    world: { environment: "stochastic", alpha: 2, arms: [best, { distribution: "constant", value: 1.5 }] },
    policies: [
      { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
      { label: "SignedTINF", spec: { policy: "signed-tinf", alpha: "promised", sigma: "promised" } },
      { label: "MatchedTINF", spec: { policy: "matched-tinf" } },
      { label: "Uniform", spec: { policy: "uniform" } },
    ],
    seeds: 20,
    rounds: 20_000,
  };
}
