import { LARGEST_LOSS } from "../largestLoss.js";

/**
 * How far the parameters of the laws reach: as far as the tests hold their numbers (fixtures/distributions.py and distributions.extra.py), and
 * so that no mean of a single law overflows. Beyond, a law is refused rather than wrong.
 */
export const SHAPE_RANGE = { type: "number", atLeast: 0.1, atMost: 1000 } as const;
export const SCALE_RANGE = { type: "number", atLeast: 1e-100, atMost: 1e100 } as const;
/** Places and sizes of losses. */
export const VALUE_RANGE = { type: "number", atLeast: -LARGEST_LOSS, atMost: LARGEST_LOSS } as const;
