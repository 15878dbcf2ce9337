import { createPolicy, type Policy, stream } from "tsallis";
import { differenceInterval, Evaluation, type MeanEvidence } from "tsallis/evidence";
import { type Interval, quantileOfSorted, standardised, Z95 } from "tsallis/statistics";
import { cappedMean, MAKERS, MEANS, worldOf } from "./worlds.js";

export interface LogTask {
  readonly world: string;
  readonly maker: string;
  readonly seed: number;
  readonly rounds: number;
}

/** An answer at the end of a log: how long its interval is, how far its estimate is off, whether it is right, and whether it was wrong at some time. */
export interface Answer {
  readonly width: number;
  readonly off: number | null;
  readonly right: boolean;
  readonly everWrong: boolean;
}

/** Whether the intervals of an arm's mean by other methods are right at the end; null where the method has none. */
export interface Others {
  readonly normal: boolean;
  readonly inversePropensity: boolean | null;
  readonly winsorised: boolean;
}

export interface LogRun {
  readonly arms: readonly (Answer & Others)[];
  readonly difference: Answer;
  readonly uniform: Answer;
  readonly savings: Answer;
}

const ERROR = 0.05;
const NEEDED = Math.log(2 / ERROR);
const IDLE = 0.3;

/** Plays one log and asks all questions of it. Whether an answer was ever wrong follows from the evidence at the true means, after every decision. */
export function playLog({ world: name, maker: makerName, seed, rounds }: LogTask): LogRun {
  const world = worldOf(name);
  const { spec, holdout } = MAKERS.find((maker) => maker.name === makerName)!;
  const arms = MEANS.length;
  const distributions = MEANS.map((mean) => world.arm(mean));
  const truth = distributions.map((distribution) => cappedMean(distribution, world));
  const policy = createPolicy(spec, arms);
  const rng = stream(seed, "evidence", name, makerName);
  const evaluation = new Evaluation({ arms, cap: world.cap, floor: world.floor, holdout });
  const played = distributions.map(() => ({ losses: [] as number[], weighted: 0, squares: 0, below: 0, above: 0 }));
  const most = { arms: MEANS.map(() => 0), difference: 0, uniform: 0, savings: 0 };
  let [policyPlays, policyTruth] = [0, 0];
  let weighs = true;
  for (let round = 1; round <= rounds; round++) {
    const isHoldout = holdout > 0 && rng.uniform() < holdout;
    const choice = isHoldout ? undefined : policy.choose(rng);
    const arm = choice?.arm ?? Math.floor(arms * rng.uniform());
    const loss = distributions[arm]!.sample(rng);
    const learned = choice === undefined ? probabilityOf(policy, arm) : choice.probability;
    if (choice !== undefined) policy.update(choice, loss);
    evaluation.add({ arm, loss, holdout: isHoldout });

    const its = played[arm]!;
    its.losses.push(loss);
    weighs &&= learned !== null;
    const weight = loss / (holdout / arms + (1 - holdout) * (learned ?? 1));
    its.weighted += weight;
    its.squares += weight * weight;
    if (choice !== undefined) {
      policyPlays++;
      policyTruth += truth[arm]!;
    }

    const evidence = evaluation.arm(arm);
    [its.below, its.above] = [evidence.evidenceBelow(truth[arm]!), evidence.evidenceAbove(truth[arm]!)];
    most.arms[arm] = Math.max(most.arms[arm]!, its.below, its.above);
    const [first, second] = [played[0]!, played[1]!];
    most.difference = Math.max(most.difference, staked(first.below) + staked(second.above), staked(first.above) + staked(second.below));
    const uniform = Math.max(sum(played.map(({ below }) => staked(below))), sum(played.map(({ above }) => staked(above))));
    most.uniform = Math.max(most.uniform, uniform);
    if (policyPlays > 0) {
      const own = sidesOf(evaluation.policy(), policyTruth / policyPlays);
      if (holdout === 0) {
        // Two parts at half the error each.
        most.savings = Math.max(most.savings, own.below - Math.log(2), own.above - Math.log(2), uniform - Math.log(2));
      } else {
        const its = sidesOf(evaluation.holdout(), sum(truth) / arms);
        most.savings = Math.max(most.savings, staked(own.below) + staked(its.above), staked(own.above) + staked(its.below));
      }
    }
  }
  const answer = ({ low, high }: Interval, mean: number, evidence: number, estimate: number | null = null): Answer => ({
    width: high - low,
    off: estimate === null ? null : Math.abs(estimate - mean),
    right: low <= mean && mean <= high,
    everWrong: evidence >= NEEDED,
  });
  return {
    arms: truth.map((mean, arm) => {
      const { losses, weighted, squares } = played[arm]!;
      const evidence = evaluation.arm(arm);
      const average = weighted / rounds;
      const error = Math.sqrt(Math.max(0, squares / rounds - average * average) / rounds);
      return {
        ...answer(evidence.interval(ERROR), mean, most.arms[arm]!, losses.length === 0 ? null : evidence.mean),
        normal: isNormalRight(losses, distributions[arm]!.mean),
        inversePropensity: weighs ? Math.abs(average - distributions[arm]!.mean) <= Z95 * error : null,
        winsorised: isNormalRight(winsorised(losses), distributions[arm]!.mean),
      };
    }),
    difference: answer(differenceInterval(evaluation.arm(0), evaluation.arm(1), ERROR), truth[0]! - truth[1]!, most.difference),
    uniform: answer(evaluation.uniform(ERROR), sum(truth) / arms, most.uniform),
    savings: answer(evaluation.savings(ERROR), sum(truth) / arms - policyTruth / policyPlays, most.savings),
  };
}

function probabilityOf(policy: Policy, arm: number): number | null {
  return policy.probabilities()?.[arm] ?? null;
}

function sidesOf(evidence: MeanEvidence, mean: number): { below: number; above: number } {
  return { below: evidence.evidenceBelow(mean), above: evidence.evidenceAbove(mean) };
}

function staked(evidence: number): number {
  return Math.log(IDLE + (1 - IDLE) * Math.exp(evidence));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** An interval without a length, of losses that are all equal, is wrong. */
function isNormalRight(losses: readonly number[], mean: number): boolean {
  const found = standardised(losses);
  return found !== null && Math.abs(found.mean - mean) <= Z95 * found.error;
}

/** Losses above their own 99 % quantile count as that. */
function winsorised(losses: readonly number[]): number[] {
  if (losses.length === 0) return [];
  const most = quantileOfSorted(Float64Array.from(losses).sort(), 0.99);
  return losses.map((loss) => Math.min(loss, most));
}
