/** A bandit as it was created: what its log begins with. */
export interface NewBandit {
  readonly name: string;
  /** As it was created, as JSON. */
  readonly document: string;
  /** The version of the library that created it, and its bits. */
  readonly version: string;
  readonly bits: string;
  readonly createdAt: number;
}
