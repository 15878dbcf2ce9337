/** The number of columns that are summed at once: their sums do not wait for each other, and a position is read once for all of them. */
const LANES = 4;

/** Lists of positions, all of them in one array. */
export interface Lists {
  readonly positions: Uint32Array;
  /** Where each list begins, and where the last one ends. */
  readonly bounds: Uint32Array;
}

/** Writes the sum of column c over the positions of list l, in their order, to `into[c][at + l]`. */
export type Gather = (lists: Lists, into: readonly Float64Array[], at: number) => void;

/** Sums columns of one length again and again, over other lists each time: with the bits of one column after the other. */
export function gather(columns: readonly ArrayLike<number>[]): Gather {
  const sides = inLanes(columns, LANES).map(sideBySide);
  return (lists, into, at) => {
    for (const [s, lanes] of inLanes(into, LANES).entries()) sumFour(sides[s]!, lists, lanes, at);
  };
}

/** Columns in groups of `lanes`; the last column fills the lanes that are left. */
export function inLanes<T>(columns: readonly T[], lanes: number): T[][] {
  return Array.from({ length: Math.ceil(columns.length / lanes) }, (_, group) =>
    Array.from({ length: lanes }, (_, lane) => columns[Math.min(lanes * group + lane, columns.length - 1)]!),
  );
}

/** The values of several columns of one length, one position after the other. */
export function sideBySide(columns: readonly ArrayLike<number>[]): Float64Array {
  const lanes = columns.length;
  const found = new Float64Array(lanes * columns[0]!.length);
  for (let lane = 0; lane < lanes; lane++) for (let i = 0; i < columns[lane]!.length; i++) found[lanes * i + lane] = columns[lane]![i]!;
  return found;
}

/** Takes all lists at a time: as a function of a single list the compiler puts it into its caller, where it takes up to ten times as long. */
function sumFour(side: Float64Array, { positions, bounds }: Lists, into: readonly Float64Array[], at: number): void {
  const [intoA, intoB, intoC, intoD] = into as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let list = 0; list + 1 < bounds.length; list++) {
    const end = bounds[list + 1]!;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = bounds[list]!; i < end; i++) {
      // A product of 32 bits: any other is computed as a double.
      const first = Math.imul(LANES, positions[i]!);
      a += side[first]!;
      b += side[first + 1]!;
      c += side[first + 2]!;
      d += side[first + 3]!;
    }
    intoA[at + list] = a;
    intoB[at + list] = b;
    intoC[at + list] = c;
    intoD[at + list] = d;
  }
}
