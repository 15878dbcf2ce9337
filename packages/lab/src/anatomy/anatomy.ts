import { type Choice, type Environment, elementary, isSkipped, type Policy, TsallisError } from "tsallis";
import { CompensatedSum } from "tsallis/statistics";
import { LabError } from "../labError.js";
import { ANATOMY_POLICIES, type LearningRates, learningRates } from "./learningRates.js";
import { requireClosedForms } from "./requireClosedForms.js";
import { tsallisDivergence } from "./tsallisDivergence.js";

/** The allowed error of the two statements that hold on every path, in units of eta_T^-1 + |A| + |B|. */
const TOLERANCE = 1e-9;
/** The largest relative deviation of a threshold or a distribution from the policy's algorithm; the kernels are within 1e-12. */
const CONFORMITY = 1e-8;
/** Probabilities below this are too close to underflow for that check. */
const SMALLEST = 1e-290;

/**
 * The regret of the paper's policies, decomposed as in its proof (Huang, Dai and Huang, ICML 2022, section 5 and appendices A to C; docs/reference/anatomy.md).
 * With y the best arm of the whole run, Psi(x) = -alpha sum_i x_i^(1/alpha), h_t = eta_t^-1 and mu'_{t,i} the mean of arm i's loss within its own threshold
 * Theta h_t x_{t,i}^(1/alpha), the columns are
 *
 *     expectedRegret = sum <x_t - e_y, mu_t>,  skippingGap = sum <x_t - e_y, mu_t - mu'_t>,  ftrlErrorMean = sum <x_t - e_y, mu'_t>,
 *     ftrlError = sum <x_t - e_y, lhat_t>,  A = sum (h_t - h_{t-1}) (Psi(e_y) - Psi(x_t)),  B = sum h_t D_Psi(x_t, z_t),
 *
 * and `bound.*`, the proof's upper bounds on three of them. For HTINF and OptTINF, with a and s the moment order and the sigma of the environment (a is
 * HTINF's own alpha) and the sums over arms i other than y:
 *
 *     skippingGap <= 5 s^a sum h_t^(1-a) sum_i x_{t,i}^(1+(1-a)/alpha)  on every path, if y's losses are truncated non-negative,
 *     A <= 2 sum (h_t / t) sum_i x_{t,i}^(1/alpha)                      on every path,
 *     B <= 8 Theta_2^(2-a) s^a (the same sums as skippingGap's)         in expectation; HTINF without the power of Theta_2.
 *
 * For AdaTINF and Ada2TINF, with each sum over the instances of the latter:
 *
 *     skippingGap <= sum <x_t, mu_t - mu'_t>                            on every path, if y's losses are truncated non-negative,
 *     A <= h_T (2 sqrt(K) - 2)                                          on every path (the paper prints lambda sqrt(K T): wrong for K > 4),
 *     B <= 2 sum eta_t loss_t^2 / sqrt(x_{t,i_t}), skips left out       on every path,
 *
 * and `costs`, the sum of the doubling's costs: the skipped losses, whose mean is the first bound, and the third bound. It is at most
 * `bound.costs` = 2 lambda_T Q on every path.
 */
export class Anatomy {
  readonly #policy: Policy;
  readonly #environment: Environment;
  readonly #rates: LearningRates;
  /** y. */
  readonly #best: number;
  /** a, and s^a; undefined if the environment has no such moment, so that the bounds have no value. */
  readonly #order: number;
  readonly #moment: number | undefined;

  /** The current round, its lambda and eta^-1, the eta^-1 of the previous round, and x_t with its powers 1/alpha. */
  #round = 0;
  #lambda = 1;
  #inverseRate = 0;
  #previous = 0;
  #probabilities: Float64Array = new Float64Array(0);
  readonly #roots: Float64Array;
  /** The policy's estimates L in the current instance. */
  readonly #estimates: Float64Array;

  readonly #expectedRegret = new CompensatedSum();
  readonly #skippingGap = new CompensatedSum();
  readonly #ftrlErrorMean = new CompensatedSum();
  readonly #ftrlError = new CompensatedSum();
  readonly #penalty = new CompensatedSum();
  readonly #stability = new CompensatedSum();
  readonly #boundSkipping = new CompensatedSum();
  readonly #boundPenalty = new CompensatedSum();
  readonly #boundStability = new CompensatedSum();
  readonly #costs = new CompensatedSum();
  /** The sum over the instances that have ended. */
  readonly #boundCosts = new CompensatedSum();

