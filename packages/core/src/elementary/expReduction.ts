// The reduction that exp, pow and expm1 share: x = k L + r with L = log(2)/128, |r| <= L/2.

export const INVERSE_L = 184.6649652337873;
/** L in two parts: k L_HI is exact (35 + 18 bits). */
export const L_HI = 0.0054152123482253955;
export const L_LO = -1.0082281460997769e-13;
/** 1.5 * 2^52: adding and subtracting it rounds to the nearest integer. */
export const TO_INTEGER = 6755399441055744;
