// The pages of docs/ link to each other and to files of the repository, so that they can be read there. On the site the former are pages, the latter are in the public repository or, as long as there is none, plain text.
import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { REPOSITORY } from "./addresses.mjs";

/**
 * A plugin for markdown-it for links to files that are not pages of the site: they lead to the repository, or become plain text without one.
 *
 * @param {string} root the folder of the repository
 * @param {(path: string) => string | undefined} pageOf the page that a file of the repository is on the site, if it is one
 */
export function repositoryLinks(root, pageOf) {
  /** @param {import("markdown-it").default} markdown */
  return (markdown) => {
    markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
      /** @type {string} */
      const from = env.realPath ?? env.path;
      for (const { children } of tokens) {
        const links = (children ?? []).filter(({ type }) => type === "link_open" || type === "link_close");
        for (const [i, token] of links.entries()) {
          const href = token.type === "link_open" && token.attrGet("href");
          if (!href || /^(?:[a-z]+:|\/|#)/.test(href)) continue;
          const target = onSite(posix.relative(root, from), href);
          if (target !== null) token.attrSet("href", target);
          // Links do not nest: the next one closes this one.
          else
            for (const end of [token, links[i + 1]]) Object.assign(/** @type {object} */ (end), { type: "text", tag: "", nesting: 0, content: "" });
        }
      }
    });
  };

  /** @param {string} from @param {string} href @returns {string | null} null: nowhere on the site, and there is no public repository */
  function onSite(from, href) {
    const [file = "", anchor] = href.split("#");
    const target = posix.join(posix.dirname(from), decodeURI(file));
    const suffix = anchor === undefined ? "" : `#${anchor}`;
    const [here, page] = [pageOf(from), pageOf(target)];
    if (here === undefined) return href;
    if (page !== undefined) return `${posix.relative(posix.dirname(here), page) || page}${suffix}`;
    if (REPOSITORY === null) return null;
    const path = join(root, target);
    const kind = existsSync(path) && statSync(path).isDirectory() ? "tree" : "blob";
    return `${REPOSITORY}/${kind}/main/${target}${suffix}`;
  }
}
