/**
 * Text from outside, safe for a terminal: line breaks, control characters, which a terminal would obey, and marks that turn the direction of the text
 * around are replaced.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ");
}
