import { show, TsallisError } from "../../errors.js";
import { LARGEST_LOSS } from "../../largestLoss.js";

/** Refuses anything that is not a loss, before it can corrupt a policy's state. */
export function requireLoss(loss: unknown): asserts loss is number {
  if (!(typeof loss === "number" && Math.abs(loss) <= LARGEST_LOSS)) {
    throw new TsallisError("ERR_LOSS", "loss", loss, `loss must be a number of size at most 1e300, got ${show(loss)}`);
  }
}
