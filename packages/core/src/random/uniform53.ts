const SCALE = 1 / 9007199254740992; // 2^-53

/** Turns two 32-bit words into a uniform on [0, 1) with 53 bits: the upper 27 of the first, the upper 26 of the second. */
export function uniform53(high: number, low: number): number {
  return ((high >>> 5) * 67108864 + (low >>> 6)) * SCALE;
}

/** The same on (0, 1): 0 becomes 2^-54, half the smallest step. */
export function open53(high: number, low: number): number {
  const u = uniform53(high, low);
  return u === 0 ? SCALE / 2 : u;
}
