import { normal } from "tsallis";

const STANDARD = normal({ mean: 0, deviation: 1 });

/** P(Z > x) of a standard normal Z. */
export function normalTail(x: number): number {
  return STANDARD.survival(x);
}
