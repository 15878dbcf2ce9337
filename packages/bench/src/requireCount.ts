import { Failure } from "@tsallis/cli/dist/text/failure.js";

/** Refuses what an option gives for a count. */
export function requireCount(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new Failure("ERR_PARAMETER", `${name} must be an integer in [1, ${most}], got ${JSON.stringify(value)}`, `--${name}`);
}
