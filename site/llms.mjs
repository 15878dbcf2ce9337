import { SECTIONS } from "./sidebar.mjs";

/**
 * The text of llms.txt, the list of all pages for language models: what this is, and each page of docs/ as Markdown, with its first sentence.
 *
 * @param {string} about what the project is, in a sentence
 * @param {string} base the address of the site, with a slash at the end
 * @param {(page: string) => string} read the Markdown of a page
 */
export function llms(about, base, read) {
  const lists = SECTIONS.map(({ text, pages }) => {
    const lines = pages.map(([name, page = ""]) => `- [${name}](${base}${page}.md): ${firstSentence(read(page))}`);
    return `## ${text}\n\n${lines.join("\n")}\n`;
  });
  return `# tsallis\n\n> ${about}\n\n${lists.join("\n")}`;
}

/** The first sentence of a page below its title, without links and marks; of a page without text, its title. @param {string} markdown */
export function firstSentence(markdown) {
  const [title = "", ...parts] = markdown.split("\n\n").map((part) => part.trim());
  const text = parts.find((part) => /^[\p{L}`[*]/u.test(part)) ?? title;
  const plain = text.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1").replace(/[*\n]+/g, (found) => (found.includes("\n") ? " " : ""));
  return /^.+?[.?](?=\s+[\p{Lu}`"]|$)/u.exec(plain)?.[0] ?? plain;
}
