import { hash } from "node:crypto";

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
  return Buffer.from(`${OPENING}${checksum(experiment, content)}${MIDDLE}${content}${CLOSING}`);
}

/** What was sealed in a line for this experiment, parsed; undefined if the text of the line is not exactly what `seal` has made. */
export function unseal(experiment: string, line: Buffer): unknown {
  const content = line.toString("utf8", CONTENT_AT, line.length - CLOSING.length);
  if (line.toString("latin1", 0, CONTENT_AT) !== `${OPENING}${checksum(experiment, content)}${MIDDLE}`) return;
  if (line.at(-1) !== CLOSING.charCodeAt(0)) return;
  return JSON.parse(content);
}

function checksum(experiment: string, content: string): string {
  return hash("sha256", `${experiment}\n${content}`).slice(0, DIGITS);
}
