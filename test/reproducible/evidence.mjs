// Asks every kind of question of a log, at some moments, and reduces the answers to one hash.
import { createEnvironment, stream } from "tsallis";
import { differenceInterval, Evaluation, meanInterval, mixInterval } from "tsallis/evidence";
import { Fnv1a } from "./fnv1a.mjs";

/** The log has missing losses and a holdout. @param {object} spec the environment @param {boolean} moving */
export function hashOfEvidence(spec, moving) {
  const hash = new Fnv1a();
  const environment = createEnvironment(spec, 1);
  const rng = stream(1, "evidence");
  const evaluation = new Evaluation({ arms: environment.arms, cap: 20, floor: -20, holdout: 0.2, moving });
  for (let round = 1; round <= 10_000; round++) {
    const arm = Math.floor(environment.arms * rng.uniform());
    evaluation.add({ arm, loss: rng.uniform() < 0.01 ? null : environment.loss(round, arm), holdout: rng.uniform() < 0.2 });
    if (round % 500 > 0) continue;
    const arms = Array.from({ length: environment.arms }, (_, each) => evaluation.arm(each));
    const shares = arms.map((_, each) => (each === 0 ? 1 - (arms.length - 1) / 8 : 1 / 8));
    const [first, second] = [evaluation.arm(0), evaluation.arm(1)];
    const intervals = [
      ...arms.map((each) => each.interval()),
      mixInterval(arms, shares),
      meanInterval(first, { index: 1.5 }),
      meanInterval(first, { alpha: 1.5, sigma: 3 }),
      differenceInterval(first, second),
      evaluation.uniform(),
      evaluation.savings(),
    ];
    for (const { low, high } of intervals) for (const value of [low, high]) hash.add(value);
    for (const value of evaluation.verdict({ tolerance: 0.1 }).evidence) hash.add(value);
  }
  return hash.digest();
}
