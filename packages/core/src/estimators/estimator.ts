/**
 * An estimator of an arm's mean from its losses. Its state is the losses in their order and nothing else: an estimator that is given them again returns the
 * same estimates, bit for bit, whatever was asked of it in between.
 */
export interface Estimator {
  /** All the losses that it was given, in order. */
  readonly samples: { readonly size: number; first(count: number): Float64Array };
  add(x: number): void;
}
