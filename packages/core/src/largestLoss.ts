/** The largest size of a loss that a policy accepts: products of larger ones with importance weights would overflow. */
export const LARGEST_LOSS = 1e300;
