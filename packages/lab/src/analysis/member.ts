import type { Guarantee } from "../theory/applicableBounds.js";
import type { Cell } from "./cells.js";
import type { CellGrowth } from "./growthOf.js";
import type { SummaryRow } from "./summary.js";
import type { Term } from "./termsOf.js";

/** A policy in a group, with everything that is known about it there. */
export interface Member {
  /** Its position in the document. */
  readonly index: number;
  readonly label: string;
  /** Its label in file names, unique among the policies. */
  readonly slug: string;
  readonly cell: Cell;
  readonly row: SummaryRow;
  /** Null if the policy or the environment could not be created. */
  readonly guarantee: Guarantee | null;
  /** The terms of its regret; empty in sweeps, and if they were not recorded. */
  readonly terms: readonly Term[];
  /** Null in sweeps and if there are many environments; the same holds for `playShares`. */
  readonly growth: CellGrowth | null;
  readonly playShares: readonly (readonly number[])[] | null;
  /** The pseudo-regret of its first completed runs at each checkpoint, by ascending seed: at most MOST_SEED_CURVES. Empty where `growth` is null. */
  readonly seedCurves: readonly SeedCurve[];
}

/** The pseudo-regret of one run, one value per checkpoint. */
export interface SeedCurve {
  readonly seed: number;
  readonly values: readonly number[];
}

/** More single curves than this cannot be told apart. */
export const MOST_SEED_CURVES = 20;
