import { log } from "../elementary/log.js";
import { type ArmLosses, gainRarity, type Sizes, sizesOf } from "./armLosses.js";
import { type HillPoint, hillPlot, pooledExcesses, type Tail, tailExcesses, tailOf } from "./hill.js";
import { confidence, type Estimate } from "./interval.js";
import { type ParetoTail, paretoTailOf } from "./paretoTail.js";
import { acceptedSigma, momentOrder, type Sigma, sigmaOf, sigmasOf } from "./sigmas.js";
import { standardised } from "./standardised.js";
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
  /** The standard deviation; 0 if all losses are equal. */
  readonly deviation: number;
  /** The arm's gains come from one loss in this many; null if it has none, or if its losses outweigh them. */
  readonly gainRarity: number | null;
  readonly tails: Tails;
  /** The tail of |loss| by the generalised Pareto distribution; null if too few losses are beyond the threshold. */
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
  /** That of the generalised Pareto distribution; Hill's, if there are not enough different losses to fit it. */
  readonly index: Estimate | null;
  /** The largest sigma of any arm, for each order. */
  readonly sigmas: readonly Sigma[];
  /** The verdict on the worst arm. */
  readonly truncatedNonNegativity: Pick<TruncatedNonNegativity, "verdict" | "reason">;
  /** Whether every loss is 0 or 1. */
  readonly binary: boolean;
  /** How many losses have the largest size of all: with a continuous tail it is one, with a timeout or another limit it is many. */
  readonly atLargest: number;
  /** The largest standard deviation of any arm. */
  readonly deviation: number;
  /** That of the arm whose gains are the rarest; null if no arm has gains that count. */
  readonly gainRarity: number | null;
  /** An order that the index allows, and the upper end of the sigma there; null if there is none that a policy would accept. */
  readonly moment: { readonly alpha: number; readonly sigma: number } | null;
}

/** What the losses of some arms say. */
export interface LossFindings {
  readonly arms: readonly ArmFindings[];
  readonly pooled: PooledFindings;
  readonly hillPlot: readonly HillPoint[];
}

/** What the losses of one or more arms, at least a hundred of each, say about their tails and moments. */
export function lossFindings(observed: readonly ArmLosses[]): LossFindings {
  const sizes = observed.map(({ losses }) => sizesOf(losses));
  const raw = observed.map(({ losses }) => losses.map(Math.abs).sort());
  const arms = observed.map((arm, i) => armFindings(arm, sizes[i]!, raw[i]!, observed.length));
  return { arms, pooled: pooledFindings(raw, sizes, arms), hillPlot: hillPlot(sizes.map(({ both }) => both)) };
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
    deviation: standardised(losses)?.deviation ?? 0,
    gainRarity: gainRarity(losses),
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
    binary: raw.every((sorted) => sorted.every((size) => size === 0 || size === 1)) && arms.every(({ lowest }) => lowest >= 0),
    atLargest: timesOfLargest(raw),
    deviation: arms.reduce((most, { deviation }) => Math.max(most, deviation), 0),
    gainRarity: arms.reduce<number | null>((most, arm) => (arm.gainRarity === null ? most : Math.max(most ?? 0, arm.gainRarity)), null),
    truncatedNonNegativity: worstVerdict(arms),
    moment: index === null ? null : momentOf(momentOrder(index), sigmaAt),
  };
}

function timesOfLargest(raw: readonly Float64Array[]): number {
  const largest = raw.reduce((most, sorted) => Math.max(most, sorted.at(-1)!), 0);
  return raw.reduce((sum, sorted) => sum + sorted.filter((size) => size === largest).length, 0);
}

function momentOf(alpha: number | null, sigmaAt: (alpha: number) => Estimate): PooledFindings["moment"] {
  if (alpha === null) return null;
  const sigma = acceptedSigma(sigmaAt(alpha).high);
  return sigma === null ? null : { alpha, sigma };
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
    return both !== null && log(k / first / both.hill.estimate) > z * Math.sqrt(1 / both.k + 1 / k);
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
