/** The size of the rare values of the best arm, gains or costs, and how often they come. */
export const SIZE = 50;
export const CHANCE = 0.02;

/** What the best arm costs in most rounds: its mean is 1 whatever the share. */
export const usual = (share: number) => 2 * share;

/**
 * Whether the best arm's costs outweigh its gains beyond every threshold. It has three values: in the order of their size the rare cost, the rare gain and the
 * usual cost. The sum over the first is a cost and over all three it is 1, so the sum over the first two decides.
 */
export const isTruncatedNonNegative = (share: number): boolean => (1 - share) * (SIZE + usual(share)) >= share * (SIZE - usual(share));
