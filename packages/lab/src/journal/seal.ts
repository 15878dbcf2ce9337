import { createHash } from "node:crypto";

/** The hexadecimal digits of a checksum: 128 bits of SHA-256. */
const DIGITS = 32;
const OPENING = '{"sha256":"';
const MIDDLE = '","content":';
const CLOSING = "}";
const CONTENT_AT = OPENING.length + DIGITS + MIDDLE.length;

/**
 * A line of a journal, without its line end: JSON that carries a checksum over its content and the hash of its experiment. So neither a changed byte nor a
 * line of another experiment passes.
 */
export function seal(experiment: string, content: string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(`${OPENING}${checksum(experiment, bytes)}${MIDDLE}`), bytes, Buffer.from(CLOSING)]);
}

/** What was sealed in a line for this experiment, parsed; undefined if the line is not exactly what `seal` has made. */
export function unseal(experiment: string, line: Buffer): unknown {
  const content = line.subarray(CONTENT_AT, -CLOSING.length);
  if (line.length <= CONTENT_AT || !line.subarray(0, CONTENT_AT).equals(Buffer.from(`${OPENING}${checksum(experiment, content)}${MIDDLE}`))) return;
  if (line.at(-1) !== CLOSING.charCodeAt(0)) return;
  return JSON.parse(content.toString("utf8"));
}

function checksum(experiment: string, content: Buffer): string {
  return createHash("sha256").update(`${experiment}\n`).update(content).digest("hex").slice(0, DIGITS);
}
