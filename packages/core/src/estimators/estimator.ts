/**
 * What an arm's losses say about its mean. Its state is the losses in their order and nothing else: an estimator that is told them again gives the
 * same estimates, bit for bit, whatever was asked of it in between.
 */
export interface Estimator {
  /** The losses that it keeps: all that it was told, in order. */
  readonly samples: { readonly size: number; first(count: number): Float64Array };
  add(x: number): void;
}
