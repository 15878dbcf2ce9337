import { LabError } from "../labError.js";

export function ensure(holds: boolean, otherwise: string): void {
  if (!holds) throw new LabError("ERR_CONFORMANCE", otherwise);
}

/** Whether two numbers are equal but for rounding, in computations with numbers of a size. */
export function isNear(a: number, b: number, size: number): boolean {
  return Math.abs(a - b) <= 1e-9 * (1 + Math.abs(size) + Math.abs(b));
}
