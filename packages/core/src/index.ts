export type { Distribution, DistributionSpec } from "./distributions/distribution.js";
export * as elementary from "./elementary.js";
export { ERROR_CODES, type ErrorCode, TsallisError } from "./errors.js";
export { Noise } from "./random/noise.js";
export type { Rng } from "./random/rng.js";
export { stream } from "./random/stream.js";
export { Xoshiro128 } from "./random/xoshiro128.js";
