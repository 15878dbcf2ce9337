import { completeOptions, type Parameters } from "../parameters.js";
import { MeanPolicy } from "./base/meanPolicy.js";
import { ARMS } from "./base/sharedParameters.js";

export const EPSILON_GREEDY_PARAMETERS = {
  c: { type: "number", above: 0, atMost: 1e9, default: 6, description: "amount of exploration; the proof needs more than 5" },
  d: { type: "number", above: 0, atMost: 1, description: "at most the smallest gap between the best mean and another" },
} as const satisfies Parameters;

/** The options of EpsilonGreedy: the arms, and the parameters of its spec. */
export interface EpsilonGreedyOptions {
  arms: number;
  c?: number;
  d: number;
}

/**
 * epsilon_n-greedy of Auer, Cesa-Bianchi and Fischer (Machine Learning 47, 2002, Figure 3), for losses: with probability
 * eps_t = min(1, c K / (d^2 t)) a random arm, else the arm with the smallest mean. Its proof needs losses in [0, 1] and a lower bound d of the gaps.
 * Deviation: none; while an arm has no feedback, the greedy step plays it.
 */
export class EpsilonGreedy extends MeanPolicy {
  /** The last round in which it only explores: c K / d^2. */
  readonly #amount: number;

  constructor(options: EpsilonGreedyOptions) {
    const { arms, c, d } = completeOptions({ arms: ARMS, ...EPSILON_GREEDY_PARAMETERS }, options);
    super({ policy: "epsilon-greedy", c, d }, arms);
    this.#amount = (c * arms) / (d * d);
  }

  protected override exploration(round: number): number {
    return Math.min(1, this.#amount / round);
  }

  protected override indices(_round: number, into: Float64Array): void {
    into.set(this.means);
  }
}
