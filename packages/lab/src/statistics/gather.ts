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
  const sides: Float64Array[] = [];
  for (let c = 0; c < columns.length; c += LANES) sides.push(sideBySide(lanesFrom(columns, c)));
  return (lists, into, at) => {
    for (const [s, side] of sides.entries()) {
      const [a, b, c, d] = lanesFrom(into, LANES * s);
      sumFour(side, lists.positions, lists.bounds, at, a!, b!, c!, d!);
    }
  };
}

/** Four of them; where they end, the last one fills the lanes that are left. */
function lanesFrom<T>(columns: readonly T[], from: number): T[] {
  return Array.from({ length: LANES }, (_, lane) => columns[Math.min(from + lane, columns.length - 1)]!);
}

/** The values of several columns of one length, one position after the other. */
export function sideBySide(columns: readonly ArrayLike<number>[]): Float64Array {
  const lanes = columns.length;
  const found = new Float64Array(lanes * columns[0]!.length);
  for (let lane = 0; lane < lanes; lane++) for (let i = 0; i < columns[lane]!.length; i++) found[lanes * i + lane] = columns[lane]![i]!;
  return found;
}

/** Takes all lists at a time: as a function of a single list the compiler puts it into its caller, where it takes up to ten times as long. */
function sumFour(
  side: Float64Array,
  positions: Uint32Array,
  bounds: Uint32Array,
  at: number,
  intoA: Float64Array,
  intoB: Float64Array,
  intoC: Float64Array,
  intoD: Float64Array,
): void {
  for (let list = 0; list + 1 < bounds.length; list++) {
    const end = bounds[list + 1]!;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let i = bounds[list]!; i < end; i++) {
      const first = LANES * positions[i]!;
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
