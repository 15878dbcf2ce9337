/** The growth of a bound's leading term, horizon^h ln(horizon)^l arms^k sigma^s, each exponent as a function of alpha. */
export interface Exponents {
  /** The power of the horizon T. */
  horizon(alpha: number): number;
  /** The power of ln T that multiplies the power of T; 0 if there is none. */
  logarithm(alpha: number): number;
  /** For instance-dependent bounds, with all gaps equal. */
  arms(alpha: number): number;
  /** At fixed gaps; null if the bound does not contain sigma. */
  readonly sigma: ((alpha: number) => number) | null;
}

/** sigma K^(1-1/alpha) T^(1/alpha): no policy grows more slowly in the worst case. */
export const MINIMAX_EXPONENTS: Exponents = {
  horizon: (alpha) => 1 / alpha,
  logarithm: () => 0,
  arms: (alpha) => 1 - 1 / alpha,
  sigma: () => 1,
};

/** sigma^(alpha/(alpha-1)) sum Delta^(-1/(alpha-1)) ln T: no consistent policy grows more slowly on a fixed problem. */
export const INSTANCE_EXPONENTS: Exponents = {
  horizon: () => 0,
  logarithm: () => 1,
  arms: () => 1,
  sigma: (alpha) => alpha / (alpha - 1),
};

/** sigma T^(1/alpha) (K ln T)^(1-1/alpha): the worst case of confidence bounds. */
export const WORST_CASE_EXPONENTS: Exponents = {
  horizon: (alpha) => 1 / alpha,
  logarithm: (alpha) => 1 - 1 / alpha,
  arms: (alpha) => 1 - 1 / alpha,
  sigma: () => 1,
};
