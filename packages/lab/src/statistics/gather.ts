/** The number of columns that are summed at once: their sums do not wait for each other, and an index is read once for all of them. */
const LANES = 4;

/** Writes the sum of each column over the positions in `indices` from `from` up to `to`, in that order, to `into`. */
export type Gather = (indices: Uint32Array, from: number, to: number, into: Float64Array) => void;

/** Sums columns of one length again and again, over other positions each time: half as long as column by column, with the same bits. */
export function gather(columns: readonly ArrayLike<number>[]): Gather {
  const whole = columns.length - (columns.length % LANES);
  const sides: Float64Array[] = [];
  for (let c = 0; c < whole; c += LANES) sides.push(sideBySide(columns.slice(c, c + LANES)));
  const rest = columns.slice(whole);
  return (indices, from, to, into) => {
    for (let s = 0; s < sides.length; s++) sumFour(sides[s]!, indices, from, to, into, LANES * s);
    for (let c = 0; c < rest.length; c++) into[whole + c] = sumOne(rest[c]!, indices, from, to);
  };
}

/** The values of several columns of one length, one position after the other. */
export function sideBySide(columns: readonly ArrayLike<number>[]): Float64Array {
  const lanes = columns.length;
  const found = new Float64Array(lanes * columns[0]!.length);
  for (let lane = 0; lane < lanes; lane++) for (let i = 0; i < columns[lane]!.length; i++) found[lanes * i + lane] = columns[lane]![i]!;
  return found;
}

function sumFour(side: Float64Array, indices: Uint32Array, from: number, to: number, into: Float64Array, at: number): void {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    const first = LANES * indices[i]!;
    a += side[first]!;
    b += side[first + 1]!;
    c += side[first + 2]!;
    d += side[first + 3]!;
  }
  into[at] = a;
  into[at + 1] = b;
  into[at + 2] = c;
  into[at + 3] = d;
}

function sumOne(values: ArrayLike<number>, indices: Uint32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += values[indices[i]!]!;
  return sum;
}
