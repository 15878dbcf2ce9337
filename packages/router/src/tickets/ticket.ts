/** A choice that waits for its outcome. Only the first call of done, failed or abandoned counts; later calls have no effect except on a counter. */
export interface Ticket {
  /** The upstream as written in the router's options. */
  readonly upstream: string;
  /** The probability of the choice; null if the policy does not report it. */
  readonly probability: number | null;
  /** Reports success and its loss: seconds, unless the router's losses have another unit. A loss that is not a finite number teaches nothing. */
  done(loss: number): void;
  /** Reports a failure, which costs the seconds since the choice or the penalty, whichever is more. */
  failed(error?: unknown): void;
  /** Reports that the caller has lost interest, which teaches nothing. */
  abandoned(): void;
  /** The same, because another attempt at the same was answered first: if losses are seconds, it teaches that this one takes at least as long as it has waited. */
  overtaken(): void;
}
