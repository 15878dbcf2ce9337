import { show, TsallisError } from "../errors.js";

/** Estimates stay below this size, so that a difference of two and a few products do not overflow. */
export const LARGEST_ESTIMATE = 1e307;

/** The new estimate of an arm, or ERR_OVERFLOW. */
export function addEstimate(arm: number, before: number, amount: number): number {
  const after = before + amount;
  if (!(Math.abs(after) <= LARGEST_ESTIMATE)) throw overflow(arm, after);
  return after;
}

function overflow(arm: number, estimate: number): TsallisError {
  const message = `the loss estimate of arm ${arm} would reach ${show(estimate)}, beyond 1e307; divide all losses by a constant`;
  return new TsallisError("ERR_OVERFLOW", "loss", estimate, message);
}

/** The estimates of a snapshot, or ERR_SNAPSHOT. */
export function requireEstimates(losses: unknown, arms: number): asserts losses is number[] {
  if (Array.isArray(losses) && losses.length === arms && [...losses].every((loss) => typeof loss === "number" && Math.abs(loss) <= LARGEST_ESTIMATE))
    return;
  throw new TsallisError("ERR_SNAPSHOT", "state.losses", losses, `state.losses must be ${arms} numbers of size at most 1e307, got ${show(losses)}`);
}
