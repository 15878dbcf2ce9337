const value = new Float64Array(1);
const bits = new BigInt64Array(value.buffer);

/** The rank of a finite double among all doubles, as an integer that grows with the double; the two zeros share rank 0. */
export function rankOf(x: number): bigint {
  value[0] = x;
  const signed = bits[0]!;
  return signed >= 0n ? signed : -(signed & 0x7fffffffffffffffn);
}

/** The double of a rank: the inverse of `rankOf`. */
export function doubleOf(rank: bigint): number {
  bits[0] = rank >= 0n ? rank : -rank;
  return rank >= 0n ? value[0]! : -value[0]!;
}

/** The smallest double above x; infinities and NaN stay. */
export function nextUp(x: number): number {
  return Number.isFinite(x) ? doubleOf(rankOf(x) + 1n) : x;
}
