/** Keeps a number with its percent sign, or with its power of ten, on one line. */
export function unbroken(sentence: string): string {
  return sentence.replace(/(\d) %/g, "$1\u00a0%").replaceAll(" × ", "\u00a0×\u00a0");
}
