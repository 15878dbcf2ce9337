import { type Axis, linearAxis, symlogAxis } from "../../chart/axis.js";
import { formatShort } from "../../format/formatShort.js";

/** Beyond this ratio of the largest to the smallest value, a linear axis would hide the small ones. */
const WIDEST = 40;

/** An axis that shows both sides of zero: linear, or, if the sizes of the values are very different, linear around zero and logarithmic beyond. */
export function signedAxis(label: string, low: number, high: number, values: readonly number[]): Axis {
  if (low === high) return linearAxis(label, -1, 1);
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const smallest = Math.min(...sizes);
  const padding = 0.05 * (high - low);
  if (!(Math.max(...sizes) > WIDEST * smallest)) return linearAxis(label, low < 0 ? low - padding : low, high + padding);
  // Read from text, so that every engine has the same digits.
  const constant = Number(`1e${Math.max(Math.floor(Math.log10(smallest)), Math.ceil(Math.log10(Math.max(-low, high))) - 5)}`);
  return symlogAxis(label, low * 1.3, high * 1.3, constant);
}

/** The sentence that tells a reader which axis it is, and why. */
export function signedAxisNote({ type, constant }: Axis, which: string): string {
  return type === "symlog"
    ? `${which} is linear from ${formatShort(-constant!)} to ${formatShort(constant!)} and logarithmic beyond, because some values are below zero, where a logarithm has none.`
    : `${which} is linear, because some values are below zero, where a logarithm has none.`;
}
