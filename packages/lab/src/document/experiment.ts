import type { DistributionSpec, EnvironmentSpec, PolicySpec } from "tsallis";

/** One varied axis: a path inside the document, and the values to put there. */
export interface SweepAxis {
  /** `horizon`, `environments.hardest.arms`, `environments.*.alpha`, `policies.htinf.sigma`, ... A `*` stands for every key or index. */
  readonly path: string;
  readonly values: readonly (number | string)[];
}

/** Feedback in batches: what was lost in rounds 1 to `batch` is revealed after round `batch`, and so on. @inline */
export interface Batches {
  readonly batch: number;
}

/** An environment in an experiment: the core's spec, the delay of its feedback, and whether its arms and its units change with the seed. */
export interface LabEnvironmentSpec extends EnvironmentSpec {
  /** The number of rounds before the policy learns the loss of a round, or a distribution of that number (rounded down); 0 means at once. Or batches. */
  readonly delay?: number | DistributionSpec | Batches;
  /**
   * With a seed s, arm a of the policies is arm (a + s) mod K of the spec, so that a policy that breaks ties towards arm 0 gains nothing. Present
   * only if true.
   */
  readonly rotate?: true;
  /** The policies see losses that are scaled and shifted by amounts that depend on the seed; regret stays in the units of the spec. Present only if true. */
  readonly rescale?: true;
}

/** The keys that the lab adds to an environment's own parameters. */
export const LAB_KEYS = ["delay", "rotate", "rescale"] as const satisfies readonly (keyof LabEnvironmentSpec)[];

/** A statement that supports the claim if it holds: one policy has less regret than another, or its regret grows with a power within a range. */
export type Evidence = { readonly environment: string; readonly policy: string } & (
  | { readonly beats: string }
  | {
      /** The range that the whole 95 % interval of the exponent must lie in. */
      readonly exponent: readonly [low: number, high: number];
      /** What the regret grows with: `rounds`, or the path of a sweep. */
      readonly along: string;
    }
);

/**
 * An experiment, complete and frozen: every key is present and every seed is listed. Its runs are environments x policies x seeds, times values in a
 * sweep.
 */
export interface Experiment {
  readonly name: string;
  /** The one line that the data will support or contradict. */
  readonly claim: string | null;
  /** The evidence for the claim, which is supported if every item holds. */
  readonly evidence: readonly Evidence[];
  readonly horizon: number;
  readonly seeds: readonly number[];
  readonly environments: Readonly<Record<string, LabEnvironmentSpec>>;
  /** `sigma: promised` and `alpha: promised` are still words here; a run replaces them with its environment's values. */
  readonly policies: Readonly<Record<string, PolicySpec>>;
  readonly sweep: readonly SweepAxis[];
  /** How many rounds of a run are recorded, evenly spaced on a logarithmic axis. */
  readonly checkpoints: number;
  /** Whether the terms of the paper's regret decomposition are recorded too. */
  readonly anatomy: boolean;
  /** Whether a hash of all arms and losses of each run is recorded. Present only if true. */
  readonly runHash?: true;
}

/** An experiment with everything that makes its results reproducible. */
export interface FrozenExperiment {
  readonly experiment: Experiment;
  /** The version of the packages, one number for all of them. */
  readonly version: string;
  /** SHA-256 of version, experiment and imports, in hexadecimal. */
  readonly hash: string;
  /** The user's own modules that register policies or environments. */
  readonly imports: readonly ImportedModule[];
}

/** A module of the user's own that was imported before an experiment was played. */
export interface ImportedModule {
  /** The path from the command line. */
  readonly file: string;
  /** SHA-256 of its text, or of `loads` as JSON if it loads something. */
  readonly hash: string;
  /**
   * Everything that it loads, sorted by name: the SHA-256 of each file, by its path from the module's folder (its own is "."), and the version of each package.
   * Absent if it loads nothing but the packages of tsallis and of Node.
   */
  readonly loads?: Readonly<Record<string, string>>;
}
