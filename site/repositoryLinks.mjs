// The pages of docs/ link to each other and to files of the repository, so that they can be read there. On the site the former are pages, the latter are on GitHub.
import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { REPOSITORY } from "./addresses.mjs";

/**
 * A plugin for markdown-it that sends links to files that are not pages of the site to the repository.
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
      for (const token of tokens.flatMap(({ children }) => children ?? [])) {
        const href = token.type === "link_open" && token.attrGet("href");
        if (href && !/^(?:[a-z]+:|\/|#)/.test(href)) token.attrSet("href", onSite(posix.relative(root, from), href));
      }
    });
  };

  /** @param {string} from @param {string} href */
  function onSite(from, href) {
    const [file = "", anchor] = href.split("#");
    const target = posix.join(posix.dirname(from), decodeURI(file));
    const suffix = anchor === undefined ? "" : `#${anchor}`;
    const [here, page] = [pageOf(from), pageOf(target)];
    if (here === undefined) return href;
    if (page !== undefined) return `${posix.relative(posix.dirname(here), page) || page}${suffix}`;
    const path = join(root, target);
    const kind = existsSync(path) && statSync(path).isDirectory() ? "tree" : "blob";
    return `${REPOSITORY}/${kind}/main/${target}${suffix}`;
  }
}
