export type { Distribution, DistributionSpec } from "./distributions/distribution.js";
export * as elementary from "./elementary.js";
export { ERROR_CODES, type ErrorCode, TsallisError } from "./errors.js";
export type { Rng } from "./random/rng.js";
