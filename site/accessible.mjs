/** A plugin for markdown-it: an empty cell in the head of a table is no header, and a wide block by indentation can be scrolled with the keyboard. @param {import("markdown-it").default} markdown */
export function accessible(markdown) {
  markdown.core.ruler.push("accessible", ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      if (token.type === "code_block") token.attrSet("tabindex", "0");
      if (token.type !== "th_open" || tokens[i + 1]?.content !== "") continue;
      for (const end of [token, tokens[i + 2]]) if (end !== undefined) end.tag = "td";
    }
  });
}
