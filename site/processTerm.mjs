/** A word of a search, or null for one that finds nothing by itself: "what is an arm" looks for "arm". VitePress sends its text to browsers, so it uses nothing from outside. @param {string} word */
export function processTerm(word) {
  const lower = word.toLowerCase();
  return /^(?:a|an|and|are|can|do|does|for|how|i|in|is|it|my|of|on|or|the|to|what|which|with)$/.test(lower) ? null : lower;
}
