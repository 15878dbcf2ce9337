import type { Policy } from "tsallis";
import { Failure } from "./failure.js";

/** Makes a policy, and sees to it that memory holds its probabilities. */
export function fittingPolicy(make: () => Policy): Policy {
  try {
    const policy = make();
    policy.probabilities();
    return policy;
  } catch (error) {
    if (error instanceof RangeError) throw new Failure("ERR_PARAMETER", "arms is larger than memory allows");
    throw error;
  }
}
