import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { accessible } from "../accessible.mjs";
import { BASE, REPOSITORY } from "../addresses.mjs";
import { boostDocument } from "../boostDocument.mjs";
import { glossary } from "../glossary.mjs";
import { processTerm } from "../processTerm.mjs";
import { repositoryLinks } from "../repositoryLinks.mjs";
import { ENTRIES, SECTIONS } from "../sidebar.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
const GLOSSARY = `${ROOT}/docs/glossary.md`;
const documentation = [
  { text: "Documentation", link: "/documentation" },
  ...SECTIONS.map(({ text, pages }) => ({ text, items: pages.map(([name, page]) => ({ text: name, link: `/${page}` })) })),
];

export default defineConfig({
  title: "tsallis",
  description: "Heavy-tailed multi-armed bandits, best of both worlds: library, lab, router and decision service.",
  lang: "en",
  base: BASE,
  // The pages are those of docs/ as they stand, a few of the site's own, and the API reference.
  srcDir: "..",
  srcExclude: ["*.md", "packages/**", "examples/**", "test/**", "results/**", "scripts/**", "site/node_modules/**"],
  rewrites: pageOf,
  outDir: "dist",
  cacheDir: "node_modules/.cache/vitepress",
  cleanUrls: true,
  // scripts/site.mjs checks every link of what was built, those to the playground and to the report too.
  ignoreDeadLinks: true,
  head: [["link", { rel: "icon", href: `${BASE}playground/icon.svg` }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: slug },
    // The anchors of GitHub, which the documents use.
    headers: { slugify: slug },
    config: (markdown) => {
      markdown.use(repositoryLinks(ROOT, (path) => (/^(?:docs|site)\/.+\.md$/.test(path) ? pageOf(path) : undefined)));
      markdown.use(accessible);
      markdown.use(glossary(readFileSync(GLOSSARY, "utf8"), (path) => path.startsWith(`${ROOT}/docs/`) && path !== GLOSSARY));
    },
  },
  vite: {
    // The search index is one chunk of 1.5 MB, which is loaded when somebody searches.
    build: { chunkSizeWarningLimit: 4000 },
    plugins: [
      {
        // The pages are outside of this folder and do not find what is installed in it.
        name: "vue-from-here",
        enforce: "pre",
        resolveId(id, from, options) {
          if (!/^vue(?:\/|$)/.test(id)) return null;
          if (options?.ssr) return { id, external: true };
          return from?.startsWith(`${ROOT}/docs/`) ? this.resolve(id, `${ROOT}/site/index.md`, { skipSelf: true }) : null;
        },
      },
    ],
  },
  // scripts/site.mjs puts the Markdown of each page next to it.
  transformHead: ({ page }) => (page === "404.md" ? [] : [["link", { rel: "alternate", type: "text/markdown", href: BASE + page }]]),
  themeConfig: {
    logo: "/playground/icon.svg",
    nav: [
      {
        text: "Documentation",
        link: "/documentation",
        activeMatch: "/(documentation|get-started|glossary|guides|reference|kernel|architecture|.*measured|published-figures)",
      },
      { text: "Playground", link: "/playground/", target: "_self" },
      { text: "Results", link: "/results" },
      { text: "API", link: "/api/", activeMatch: "/api/" },
    ],
    sidebar: {
      "/api/": [{ text: "API", link: "/api/" }, ...ENTRIES.map((name) => ({ text: name, link: `/api/${name}/` }))],
      "/": documentation,
    },
    outline: [2, 3],
    search: {
      provider: "local",
      options: { miniSearch: { searchOptions: { boostDocument, processTerm } } },
    },
    ...(REPOSITORY === null ? {} : { socialLinks: [{ icon: "github", link: REPOSITORY }] }),
    footer: { message: "MIT licence. Set in the fonts of your machine; nothing on these pages comes from elsewhere." },
  },
});

/** The page of the site that a file of the repository is. @param {string} path */
function pageOf(path) {
  if (path === "docs/README.md") return "documentation.md";
  return path.replace(/^(?:docs|site)\//, "");
}

/** The anchor that GitHub gives to a heading. @param {string} heading */
function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
