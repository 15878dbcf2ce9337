/** Something that was asked for, and what it is. */
export interface Ratio {
  readonly name: string;
  readonly asked: string;
  readonly measured: number;
}
