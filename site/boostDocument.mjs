/** How much a page counts in the search: people look for guides first, and for API pages by their names. VitePress sends its text to browsers, so it uses nothing from outside. @param {string} id */
export function boostDocument(id) {
  if (id.includes("/api/")) return 0.2;
  return id.includes("/get-started") ? 3 : id.includes("/guides/") ? 1.5 : 1;
}
