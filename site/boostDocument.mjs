/** How much a page counts in the search: people look for guides first, for research last, and for API pages by their names. VitePress sends its text to browsers, so it uses nothing from outside. @param {string} id */
export function boostDocument(id) {
  if (id.includes("/api/")) return 0.2;
  if (id.includes("/get-started")) return 3;
  if (/\/(?:guides|glossary)\b/.test(id)) return 2;
  return /-proof|measured|published|\/(?:kernel|architecture|reference\/(?:theory|anatomy|bench))\b/.test(id) ? 0.6 : 1;
}
