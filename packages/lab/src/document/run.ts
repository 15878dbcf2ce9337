/** One cell of an experiment: `environment/policy/seed`, in a sweep with `/value`. */
export interface Run {
  readonly id: string;
  /** Labels, as the document has them. */
  readonly environment: string;
  readonly policy: string;
  readonly seed: number;
  /** The axis and the value that this run is played with; null outside of sweeps. */
  readonly sweep: SweepPoint | null;
}

export interface SweepPoint {
  readonly path: string;
  readonly value: number | string;
}
