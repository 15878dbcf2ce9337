// The words of docs/glossary.md are explained where they stand: the first time that one occurs in the text of a page it links to its meaning, which is also its title.
import { termsOf } from "./termsOf.mjs";

/**
 * A plugin for markdown-it.
 *
 * @param {string} markdown the text of the glossary
 * @param {(path: string) => boolean} applies whether a page of this path has its words explained
 */
export function glossary(markdown, applies) {
  const terms = termsOf(markdown).map(([word, meaning]) => ({ word, meaning, pattern: new RegExp(`(?<![\\w-])${word}s?(?![\\w-])`, "i") }));

  /** @param {import("markdown-it").default} plugged */
  return (plugged) => {
    plugged.core.ruler.push("glossary", ({ tokens, env, Token }) => {
      if (!applies(env.realPath ?? env.path)) return;
      /** @type {Set<string>} */
      const seen = new Set();
      for (const [i, token] of tokens.entries()) {
        if (token.type !== "inline" || token.children === null || tokens[i - 1]?.type === "heading_open") continue;
        let inLink = 0;
        token.children = token.children.flatMap((child) => {
          inLink += child.type === "link_open" ? 1 : child.type === "link_close" ? -1 : 0;
          return child.type === "text" && inLink === 0 ? explained(child) : [child];
        });
      }

      /** @param {import("markdown-it").Token} text @returns {import("markdown-it").Token[]} */
      function explained(text) {
        for (const { word, meaning, pattern } of terms) {
          const found = seen.has(word) ? null : pattern.exec(text.content);
          if (found === null) continue;
          seen.add(word);
          const [before, after] = [part(text.content.slice(0, found.index)), part(text.content.slice(found.index + found[0].length))];
          const open = new Token("link_open", "a", 1);
          open.attrs = [
            ["href", `/glossary#${word.toLowerCase().replaceAll(" ", "-")}`],
            ["class", "term"],
            ["title", meaning],
          ];
          return [...explained(before), open, part(found[0]), new Token("link_close", "a", -1), ...explained(after)];
        }
        return [text];
      }

      /** @param {string} content */
      function part(content) {
        return Object.assign(new Token("text", "", 0), { content });
      }
    });
  };
}