  constructor(policy: Policy, environment: Environment, horizon: number, delay: number | object = 0) {
    const rates = learningRates(policy);
    if (rates === undefined) {
      const name = policy.spec.policy;
      throw refusal(
        "policy",
        name,
        `the regret's anatomy exists only for ${ANATOMY_POLICIES.join(", ")}, not for ${name}${policy.spec.theta === undefined ? "" : " with a theta of its own"}; remove the policy, or turn anatomy off`,
      );
    }
    if (delay !== 0) throw refusal("delay", delay, "the regret's anatomy needs immediate feedback; remove the delay, or turn anatomy off");
    if (policy.round !== 0)
      throw refusal("policy", policy.round, `the regret's anatomy begins with round 1, but the policy has played ${policy.round} rounds`);
    requireClosedForms(environment);
    this.#policy = policy;
    this.#environment = environment;
    this.#rates = rates;
    this.#best = bestOf(environment, horizon);
    this.#order = policy.spec.policy === "htinf" ? rates.alpha : environment.alpha;
    const moment = elementary.pow(environment.sigma(this.#order), this.#order);
    this.#moment = Number.isFinite(moment) ? moment : undefined;
    this.#roots = new Float64Array(policy.arms);
    this.#estimates = new Float64Array(policy.arms);
  }

  /** Call this before the policy chooses in a round. */
  observe(round: number): void {
    const { alpha, theta, doubles, restarts, clock, inverseRate } = this.#rates;
    if (round !== this.#round + 1) throw violation(round, `follows round ${this.#round}`);
    const fresh = restarts(round);
    if (fresh) this.#endInstance();
    this.#round = round;
    this.#lambda = fresh || !doubles ? 1 : this.#currentLambda();
    this.#previous = fresh ? 0 : this.#inverseRate;
    const h = this.#lambda * inverseRate(clock(round));
    this.#inverseRate = h;
    const x = this.#policy.probabilities()!;
    this.#probabilities = x;
    const roots = this.#roots;
    let total = 0;
    for (let arm = 0; arm < x.length; arm++) {
      const root = alpha === 2 ? Math.sqrt(x[arm]!) : elementary.pow(x[arm]!, 1 / alpha);
      roots[arm] = root;
      total += root;
      const distribution = this.#environment.distribution(round, arm);
      const weight = arm === this.#best ? x[arm]! - 1 : x[arm]!;
      const truncated = distribution.truncatedMean(theta * h * root);
      this.#expectedRegret.addProduct(weight, this.#environment.mean(round, arm));
      this.#skippingGap.addProduct(weight, distribution.mean);
      this.#skippingGap.addProduct(-weight, truncated);
      this.#ftrlErrorMean.addProduct(weight, truncated);
      if (doubles) this.#boundSkipping.addProduct(x[arm]!, distribution.mean - truncated);
    }
    this.#penalty.addProduct(h - this.#previous, alpha * (total - 1));
    if (!doubles) this.#boundByProbabilities(total);
    this.#requireLeader();
  }

  /** Call this when the loss of the round is known. */
  learn(choice: Choice, loss: number): void {
    const { alpha, theta, doubles } = this.#rates;
    const { round, arm } = choice;
    const h = this.#inverseRate;
    const x = this.#probabilities;
    const roots = this.#roots;
    const probability = choice.probability!;
    const threshold = theta * h * roots[arm]!;
    if (round !== this.#round) throw violation(this.#round, `has feedback of round ${round}`);
    if (!near(probability, x[arm]!)) throw violation(round, `chose arm ${arm} with probability ${probability}, but the distribution has ${x[arm]}`);
    if (!near(choice.threshold!, threshold))
      throw violation(round, `has the threshold ${choice.threshold}, but Theta eta^-1 x^(1/alpha) is ${threshold}`);
    const skipped = isSkipped(choice, loss);
    if (doubles) {
      const variation = skipped ? 0 : doublingCost(loss, h * roots[arm]!);
      this.#boundStability.add(variation);
      this.#costs.add(skipped ? loss : variation);
    }
    if (skipped || loss === 0) return;
    this.#ftrlError.add(loss);
    if (arm === this.#best) this.#ftrlError.add(-loss / probability);
    this.#estimates[arm]! += loss / probability;
    // u_i = eta (lhat_i - loss) x_i^(1/q); x^(1/q) = x / x^(1/alpha), and for the arm played (1/x - 1) x^(1/q) = (1 - x) / x^(1/alpha).
    const step = loss / h;
    for (let i = 0; i < x.length; i++) {
      const root = roots[i]!;
      if (root === 0) continue;
      const u = i === arm ? (step / root) * (1 - x[i]!) : -step * (x[i]! / root);
      this.#stability.add(h * root * tsallisDivergence(u, alpha));
    }
  }

  /** The current columns, after a round from which the policy has learned. Throws if a statement that holds on every path is violated. */
  read(round: number): Readonly<Record<string, number>> {
    if (round !== this.#round) throw violation(this.#round, `is not round ${round}`);
    const h = this.#inverseRate;
    const [a, b] = [this.#penalty.value, this.#stability.value];
    const allowed = TOLERANCE * (h + Math.abs(a) + Math.abs(b));
    const difference = this.#skippingGap.distance([this.#ftrlErrorMean], this.#expectedRegret);
    if (!(Math.abs(difference) <= allowed)) throw violation(round, `has skippingGap + ftrlErrorMean - expectedRegret = ${difference}, not 0`);
    const excess = -this.#penalty.distance([this.#stability], this.#ftrlError);
    if (!(excess <= allowed)) throw violation(round, `has ftrlError above A + B by ${excess}, of which ${allowed} may be rounding`);
    return {
      expectedRegret: this.#expectedRegret.value,
      skippingGap: this.#skippingGap.value,
      ftrlErrorMean: this.#ftrlErrorMean.value,
      ftrlError: this.#ftrlError.value,
      A: a,
      B: b,
      ...this.#bounds(),
    };
  }

  #bounds(): Record<string, number> {
    const bounds = { "bound.skippingGap": this.#boundSkipping.value, "bound.A": this.#boundPenalty.value, "bound.B": this.#boundStability.value };
    if (!this.#rates.doubles) return this.#moment === undefined ? { "bound.A": bounds["bound.A"] } : bounds;
    const lambda = this.#currentLambda();
    return {
      ...bounds,
      "bound.A": bounds["bound.A"] + this.#largestPenalty(),
      costs: this.#costs.value,
      "bound.costs": this.#boundCosts.value + 2 * lambda * this.#rates.budget(this.#round)!,
      lambda,
    };
  }

  /** The policy's current lambda; the choice of a round in which an instance begins sets it to 1. */
  #currentLambda(): number {
    return elementary.pow(2, this.#policy.details().epoch!);
  }

  /** h_T (Psi(e_y) - min Psi): the largest value that A can have in an instance of a doubling policy. */
  #largestPenalty(): number {
    return this.#inverseRate * (2 * Math.sqrt(this.#policy.arms) - 2);
  }

  #endInstance(): void {
    this.#estimates.fill(0);
    if (!this.#rates.doubles || this.#round === 0) return;
    this.#boundPenalty.add(this.#largestPenalty());
    this.#boundCosts.add(2 * this.#currentLambda() * this.#rates.budget(this.#round)!);
  }

  /** The bounds in the proofs of HTINF and OptTINF, which are sums over t of powers of x_t. `total` is the sum of all x_i^(1/alpha). */
  #boundByProbabilities(total: number): void {
    const h = this.#inverseRate;
    const best = this.#best;
    this.#boundPenalty.add(((2 * h) / this.#round) * (total - this.#roots[best]!));
    if (this.#moment === undefined) return;
    const { alpha, theta } = this.#rates;
    const a = this.#order;
    const x = this.#probabilities;
    let powers = total - this.#roots[best]!;
    if (a !== alpha) {
      powers = 0;
      for (let i = 0; i < x.length; i++) if (i !== best) powers += elementary.pow(x[i]!, 1 + (1 - a) / alpha);
    }
    const summand = this.#moment * elementary.pow(h, 1 - a) * powers;
    this.#boundSkipping.add(5 * summand);
    this.#boundStability.add(8 * (a === alpha ? 1 : elementary.pow(theta, 2 - a)) * summand);
  }

  /** x_t is the leader of L: eta^-1 x_i^(-1/q) - L_i is the same for all arms. */
  #requireLeader(): void {
    const x = this.#probabilities;
    const losses = this.#estimates;
    const h = this.#inverseRate;
    let top = 0;
    let largest = 0;
    for (let i = 0; i < x.length; i++) {
      if (x[i]! > x[top]!) top = i;
      largest = Math.max(largest, Math.abs(losses[i]!));
    }
    const level = (h * this.#roots[top]!) / x[top]! - losses[top]!;
    for (let i = 0; i < x.length; i++) {
      if (x[i]! < SMALLEST) continue;
      const gap = (h * this.#roots[i]!) / x[i]!;
      if (!(Math.abs(gap - losses[i]! - level) <= CONFORMITY * gap + 1e-12 * largest)) {
        throw violation(this.#round, `plays arm ${i} with probability ${x[i]}, which is not the regularised leader's at eta^-1 = ${h}`);
      }
    }
  }
}

/** 2 eta loss^2 / sqrt(x), with `unit` = eta^-1 sqrt(x); the square is never computed. */
function doublingCost(loss: number, unit: number): number {
  return loss === 0 ? 0 : 2 * Math.abs(loss) * (Math.abs(loss) / unit);
}

/** argmin over the arms of the sum of their means over the whole run. */
function bestOf(environment: Environment, horizon: number): number {
  let best = 0;
  for (let arm = 1; arm < environment.arms; arm++) if (environment.meanSum(horizon, arm) < environment.meanSum(horizon, best)) best = arm;
  return best;
}

function near(value: number, wanted: number): boolean {
  return Math.abs(value - wanted) <= CONFORMITY * wanted + 1e-300;
}

function refusal(parameter: string, value: unknown, message: string): TsallisError {
  return new TsallisError("ERR_PARAMETER", parameter, value, message);
}

function violation(round: number, what: string): LabError {
  return new LabError("ERR_ANATOMY", `round ${round} ${what}: the policy departs from its algorithm, or the environment reports wrong means`);
}
