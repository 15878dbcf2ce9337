/** Something that changed. Times are in milliseconds since 1970. */
export type HistoryChange = LossChange | SettingChange;

/** The losses of an arm became larger or smaller. */
export interface LossChange {
  readonly kind: "losses";
  /** When it began, and when it was noticed. */
  readonly at: number;
  readonly noticed: number;
  readonly arm: string;
  readonly number: number;
  /** Medians. */
  readonly before: number;
  after: number;
  /** The arm's share of the policy's decisions before it; null if there were too few to say. */
  readonly share: number | null;
  /** Milliseconds after which the traffic had left the arm, or come to it. */
  movedAfter: number | null;
  /** The arm's share at the end, if the traffic had neither left nor come by then. */
  shareLater: number | null;
  /** Whether its traffic is still watched. */
  isOpen: boolean;
}

/** The owner changed something. */
export interface SettingChange {
  readonly kind: "settings";
  readonly at: number;
  readonly noticed: number;
  /** What, such as "holdout 0.1". */
  readonly settings: readonly string[];
  readonly by: string | null;
}

export function isWorse({ before, after }: LossChange): boolean {
  return after > before;
}
