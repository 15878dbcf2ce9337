/** POWERS_OF_TWO[e + 1074] = 2^e for e = -1074..1023: scaling by a table entry is exact and needs no write to the bits of a double. */
export const POWERS_OF_TWO: Float64Array = /* @__PURE__ */ doublings();

function doublings(): Float64Array {
  const powers = new Float64Array(2098);
  let power = 5e-324;
  for (let i = 0; i < 2098; i++) {
    powers[i] = power;
    power *= 2;
  }
  return powers;
}
