// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011):
// a keyed bijection of 128-bit counters whose outputs pass as random in whatever order they are computed.
const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;

/** Replaces the four words of `counter` with their image under the key (two words). */
export function philox4x32(counter: Int32Array, key0: number, key1: number): void {
  let c0 = counter[0]!;
  let c1 = counter[1]!;
  let c2 = counter[2]!;
  let c3 = counter[3]!;
  let k0 = key0 | 0;
  let k1 = key1 | 0;
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0);
    const low0 = Math.imul(MULTIPLIER_0, c0);
    const high1 = multiplyHigh(MULTIPLIER_1, c2);
    const low1 = Math.imul(MULTIPLIER_1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  counter[0] = c0;
  counter[1] = c1;
  counter[2] = c2;
  counter[3] = c3;
}

/** The upper 32 bits of the 64-bit product of two unsigned 32-bit words, by 16-bit halves. */
function multiplyHigh(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const carry = a0 * b1 + (middle & 0xffff);
  return (a1 * b1 + Math.floor(middle / 65536) + Math.floor(carry / 65536)) | 0;
}
