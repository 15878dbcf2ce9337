// What axe finds wrong with pages of the built site, light and dark.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { chromium as playwright } from "playwright-core";
import { chromium } from "./parts.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

/** Serves a folder as a static host does, on a free port of this machine. @param {string} folder @param {string} base @returns {Promise<{ address: string, close: () => void }>} */
export function serveSite(folder, base) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname).slice(base.length);
    for (const file of [path, `${path}.html`, `${path}index.html`, `${path}/index.html`]) {
      try {
        const body = readFileSync(folder + file);
        response.writeHead(200, { "content-type": `${TYPES[extname(file)] ?? "text/plain"}; charset=utf-8` }).end(body);
        return;
      } catch {
        // Not this one: the next.
      }
    }
    response.writeHead(404).end();
  });
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      done({ address: `http://127.0.0.1:${port}${base}`, close: () => server.close() });
    });
  });
}

/** "page, scheme: rule: elements" for everything that is wrong; undefined without a browser. @param {string} folder @param {string} base @param {readonly string[]} pages @returns {Promise<string[] | undefined>} */
export async function siteViolations(folder, base, pages) {
  const executablePath = chromium();
  if (executablePath === undefined) return undefined;
  const { address, close } = await serveSite(folder, base);
  const browser = await playwright.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const found = [];
  try {
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      const page = await browser.newPage({ colorScheme, reducedMotion: "reduce" });
      for (const path of pages) {
        await page.goto(address + path, { waitUntil: "load" });
        await page.evaluate(AXE);
        /** @type {{ id: string, nodes: { html: string }[] }[]} */
        const wrong = await page.evaluate("axe.run().then(({ violations }) => violations)");
        for (const { id, nodes } of wrong) found.push(`${path}, ${colorScheme}: ${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      }
      await page.close();
    }
  } finally {
    await browser.close();
    close();
  }
  return found;
}
