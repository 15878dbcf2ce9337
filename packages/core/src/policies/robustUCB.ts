// RobustUCB: Bubeck, Cesa-Bianchi and Lugosi, "Bandits with heavy tail" (IEEE Trans. Inf. Theory 59, 2013), for losses: the smallest estimate - width at confidence
// delta = t^(-2), L = ln(1/delta) = 2 ln t. The truncated mean was checked against an audit of the paper's Lemma 1 (Auto-Bandit-RL-Proof-In-Sleep, `docs/extended-topics`), the median
// of means against Lee et al.'s program (opt_perturbation, `algorithms.py`). Catoni's width is derived here: it errs by sqrt(2 v L / (n - 2 L)), at most 2 sqrt(v L / n) from n = 4 L on.
// Deviations: t is at least 2, so that L is not 0. But for the variant "published": with the median of means every arm is first brought to 2 + 32 ln t samples; without
// them its deviation lemma fails and one outlier can lose the best arm for ever (docs/reference/theory.md); with Catoni's estimator t is rounded up to a power of two,
// and the number of samples is frozen on a geometric grid. The published one recomputes every arm from all its samples in every round.

import { log } from "../elementary/log.js";
import { pow } from "../elementary/pow.js";
import { show, TsallisError } from "../errors.js";
import { Catoni } from "../estimators/catoni.js";
import type { Estimator } from "../estimators/estimator.js";
import { MedianOfMeans } from "../estimators/medianOfMeans.js";
import { TruncatedMean } from "../estimators/truncatedMean.js";
import { completeOptions, type Parameters } from "../parameters.js";
import { EstimatorPolicy } from "./base/estimatorPolicy.js";
import { ARMS, gridRatio, VARIANT_PARAMETERS } from "./base/sharedParameters.js";

export const ROBUST_UCB_PARAMETERS = {
  estimator: { type: "name", names: ["truncated", "median-of-means", "catoni"], default: "truncated", description: "estimator of the means" },
  alpha: { type: "number", above: 1, atMost: 2, description: "order of the moment that is bounded; 2 for catoni" },
  sigma: {
    type: "number",
    atLeast: 1e-290,
    atMost: 1e290,
    description: "sigma^alpha bounds E|loss|^alpha for truncated, E|loss - mean|^alpha for median-of-means and catoni",
  },
  ...VARIANT_PARAMETERS,
} as const satisfies Parameters;

/** The options of RobustUCB: the arms, and the parameters of its spec. */
export interface RobustUCBOptions {
  arms: number;
  estimator?: "truncated" | "median-of-means" | "catoni";
  alpha: number;
  sigma: number;
  variant?: "published";
}

/** An estimator of one arm at a level L. */
interface Confidence extends Estimator {
  /** The number of samples that the estimate uses. */
  readonly count: number;
  /** count^(1/alpha - 1), the factor of the width. */
  readonly weight: number;
  at(level: number): number;
}

/** What the policy needs to know of an estimator. */
interface Kind {
  level(round: number, published: boolean): number;
  /** The number of samples that its deviation lemma needs, or that the paper asks for. */
  needed(level: number, published: boolean): number;
  /** The width after one sample, for sigma = 1. */
  width(level: number, alpha: number): number;
  create(alpha: number, sigma: number, ratio?: number): Confidence;
}

/** RobustUCB of Bubeck, Cesa-Bianchi and Lugosi (2013), for losses: the smallest confidence bound around a truncated mean, a median of means or Catoni's estimate. */
export class RobustUCB extends EstimatorPolicy<Confidence> {
  readonly #kind: Kind;
  readonly #alpha: number;
  readonly #sigma: number;
  readonly #published: boolean;

  constructor(options: RobustUCBOptions) {
    const { arms, ...parameters } = completeOptions({ arms: ARMS, ...ROBUST_UCB_PARAMETERS }, options);
    const { estimator, alpha, sigma, variant } = parameters;
    if (estimator === "catoni" && alpha !== 2) {
      const message = `alpha must be 2 for estimator catoni, which needs a variance, got ${show(alpha)}; use another estimator`;
      throw new TsallisError("ERR_PARAMETER", "alpha", alpha, message);
    }
    const kind = KINDS[estimator];
    super({ policy: "robust-ucb", ...parameters }, arms, () => kind.create(alpha, sigma, gridRatio(parameters)));
    this.#kind = kind;
    this.#alpha = alpha;
    this.#sigma = sigma;
    this.#published = variant !== undefined;
  }

  #level(round: number): number {
    return this.#kind.level(round, this.#published);
  }

  protected override count(arm: number): number {
    return this.estimators[arm]!.count;
  }

  protected override needed(round: number): number {
    return this.#kind.needed(this.#level(round), this.#published);
  }

  protected override indices(round: number, into: Float64Array): void {
    const level = this.#level(round);
    const width = this.#sigma * this.#kind.width(level, this.#alpha);
    for (let i = 0; i < into.length; i++) {
      const estimator = this.estimators[i]!;
      into[i] = estimator.at(level) - width * estimator.weight;
    }
  }
}

class TruncatedConfidence extends TruncatedMean implements Confidence {
  weight = 0;

  get count(): number {
    return this.samples.size;
  }

  override add(x: number): void {
    super.add(x);
    this.weight = pow(this.count, 1 / this.alpha - 1);
  }

  at(level: number): number {
    return this.estimate(level);
  }
}

class MedianConfidence extends MedianOfMeans implements Confidence {
  weight = 0;

  constructor(readonly alpha: number) {
    super();
  }

  get count(): number {
    return this.samples.size;
  }

  override add(x: number): void {
    super.add(x);
    this.weight = pow(this.count, 1 / this.alpha - 1);
  }

  /** The estimate from floor(min(8 ln(e^(1/8) / delta), n / 2)) blocks, 8 ln(e^(1/8) / delta) = 1 + 8 L, at least one. */
  at(level: number): number {
    return this.estimate(Math.max(1, Math.floor(Math.min(1 + 8 * level, this.count / 2))));
  }
}

class CatoniConfidence extends Catoni implements Confidence {
  get count(): number {
    return this.samples.used;
  }

  get weight(): number {
    return 1 / Math.sqrt(this.count);
  }

  at(level: number): number {
    return this.estimate(level);
  }
}

/** L = 2 ln t. */
function levelOf(round: number): number {
  return 2 * log(Math.max(round, 2));
}

const KINDS: Readonly<Record<"truncated" | "median-of-means" | "catoni", Kind>> = {
  truncated: {
    level: levelOf,
    needed: () => 1,
    width: (level, alpha) => 4 * pow(level, 1 - 1 / alpha),
    create: (alpha, sigma) => new TruncatedConfidence(alpha, sigma),
  },
  "median-of-means": {
    level: levelOf,
    needed: (level, published) => (published ? 1 : 2 + 16 * level),
    // (12 sigma^alpha)^(1/alpha) (16 ln(e^(1/8) / delta))^(1-1/alpha)
    width: (level, alpha) => pow(12, 1 / alpha) * pow(2 + 16 * level, 1 - 1 / alpha),
    create: (alpha) => new MedianConfidence(alpha),
  },
  catoni: {
    /** t is rounded up to a power of two, unless published. */
    level(round, published) {
      if (published) return levelOf(round);
      let exponent = 1;
      for (let power = 2; power < round; power *= 2) exponent++;
      return 2 * Math.LN2 * exponent;
    },
    needed: (level) => 4 * level,
    width: (level) => 2 * Math.sqrt(level),
    create: (_alpha, sigma, ratio) => new CatoniConfidence(sigma, ratio),
  },
};
