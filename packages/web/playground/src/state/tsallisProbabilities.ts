/** The probabilities of a follow-the-regularized-leader policy with the Tsallis entropy of order 1 / alpha: x_i = (h / (L_i - z))^q with h = 1 / rate, q = alpha / (alpha - 1), and z such that they sum to 1. */
export function tsallisProbabilities(estimates: readonly number[], rate: number, alpha: number): number[] {
  const q = alpha / (alpha - 1);
  const least = Math.min(...estimates);
  const probabilities = (below: number) => estimates.map((estimate) => (1 / (rate * (estimate - least + below))) ** q);
  const sum = (below: number) => probabilities(below).reduce((total, share) => total + share, 0);
  // The smallest estimate alone would have all at h; with all estimates equal, each has 1 / K at h K^(1/q).
  let [low, high] = [1 / rate, estimates.length ** (1 / q) / rate];
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (sum(middle) > 1) low = middle;
    else high = middle;
  }
  return probabilities((low + high) / 2);
}

/** The probabilities with Shannon's entropy. */
export function softmaxProbabilities(estimates: readonly number[], rate: number): number[] {
  const least = Math.min(...estimates);
  const weights = estimates.map((estimate) => Math.exp(-rate * (estimate - least)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The learning rate at which a rule gives the first arm a probability, if that is between its even share and 1. */
export function rateFor(rule: (rate: number) => readonly number[], probability: number): number {
  let [low, high] = [1e-6, 1e6];
  for (let i = 0; i < 200; i++) {
    const middle = Math.sqrt(low * high);
    if (rule(middle)[0]! < probability) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}
