/** A ratio: what was asked for, and what was measured. */
export interface Ratio {
  readonly name: string;
  readonly asked: string;
  readonly measured: number;
}
