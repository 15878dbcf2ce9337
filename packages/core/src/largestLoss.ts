/**
 * The largest size of a loss that a policy accepts: products of larger ones with importance weights would overflow.
 *
 * @example
 * ```ts
 * import { LARGEST_LOSS } from "tsallis";
 *
 * console.log(LARGEST_LOSS); // 1e+300
 * ```
 */
export const LARGEST_LOSS = 1e300;
