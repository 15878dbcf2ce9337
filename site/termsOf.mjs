/** The words and the first sentences of their meanings, longest word first, so that "tail index" is found before "index". @param {string} markdown @returns {[word: string, meaning: string][]} */
export function termsOf(markdown) {
  const terms = [...markdown.matchAll(/^## (.+)\n\n(.+?\.)(?= |$)/gm)].map(([, word = "", meaning = ""]) => [word, meaning.replaceAll("\\", "")]);
  return /** @type {[string, string][]} */ (terms.sort(([a = ""], [b = ""]) => b.length - a.length));
}
