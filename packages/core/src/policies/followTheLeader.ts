import { completeOptions } from "../parameters.js";
import { MeanPolicy } from "./base/meanPolicy.js";
import { ARMS } from "./base/sharedParameters.js";

export const FOLLOW_THE_LEADER_PARAMETERS = {};

/** The options of FollowTheLeader: the arms, and the parameters of its spec. */
export interface FollowTheLeaderOptions {
  arms: number;
}

/** Follow the leader: the arm with the smallest mean, after one loss of each. It does not explore, so one outlier can make it abandon the best arm for ever. */
export class FollowTheLeader extends MeanPolicy {
  constructor(options: FollowTheLeaderOptions) {
    const { arms } = completeOptions({ arms: ARMS, ...FOLLOW_THE_LEADER_PARAMETERS }, options);
    super({ policy: "follow-the-leader" }, arms);
  }

  protected override indices(_round: number, into: Float64Array): void {
    into.set(this.means);
  }
}
