// The links of a built site: where each leads, and which lead nowhere. Other hosts are not asked.
import { posix } from "node:path";

/** An address of the playground carries a state, not an anchor. */
const STATE = /^1\.[\w-]+$/;

/**
 * @typedef {object} Site
 * @property {readonly string[]} files every file of the site, as a path from its folder
 * @property {(path: string) => string} read the text of a file
 * @property {string} address where it is published, without a slash at the end
 * @property {string | null} repository where the repository is, without a slash at the end; null if it is not public
 * @property {(path: string) => boolean} inRepository whether the repository has such a file or folder
 */

/** "page: link" for every link that leads nowhere, and the number of all links. @param {Site} site */
export function checkLinks({ files, read, address, repository, inRepository }) {
  const present = new Set(files);
  /** @type {Map<string, Set<string>>} */
  const anchors = new Map();
  const pages = files.filter((path) => path.endsWith(".html"));
  /** @type {Set<string>} */
  const dead = new Set();
  let links = 0;

  for (const page of pages) {
    for (const link of linksOf(read(page))) {
      links += 1;
      if (!leadsSomewhere(page, link)) dead.add(`${page}: ${link}`);
    }
  }
  return { pages: pages.length, links, dead: [...dead] };

  /** @param {string} page @param {string} link */
  function leadsSomewhere(page, link) {
    if (!URL.canParse(link, `${address}/${page}`)) return false;
    const url = new URL(link, `${address}/${page}`);
    const at = url.origin + url.pathname;
    const path = repositoryPath(at);
    if (path !== null) return inRepository(path);
    if (url.origin !== new URL(address).origin) return true;
    if (!at.startsWith(`${address}/`)) return false;
    const file = fileOf(decodeURIComponent(at.slice(address.length + 1)));
    if (file === undefined) return false;
    const anchor = decodeURIComponent(url.hash.slice(1));
    if (anchor === "" || !file.endsWith(".html") || (file.startsWith("playground/") && STATE.test(anchor))) return true;
    if (!anchors.has(file)) anchors.set(file, anchorsOf(read(file)));
    return anchors.get(file)?.has(anchor) === true;
  }

  /** The path of a file of the repository that an address shows; null if it shows none. @param {string} at */
  function repositoryPath(at) {
    if (repository === null) return null;
    const found = ["blob", "tree"].map((kind) => `${repository}/${kind}/main/`).find((start) => at.startsWith(start));
    return found === undefined ? null : decodeURIComponent(at.slice(found.length)).replace(/\/$/, "");
  }

  /** The file that a static host answers with. @param {string} path */
  function fileOf(path) {
    const candidates = path === "" || path.endsWith("/") ? [posix.join(path, "index.html")] : [path, `${path}.html`];
    return candidates.find((candidate) => present.has(candidate));
  }
}

/** What the elements of a page point to. @param {string} html */
function linksOf(html) {
  const elements = html.replace(
    /<script\b[^>]*>[\s\S]*?<\/script>|<style\b[\s\S]*?<\/style>|<!--[\s\S]*?-->/g,
    (text) => /^<script\b[^>]*>/.exec(text)?.[0] ?? "",
  );
  return [...elements.matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g)]
    .map(([, link = ""]) => unescaped(link))
    .filter((link) => !/^(?:data|mailto|javascript):/.test(link));
}

/** @param {string} html */
function anchorsOf(html) {
  return new Set([...html.matchAll(/\s(?:id|name)="([^"]+)"/g)].map(([, id = ""]) => unescaped(id)));
}

/** @param {string} text */
function unescaped(text) {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
