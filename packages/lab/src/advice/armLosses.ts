/** What was observed of one arm, in the order in which it came. */
export interface ArmLosses {
  readonly name: string;
  readonly losses: Float64Array;
}

/** With fewer values than this no tail index is estimated: ten of them would then be the tail, which tells 1.5 from 0.7 to 2.6 only. */
export const FEWEST_LOSSES = 100;
