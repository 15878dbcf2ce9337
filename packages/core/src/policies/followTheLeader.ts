import { completeOptions } from "../parameters.js";
import { ARMS } from "./base/arms.js";
import { MeanPolicy } from "./base/meanPolicy.js";

export const FOLLOW_THE_LEADER_PARAMETERS = {};

/** The options of FollowTheLeader: the arms, and the parameters of its spec. */
export interface FollowTheLeaderOptions {
  arms: number;
}

/**
 * Follow the leader: the arm with the smallest mean, after one loss of each. It does not explore, so one outlier can make it abandon the best arm for ever.
 *
 * @example
 * ```ts
 * import { FollowTheLeader, stream } from "tsallis";
 *
 * const policy = new FollowTheLeader({ arms: 3 });
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * const plays = [0, 0, 0];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 *   plays[choice.arm] += 1;
 * }
 * console.log(plays); // [ 998, 1, 1 ]
 * ```
 */
export class FollowTheLeader extends MeanPolicy {
  constructor(options: FollowTheLeaderOptions) {
    const { arms } = completeOptions({ arms: ARMS, ...FOLLOW_THE_LEADER_PARAMETERS }, options);
    super({ policy: "follow-the-leader" }, arms);
  }

  protected override indices(_round: number, into: Float64Array): void {
    into.set(this.means);
  }
}
