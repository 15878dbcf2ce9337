import { elementary } from "tsallis";
import type { Estimate } from "../statistics/interval.js";
import type { ArmLosses } from "./armLosses.js";
import { confidence } from "./confidence.js";
import { pooledExcesses } from "./excesses.js";
import { type HillPoint, hillPlot } from "./hillPlot.js";
import { momentOrder } from "./momentOrder.js";
import { type ParetoTail, paretoTailOf } from "./paretoTail.js";
import { type Recommendation, recommend } from "./recommend.js";
import { type Sigma, sigmaOf, sigmasOf } from "./sigmas.js";
import { type Sizes, sizesOf } from "./sizes.js";
import { type Tail, tailExcesses, tailOf } from "./tail.js";
import { type TruncatedNonNegativity, truncatedNonNegativityOf, VERDICTS } from "./truncatedNonNegativity.js";

/** Hill's tails of |loss|, and of the losses above and below 0; null if there are too few losses. If the centre is not 0, it takes the place of 0. */
export interface Tails {
  readonly both: Tail | null;
  readonly right: Tail | null;
  readonly left: Tail | null;
}

/** What the losses of one arm say. */
export interface ArmFindings {
  readonly name: string;
  readonly losses: number;
  readonly lowest: number;
  readonly highest: number;
  readonly centre: number;
  readonly tails: Tails;
  /** The tail of |loss| by the generalised Pareto law; null if too few losses are beyond the threshold. */
  readonly pareto: ParetoTail | null;
  readonly sigmas: readonly Sigma[];
  readonly truncatedNonNegativity: TruncatedNonNegativity;
}

/** Findings that hold for all arms together, which is what a policy has to know. */
export interface PooledFindings {
  readonly losses: number;
  readonly lowest: number;
  readonly highest: number;
  readonly tails: Tails;
  readonly pareto: ParetoTail | null;
  /** The arm whose tail is clearly heavier than the tail of all others, if there is one; its index then decides. */
  readonly heavierArm: string | null;
  /** That of the generalised Pareto law; Hill's, if there are not enough different losses to fit it. */
  readonly index: Estimate | null;
  /** The largest sigma of any arm, for each order. */
  readonly sigmas: readonly Sigma[];
  /** The verdict on the worst arm. */
  readonly truncatedNonNegativity: Pick<TruncatedNonNegativity, "verdict" | "reason">;
  /** An order that the index allows, and the upper end of the sigma there; null if there is none that a policy could be told. */
  readonly moment: { readonly alpha: number; readonly sigma: number } | null;
}

/** What the losses say, and the policy that follows. */
export interface Advice {
  readonly arms: readonly ArmFindings[];
  readonly pooled: PooledFindings;
  readonly hillPlot: readonly HillPoint[];
  readonly recommendation: Recommendation;
}

/** What the losses of two or more arms, at least a hundred of each, say about their tails, and which policy follows. */
export function advise(observed: readonly ArmLosses[]): Advice {
  const sizes = observed.map(({ losses }) => sizesOf(losses));
  const raw = observed.map(({ losses }) => losses.map(Math.abs).sort());
  const arms = observed.map((arm, i) => armFindings(arm, sizes[i]!, raw[i]!, observed.length));
  const pooled = pooledFindings(raw, sizes, arms);
  const recommendation = recommend(pooled);
  return { arms, pooled, hillPlot: hillPlot(sizes.map(({ both }) => both)), recommendation };
}

function armFindings({ name, losses }: ArmLosses, sizes: Sizes, raw: Float64Array, arms: number): ArmFindings {
  const tails = tailsOf([sizes]);
  const pareto = paretoTailOf([sizes.both]);
  return {
    name,
    losses: losses.length,
    lowest: losses.reduce((least, loss) => Math.min(least, loss), Infinity),
    highest: losses.reduce((most, loss) => Math.max(most, loss), -Infinity),
    centre: sizes.centre,
    tails,
    pareto,
    sigmas: sigmasOf((alpha) => sigmaOf([raw], alpha), indexOf({ tails, pareto })),
    truncatedNonNegativity: truncatedNonNegativityOf(losses, tails.right, tails.left, arms),
  };
}

