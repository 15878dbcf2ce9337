// Searches the built site as its search box does.
import { readdirSync } from "node:fs";
import MiniSearch from "minisearch";
import { boostDocument } from "./boostDocument.mjs";
import { processTerm } from "./processTerm.mjs";

const CHUNKS = new URL("dist/assets/chunks/", import.meta.url);

/** The addresses of what is found for some words, best first. @param {string} words @returns {Promise<string[]>} */
export async function search(words) {
  const name = readdirSync(CHUNKS).find((file) => file.startsWith("@localSearchIndexroot"));
  if (name === undefined) throw new Error("the site has no search index");
  const { default: index } = await import(new URL(name, CHUNKS).href);
  // The fields and weights of VitePress's search box.
  const options = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  const how = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, boostDocument, processTerm };
  return MiniSearch.loadJSON(index, options)
    .search(words, how)
    .map(({ id }) => id);
}
