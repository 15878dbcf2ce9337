/** Keeps a number and its percent sign on one line. */
export function unbroken(sentence: string): string {
  return sentence.replace(/(\d) %/g, "$1\u00a0%");
}