function tailsOf(sizes: readonly Sizes[]): Tails {
  return { both: tailOf(sizes.map(({ both }) => both)), right: tailOf(sizes.map(({ right }) => right)), left: tailOf(sizes.map(({ left }) => left)) };
}

function indexOf({ tails, pareto }: Pick<ArmFindings, "tails" | "pareto">): Estimate | null {
  return pareto?.index ?? tails.both?.hill ?? null;
}

function pooledFindings(raw: readonly Float64Array[], sizes: readonly Sizes[], arms: readonly ArmFindings[]): PooledFindings {
  const tails = tailsOf(sizes);
  const pareto = paretoTailOf(sizes.map(({ both }) => both));
  const heavier = heavierArm(sizes, arms);
  const index = indexOf(heavier ?? { tails, pareto });
  // The tail of the arm that decides, or the common one.
  const tailed = heavier === undefined ? raw : [raw[arms.indexOf(heavier)]!];
  const sigmaAt = (alpha: number) => sigmaOf(raw, alpha, tailed);
  return {
    losses: arms.reduce((sum, { losses }) => sum + losses, 0),
    lowest: Math.min(...arms.map(({ lowest }) => lowest)),
    highest: Math.max(...arms.map(({ highest }) => highest)),
    tails,
    pareto,
    heavierArm: heavier?.name ?? null,
    index,
    sigmas: sigmasOf(sigmaAt, index),
    truncatedNonNegativity: worstVerdict(arms),
    moment: index === null ? null : momentOf(momentOrder(index), sigmaAt),
  };
}

/** The smallest and the largest sigma that policies accept. */
const SIGMAS = [1e-290, 1e290] as const;

function momentOf(alpha: number | null, sigmaAt: (alpha: number) => Estimate): PooledFindings["moment"] {
  if (alpha === null) return null;
  const sigma = roundedUp(sigmaAt(alpha).high);
  return sigma >= SIGMAS[0] && sigma <= SIGMAS[1] ? { alpha, sigma } : null;
}

/**
 * The heaviest of the arms whose tails are heavier than the pooled tail of the others. The test holds for all arms together; the logarithm of a Hill
 * estimate has a standard error of 1 / sqrt(k).
 */
function heavierArm(sizes: readonly Sizes[], arms: readonly ArmFindings[]): ArmFindings | undefined {
  const values = sizes.reduce((sum, { both }) => sum + both.length, 0);
  const parts = sizes.map(({ both }) => tailExcesses([both], values) ?? { k: 0, first: 0 });
  const total = pooledExcesses(parts);
  const z = confidence(arms.length);
  const heavier = arms.filter(({ tails: { both } }, i) => {
    const [k, first] = [total.k - parts[i]!.k, total.first - parts[i]!.first];
    return both !== null && elementary.log(k / first / both.hill.estimate) > z * Math.sqrt(1 / both.k + 1 / k);
  });
  return heavier.sort((a, b) => a.tails.both!.hill.estimate - b.tails.both!.hill.estimate)[0];
}

/** Among equally bad arms, one with negative losses says more than one without. */
function worstVerdict(arms: readonly ArmFindings[]): PooledFindings["truncatedNonNegativity"] {
  const severity = ({ truncatedNonNegativity, lowest }: ArmFindings): number =>
    2 * VERDICTS.indexOf(truncatedNonNegativity.verdict) + (lowest < 0 ? 1 : 0);
  const { name, truncatedNonNegativity } = arms.reduce((worst, arm) => (severity(arm) > severity(worst) ? arm : worst));
  const { verdict, reason } = truncatedNonNegativity;
  return { verdict, reason: verdict === "plausible" ? reason : `for ${JSON.stringify(name)}, ${reason}` };
}

/** Rounded up to three digits. */
function roundedUp(value: number): number {
  if (!(value < Infinity)) return Infinity;
  const [digits, exponent] = value.toExponential(2).split("e") as [string, string];
  const rounded = Number(`${digits}e${exponent}`);
  return rounded >= value ? rounded : Number(`${(Number(digits) + 0.01).toFixed(2)}e${exponent}`);
}
