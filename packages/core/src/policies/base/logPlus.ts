import { log } from "../../elementary/log.js";

/** ln max(x, 1). */
export function logPlus(x: number): number {
  return x > 1 ? log(x) : 0;
}
