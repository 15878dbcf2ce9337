import { Failure } from "@tsallis/cli/dist/text/failure.js";

/** Refuses an option's value that is not a count up to `most`. */
export function requireCount(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new Failure("ERR_PARAMETER", `${name} must be an integer in [1, ${most}], got ${JSON.stringify(value)}`, `--${name}`);
}
