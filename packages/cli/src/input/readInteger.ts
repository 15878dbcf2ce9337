import { Failure } from "../text/failure.js";
import { numberOrText } from "./numberOrText.js";

/** The value of an option that is an integer; `otherwise` if it is not given. */
export function readInteger(name: string, given: string | undefined, otherwise: number, least: number, most: number): number {
  const value = given === undefined ? otherwise : numberOrText(given);
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw new Failure("ERR_PARAMETER", `${name} must be an integer in [${least}, ${most}], got ${JSON.stringify(value)}`, `--${name}`);
}
