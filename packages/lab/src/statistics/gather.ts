import { LANES, sumKernel } from "./sumKernel.js";

/** Lists of positions, all of them in one array. */
export interface PositionLists {
  /** One list after the other. */
  readonly positions: Uint32Array;
  /** Where each list begins, and where the last one ends. */
  readonly bounds: Uint32Array;
}

/** What columns come to over lists of positions: for each column, a number for each list. */
export interface Gathered {
  readonly sums: readonly Float64Array[];
  /** The sums of the squares. */
  readonly squares: readonly Float64Array[];
  /** The number of positions in each list. */
  readonly lengths: Uint32Array;
}

/** Sums columns of one length over the positions of `count` lists, which come in pieces: with the bits of a loop over each column and each list. */
export function gather(columns: readonly ArrayLike<number>[], pieces: Iterable<PositionLists>, count: number): Gathered {
  const sums = columns.map(() => new Float64Array(count));
  const squares = columns.map(() => new Float64Array(count));
  const lengths = new Uint32Array(count);
  const groups = inLanes(columns);
  // In the memory of the kernel: the columns, then the positions of a piece, its bounds and the results for one group of columns.
  const group = 8 * LANES * (columns[0]?.length ?? 0);
  const positionsAt = groups.length * group;
  for (const [g, side] of groups.entries()) sideBySide(side, new Float64Array(memoryOf(positionsAt), g * group, group / 8));
  let list = 0;
  for (const { positions, bounds } of pieces) {
    const lists = bounds.length - 1;
    for (let l = 0; l < lists; l++) lengths[list + l] = bounds[l + 1]! - bounds[l]!;
    if (lists > 0 && groups.length > 0) {
      const boundsAt = positionsAt + positions.byteLength;
      const resultsAt = 8 * Math.ceil((boundsAt + bounds.byteLength) / 8);
      const memory = memoryOf(resultsAt + 16 * LANES * lists);
      new Uint32Array(memory, positionsAt).set(positions);
      new Uint32Array(memory, boundsAt).set(bounds);
      const results = new Float64Array(memory, resultsAt, 2 * LANES * lists);
      for (let g = 0; g < groups.length; g++) {
        sumKernel().sum(g * group, positionsAt, boundsAt, lists, resultsAt);
        for (let lane = 0; lane < LANES && LANES * g + lane < columns.length; lane++) {
          const [into, intoSquares] = [sums[LANES * g + lane]!, squares[LANES * g + lane]!];
          for (let l = 0; l < lists; l++) {
            into[list + l] = results[2 * LANES * l + lane]!;
            intoSquares[list + l] = results[2 * LANES * l + LANES + lane]!;
          }
        }
      }
    }
    list += lists;
  }
  return { sums, squares, lengths };
}

/** WebAssembly's memory grows in pages of this size. */
const PAGE_BYTES = 1 << 16;

/** The memory of the kernel, of at least this size. What it held stays. */
function memoryOf(bytes: number): ArrayBuffer {
  const { memory } = sumKernel();
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  return memory.buffer;
}

/** Columns in groups of LANES; the last column fills the lanes that are left. */
function inLanes<T>(columns: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(columns.length / LANES) }, (_, group) =>
    Array.from({ length: LANES }, (_, lane) => columns[Math.min(LANES * group + lane, columns.length - 1)]!),
  );
}

/** Writes the values of several columns of one length, one position after the other. */
function sideBySide(columns: readonly ArrayLike<number>[], into: Float64Array): void {
  for (const [lane, column] of columns.entries()) for (let i = 0; i < column.length; i++) into[columns.length * i + lane] = column[i]!;
}
