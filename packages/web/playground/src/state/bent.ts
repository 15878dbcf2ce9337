import { createDistribution, type DetailedDistribution, DISTRIBUTIONS, type DistributionSpec, type Parameter } from "tsallis";

/** The two places of a distribution that can be dragged: its mean, and the loss that one of ten is above. */
export type Grip = "mean" | "tail";

export const TAIL = 0.1;
/** The parameter that each place moves: the first of these that the distribution has, or that the distribution has which it is made of. */
const KEYS: Readonly<Record<Grip, readonly string[]>> = {
  mean: ["by", "mean", "location", "value", "p", "q", "scale", "low"],
  tail: ["shape", "k", "dof", "index", "deviation", "high", "scale"],
};
const STEPS = 40;
/** Whether something can be played takes longer to find out. */
const FEW_STEPS = 12;
const DIGITS = 3;
const NUDGE = 1e-6;

/**
 * The distribution bent so that one of its places comes to lie at a loss, as near as its parameter reaches and as it can still be played; null if no parameter moves that
 * place. Discrete distributions have no tail to drag: it would jump.
 */
export function bent(
  spec: DistributionSpec,
  grip: Grip,
  target: number,
  canPlay: (spec: DistributionSpec) => boolean = () => true,
): DistributionSpec | null {
  const path = pathOf(spec, grip);
  if (path === null) return null;
  const { parameter, value, put } = path;
  const measure = (candidate: number) => {
    try {
      const distribution = createDistribution(put(candidate));
      return grip === "mean" ? distribution.mean : distribution.survival(target);
    } catch {
      return Number.NaN;
    }
  };
  const goal = grip === "mean" ? target : TAIL;
  let [low, high] = windowOf(parameter, value, target);
  const middle = (a: number, b: number) => (a > 0 && b / a > 100 ? Math.sqrt(a * b) : (a + b) / 2);
  const nudged = value < high ? value + (high - value) * NUDGE : value - (value - low) * NUDGE;
  const [here, there] = [measure(value), measure(nudged)];
  if (!(there > here || there < here)) return null;
  const rises = there > here === nudged > value;
  for (let step = 0; step < STEPS; step++) {
    const candidate = middle(low, high);
    const found = measure(candidate);
    // Beyond what the distribution allows, the way back is towards the present value.
    const isAbove = Number.isNaN(found) ? candidate > value : found > goal === rises;
    if (isAbove) high = candidate;
    else low = candidate;
  }
  const rounded = (candidate: number) => put(Number(candidate.toPrecision(DIGITS)));
  const isSound = (candidate: DistributionSpec) => isDistribution(candidate) && canPlay(candidate);
  const made = rounded(middle(low, high));
  if (isSound(made)) return made;
  if (!isDistribution(made)) return null;
  // Between the present value, which can be played, and the one that cannot.
  let [sound, unsound, nearest] = [value, middle(low, high), spec];
  for (let step = 0; step < FEW_STEPS; step++) {
    const candidate = rounded((sound + unsound) / 2);
    if (isSound(candidate)) [sound, nearest] = [(sound + unsound) / 2, candidate];
    else unsound = (sound + unsound) / 2;
  }
  return nearest;
}

/** Whether there is something to drag. */
export function canBend(spec: DistributionSpec, distribution: DetailedDistribution, grip: Grip): boolean {
  const place = placeOf(distribution, grip);
  return Number.isFinite(place) && bent(spec, grip, place) !== null;
}

export function placeOf(distribution: DetailedDistribution, grip: Grip): number {
  return grip === "mean" ? distribution.mean : distribution.quantile(1 - TAIL);
}

interface Path {
  readonly parameter: Extract<Parameter, { type: "number" }>;
  readonly value: number;
  put(value: number): DistributionSpec;
}

function pathOf(spec: DistributionSpec, grip: Grip): Path | null {
  const parameters = DISTRIBUTIONS[spec.distribution]?.parameters ?? {};
  const taken = grip === "tail" ? KEYS.mean.find((name) => name in parameters) : undefined;
  const name = KEYS[grip].find((candidate) => candidate in parameters && candidate !== taken);
  const parameter = name === undefined ? undefined : parameters[name];
  const value = name === undefined ? undefined : spec[name];
  if (parameter?.type === "number" && typeof value === "number") return { parameter, value, put: (next) => ({ ...spec, [name!]: next }) };
  const { of } = spec;
  if (parameters.of?.type !== "distribution" || typeof of !== "object" || of === null) return null;
  const inner = pathOf(of as DistributionSpec, grip);
  return inner && { ...inner, put: (next) => ({ ...spec, of: inner.put(next) }) };
}

/** Where to look for the parameter: a million times more or less for a scale, and around the target for a location. */
function windowOf({ above, atLeast, atMost }: Path["parameter"], value: number, target: number): [low: number, high: number] {
  const low = above ?? atLeast ?? Number.NEGATIVE_INFINITY;
  const high = atMost ?? Number.POSITIVE_INFINITY;
  const reach = 10 * (Math.abs(target) + Math.abs(value) + 1);
  return low >= 0
    ? [Math.max(low, value > 0 && low < 1e-6 ? value * 1e-6 : low), Math.min(high, Math.max(value, 1e-6) * 1e6)]
    : [Math.max(low, -reach), Math.min(high, reach)];
}

function isDistribution(spec: DistributionSpec): boolean {
  try {
    createDistribution(spec);
    return true;
  } catch {
    return false;
  }
}
