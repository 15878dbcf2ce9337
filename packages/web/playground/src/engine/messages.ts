import type { MovedLoss } from "./movedLoss.js";
import type { Pace } from "./pace.js";
import type { Lane, Race } from "./race.js";

/** What the page tells a worker. */
export type ToWorker =
  | {
      readonly start: {
        readonly race: Race;
        readonly lanes: readonly Lane[];
        readonly checkpoints: readonly number[];
        readonly moved: MovedLoss | null;
      };
    }
  /** Plays at a pace, up to a round. */
  | { readonly go: Pace & { readonly until: number } }
  | { readonly pause: true }
  | { readonly runHashes: true };

/** What a worker tells the page. Lanes are numbered as they were given. */
export type FromWorker = { readonly frame: Frame } | { readonly runHashes: readonly (string | null)[] };

/** What has happened since the last frame. */
export interface Frame {
  /** For each checkpoint that a lane has reached, POINT numbers. */
  readonly points: Float64Array;
  /** How the lanes with the first seed stand now. */
  readonly live: readonly Live[];
  /** For each lane the rounds on each arm; those of lanes that failed are not kept up. */
  readonly plays: Float64Array;
  /** The round that all lanes have reached. */
  readonly round: number;
  /** Whether it still plays. */
  readonly isPlaying: boolean;
  /** Lanes that ended with an error, and its message. */
  readonly failures: readonly (readonly [lane: number, message: string])[];
}

/**
 * lane, number of the checkpoint, pseudo-regret, dynamic regret, epoch (0 for policies without), rounds on the best arm, and at the last one whether the
 * run is stuck (1 or 0; NaN before, and where uniform play has no regret to compare with).
 */
export const POINT = 7;

export interface Live {
  readonly lane: number;
  readonly round: number;
  readonly skipped: number;
  /** The probabilities of the next choice, of policies that skip losses; null for others. */
  readonly probabilities: Float64Array | null;
  /** For each arm the size beyond which its loss would be skipped in the next round; null if the policy skips nothing. */
  readonly thresholds: readonly number[] | null;
}
