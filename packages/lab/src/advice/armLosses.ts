/** The observed losses of one arm, in order of arrival. */
export interface ArmLosses {
  readonly name: string;
  readonly losses: Float64Array;
}

/** A tail index needs at least this many values. With 100 values the tail has ten, and an estimate of 1.5 then means anything from 0.7 to 2.6. */
export const FEWEST_LOSSES = 100;
