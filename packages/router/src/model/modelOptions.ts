import type { PolicySpec } from "tsallis";
import type { CostOf } from "./cost.js";
import type { Upstream } from "./upstream.js";

/** What the model needs of the router's options. */
export interface ModelOptions {
  readonly upstreams: readonly Upstream[];
  readonly policy: PolicySpec;
  /** Null: the half-life of the policy's spec, in rounds, or none. */
  readonly halfLifeSeconds: number | null;
  /** The name of the loss rule in saved states. */
  readonly lossName: string;
  /** Null: all requests are of one kind. */
  readonly route: object | null;
  /** The route of a ticket that names none. */
  readonly defaultRoute: string;
  /** Whether the options say that all losses are seconds. */
  readonly inSeconds: boolean;
  readonly penalty: number;
  /** Null: no upstream costs anything besides latency and failures. */
  readonly cost: CostOf | null;
  readonly maxEjectionPercent: number;
  /** The policy plays and learns at most this many rounds per second. Null: by the number of upstreams. */
  readonly roundsPerSecond: number | null;
  readonly seed: number;
}
