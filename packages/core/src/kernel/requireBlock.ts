import { show, TsallisError } from "../errors.js";
import { requireRecord } from "../parameters.js";

/** A snapshot's kernel block, empty if there is none, or ERR_SNAPSHOT. A block of the other kernel is valid: the caller ignores it. */
export function requireBlock(block: unknown): Readonly<Record<string, unknown>> {
  if (block === undefined) return {};
  const given = requireRecord(block, "kernel");
  if (given.name === "dense" || given.name === "indexed") return given;
  throw new TsallisError("ERR_SNAPSHOT", "kernel.name", given.name, `kernel.name must be "dense" or "indexed", got ${show(given.name)}`);
}
