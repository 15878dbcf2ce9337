import { LARGEST_LOSS } from "../largestLoss.js";

/**
 * The ranges of the distributions' parameters. They reach as far as tests check the distributions against references (fixtures/distributions.py and distributions.extra.py),
 * and no mean of a single distribution overflows within them. Outside, a distribution is refused rather than computed wrongly.
 */
export const SHAPE_RANGE = { type: "number", atLeast: 0.1, atMost: 1000 } as const;
export const SCALE_RANGE = { type: "number", atLeast: 1e-100, atMost: 1e100 } as const;
/** The range of locations and sizes of losses. */
export const VALUE_RANGE = { type: "number", atLeast: -LARGEST_LOSS, atMost: LARGEST_LOSS } as const;
