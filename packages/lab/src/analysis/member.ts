import type { Guarantee } from "../theory/applicableBounds.js";
import type { Cell } from "./cells.js";
import type { CellGrowth } from "./growthOf.js";
import type { SummaryRow } from "./summary.js";
import type { Term } from "./termsOf.js";

/** A policy in a group, with all that is known about it there. */
export interface Member {
  /** Its place in the document. */
  readonly index: number;
  readonly label: string;
  /** Its label for file names, unique among the policies. */
  readonly slug: string;
  readonly cell: Cell;
  readonly row: SummaryRow;
  /** Null where the policy or the environment could not be made. */
  readonly guarantee: Guarantee | null;
  /** Its regret taken apart; empty where that was not recorded, and in sweeps. */
  readonly terms: readonly Term[];
  /** What is worked out at length only, that is not in sweeps and not where there are many environments: */
  readonly growth: CellGrowth | null;
  readonly playShares: readonly (readonly number[])[] | null;
}
