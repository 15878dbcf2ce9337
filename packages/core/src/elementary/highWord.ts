const float = /* @__PURE__ */ new Float64Array(1);
const words = /* @__PURE__ */ new Int32Array(float.buffer);
// The upper half of the double 1 is not zero and its lower half is, which finds the upper half in either byte order.
const upper = /* @__PURE__ */ new Int32Array(/* @__PURE__ */ new Float64Array([1]).buffer)[0] === 0 ? 1 : 0;

/** The sign, the exponent and the 20 leading fraction bits of a double, as a signed 32-bit integer. */
export function highWord(x: number): number {
  float[0] = x;
  return words[upper]!;
}
