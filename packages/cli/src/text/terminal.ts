import { isAbsolute, relative } from "node:path";
import { styleText } from "node:util";

/**
 * Text from outside, safe for a terminal: line breaks, control characters, which a terminal would obey, and marks that turn the direction of the text
 * around are replaced.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ");
}

/** A value as one line of JSON, safe for a terminal too: JSON itself escapes only some of the characters that a terminal obeys. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, escaped)}\n`;
}

/** Text that stands out on a terminal; plain anywhere else, and wherever NO_COLOR is set (no-color.org). */
export function emphasised(text: string): string {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(["bold", "green"], text) : text;
}

/** A word as a shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path as people read it: relative if it is inside the current folder, else in full. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" ? "." : short.startsWith("..") || isAbsolute(short) ? path : short;
}
