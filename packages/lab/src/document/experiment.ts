import type { DistributionSpec, EnvironmentSpec, PolicySpec } from "tsallis";

/** One varied axis: a path inside the document, and the values that take turns there. */
export interface SweepAxis {
  /** `horizon`, `environments.hardest.arms`, `environments.*.alpha`, `policies.htinf.sigma`, ... A `*` stands for every key or index. */
  readonly path: string;
  readonly values: readonly (number | string)[];
}

/** An environment as experiments write it: the core's spec, when its feedback arrives, and whether its arms turn with the seed. */
export interface LabEnvironmentSpec extends EnvironmentSpec {
  /** Rounds that go by before the loss of a round is told, or a law of them (rounded down); 0 is at once. */
  readonly delay?: number | DistributionSpec;
  /** With a seed s, arm a of the policies is arm (a + s) mod K of the spec: who breaks ties towards arm 0 gains nothing. Present only if true. */
  readonly rotate?: true;
}

/** What the lab adds to an environment's own parameters. */
export const LAB_KEYS = ["delay", "rotate"] as const satisfies readonly (keyof LabEnvironmentSpec)[];

/** A statement that would support the claim if it holds: one policy has less regret than another, or its regret grows with a power within a range. */
export type Evidence = { readonly environment: string; readonly policy: string } & (
  | { readonly beats: string }
  | {
      /** The range that the whole 95 % interval of the exponent must lie in. */
      readonly exponent: readonly [low: number, high: number];
      /** What the regret grows with: `rounds`, or the path of a sweep. */
      readonly along: string;
    }
);

/** An experiment, complete and frozen: every key is present, every seed is listed. Environments x policies x seeds, in a sweep x values. */
export interface Experiment {
  readonly name: string;
  /** The one line that the data will support or not. */
  readonly claim: string | null;
  /** What the claim rests on; it is supported if all of this holds. */
  readonly evidence: readonly Evidence[];
  readonly horizon: number;
  readonly seeds: readonly number[];
  readonly environments: Readonly<Record<string, LabEnvironmentSpec>>;
  /** `sigma: promised` and `alpha: promised` are still words here; a run fills them in from its environment. */
  readonly policies: Readonly<Record<string, PolicySpec>>;
  readonly sweep: readonly SweepAxis[];
  /** How many rounds of a run are recorded, log-spaced. */
  readonly checkpoints: number;
  /** Whether the terms of the paper's regret decomposition are recorded too. */
  readonly anatomy: boolean;
}

/** An experiment with what makes its results replayable. */
export interface FrozenExperiment {
  readonly experiment: Experiment;
  /** The version of the packages, one number for all of them. */
  readonly version: string;
  /** SHA-256 of version, experiment and imports, in hexadecimal. */
  readonly hash: string;
  /** Modules that register policies or environments of the user's own. */
  readonly imports: readonly ImportedModule[];
}

export interface ImportedModule {
  /** As it was given on the command line. */
  readonly file: string;
  /** SHA-256 of its text. */
  readonly hash: string;
}
