import { show, TsallisError } from "../errors.js";

/** Guards Pareto distributions that environments make themselves: the tail index must leave E|X|^alpha finite. `name` includes its path. */
export function requireShape(shape: number, alpha: number, name: string): void {
  if (!(shape > alpha)) {
    throw new TsallisError("ERR_PARAMETER", name, shape, `${name} must be above alpha, ${alpha}, for E|X|^alpha to be finite, got ${show(shape)}`);
  }
}
