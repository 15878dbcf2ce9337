/** A choice that waits for what came of it. Exactly one of done, failed and abandoned counts; what is called later does nothing and is counted. */
export interface Ticket {
  /** As it stands in the router's options. */
  readonly upstream: string;
  /** With which it was chosen; null where the policy does not tell. */
  readonly probability: number | null;
  /** It has worked, and has cost this much: seconds, unless the router's losses are something else. A loss that is not a finite number teaches nothing. */
  done(loss: number): void;
  /** It has not worked: that costs the seconds since the choice, or the penalty if that is more. */
  failed(error?: unknown): void;
  /** The caller has lost interest: that teaches nothing. */
  abandoned(): void;
}
