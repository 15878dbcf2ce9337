import { TsallisError } from "../../errors.js";

/** Refuses a round past the horizon that a policy was made for. */
export function requireRoundWithin(horizon: number, round: number): void {
  if (round <= horizon) return;
  throw new TsallisError("ERR_HORIZON", "horizon", horizon, `all ${horizon} rounds are played; give a larger horizon`);
}

/** Refuses a snapshot that was taken past the horizon. */
export function requireSnapshotWithin(horizon: number, round: number): void {
  if (round <= horizon) return;
  throw new TsallisError("ERR_SNAPSHOT", "round", round, `round must be at most the horizon, ${horizon}, got ${round}`);
}
