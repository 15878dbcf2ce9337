import { createPolicy, type Policy, stream } from "tsallis";
import { differenceInterval, Evaluation } from "tsallis/evidence";
import { type Interval, quantileOfSorted, standardised, Z95 } from "tsallis/statistics";
import { WealthAtTruth } from "./wealthAtTruth.js";
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
  const played = distributions.map(() => ({ losses: [] as number[], weighted: 0, squares: 0, wealth: new WealthAtTruth(world.cap, world.floor) }));
  const [policyWealth, holdoutWealth] = [new WealthAtTruth(world.cap, world.floor), new WealthAtTruth(world.cap, world.floor)];
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

    // What a stream of the policy's or the holdout's draws is about is the average of their conditional means.
    its.wealth.add(loss, truth[arm]!);
    if (choice === undefined) holdoutWealth.add(loss, sum(truth) / arms);
    else policyWealth.add(loss, truth[arm]!);
    const wealths = played.map(({ wealth }) => wealth);
    most.arms[arm] = Math.max(most.arms[arm]!, its.wealth.below, its.wealth.above);
    most.difference = Math.max(most.difference, apart(wealths[0]!, wealths[1]!));
    const uniform = Math.max(sum(wealths.map(({ below }) => staked(below))), sum(wealths.map(({ above }) => staked(above))));
    most.uniform = Math.max(most.uniform, uniform);
    const { below, above } = policyWealth;
    // Without a holdout, savings are two parts at half the error each.
    const savings = holdout > 0 ? apart(policyWealth, holdoutWealth) : Math.max(below, above, uniform) - Math.log(2);
    if (policyPlays > 0) most.savings = Math.max(most.savings, savings);
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

/** The evidence at the true means against either sign of a difference. */
function apart(a: WealthAtTruth, b: WealthAtTruth): number {
  return Math.max(staked(a.below) + staked(b.above), staked(a.above) + staked(b.below));
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
