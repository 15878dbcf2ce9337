import type { Lane, Race } from "./race.js";

/** What the page tells a worker. */
export type ToWorker =
  | { readonly start: { readonly race: Race; readonly lanes: readonly Lane[]; readonly checkpoints: readonly number[] } }
  /** Plays so many rounds per second (Infinity: as many as it can), up to a round. */
  | { readonly go: { readonly speed: number; readonly until: number } }
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
  /** The round that all lanes have reached. */
  readonly round: number;
  /** Whether it still plays. */
  readonly isPlaying: boolean;
  /** Lanes that ended with an error, and its message. */
  readonly failures: readonly (readonly [lane: number, message: string])[];
}

/** lane, number of the checkpoint, pseudo-regret, dynamic regret, epoch (0 for policies without). */
export const POINT = 5;

export interface Live {
  readonly lane: number;
  readonly round: number;
  readonly skipped: number;
  readonly plays: Float64Array;
  /** The probabilities of the next choice, of policies that skip losses; null for others. */
  readonly probabilities: Float64Array | null;
  /** For each arm the size beyond which its loss would be skipped in the next round; null if the policy skips nothing. */
  readonly thresholds: readonly number[] | null;
}
