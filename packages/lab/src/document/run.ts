/** One run of an experiment: `environment/policy/seed`, and `/value` in a sweep. */
export interface Run {
  readonly id: string;
  /** The labels in the document. */
  readonly environment: string;
  readonly policy: string;
  readonly seed: number;
  /** The axis and the value of this run; null outside of sweeps. */
  readonly sweep: SweepPoint | null;
}

/** One value of a sweep. */
export interface SweepPoint {
  readonly path: string;
  readonly value: number | string;
}
