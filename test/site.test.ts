import { describe, expect, it } from "vitest";
import { DISTRIBUTIONS, ENVIRONMENTS, POLICIES } from "../packages/core/src/index.js";
import { checkLinks } from "../scripts/siteLinks.mjs";
import { boostDocument } from "../site/boostDocument.mjs";
import { firstSentence, llms } from "../site/llms.mjs";
import { ENTRIES, SECTIONS } from "../site/sidebar.mjs";
import { termsOf } from "../site/termsOf.mjs";
import { read, repositoryFiles } from "./repository.js";

// What can be said of the site without building it; `npm run site` builds it and checks every link.

interface Manifest {
  name: string;
  private?: boolean;
  exports?: Record<string, string | { default: string }>;
}

const files = repositoryFiles();
const manifests = files
  .filter((path) => /^packages\/\w+\/package\.json$/.test(path))
  .map((path) => [path, JSON.parse(read(path)) as Manifest] as const);

describe("the site", () => {
  it("lists every page of docs/ once, and no other", () => {
    const listed = SECTIONS.flatMap(({ pages }) => pages.map(([, page]) => `docs/${page}.md`));
    const pages = files.filter((path) => /^docs\/.+\.md$/.test(path) && path !== "docs/README.md");
    expect(listed.sort()).toEqual(pages.sort());
  });

  it("has in its API reference every entry of every package that is published", () => {
    const entries = manifests.flatMap(([path, { name, private: hidden, exports = {} }]) => {
      const built = Object.entries(exports).flatMap(([entry, target]) => (typeof target === "string" ? [] : [[entry, target.default] as const]));
      return hidden
        ? []
        : built.map(([entry, file]) => ({
            name: name + entry.slice(1),
            source: path.replace("package.json", file.replace(/^\.\/dist\//, "src/").replace(/js$/, "ts")),
          }));
    });
    expect([...ENTRIES].sort()).toEqual(entries.map(({ name }) => name).sort());
    const { files: sources } = JSON.parse(read("site/tsconfig.api.json")) as { files: string[] };
    expect([...sources].sort()).toEqual(entries.map(({ source }) => `../${source}`).sort());
  });

  it("counts what the library has", () => {
    const counts = [POLICIES, DISTRIBUTIONS, ENVIRONMENTS].map((table) => Object.keys(table).length);
    expect(read("site/index.md")).toContain(`${counts[0]} policies, ${counts[1]} distributions, ${counts[2]} environments`);
  });
});

describe("the search", () => {
  it("puts guides before references, those before research, and API pages last", () => {
    const pages = ["/get-started#install", "/guides/fleet", "/reference/cli#run", "/reference/theory#a", "/api/tsallis/classes/HTINF"];
    const boosts = pages.map(boostDocument);
    expect(boosts).toEqual([...new Set(boosts)].sort((a, b) => b - a));
  });
});

describe("the glossary", () => {
  const terms = new Map(termsOf(read("docs/glossary.md")));

  it.each(["regret", "arm", "tail index", "sigma", "stuck"])("explains %s in a sentence", (word) => {
    expect(terms.get(word)).toMatch(/^[A-Z].{20,160}\.$/);
  });

  it("has a meaning for each of its words", () => {
    expect(terms.size).toBe(read("docs/glossary.md").match(/^## /gm)!.length);
  });
});

describe("llms.txt", () => {
  it("lists every page of the sidebar with its first sentence", () => {
    const text = llms("About.", "/", (page) => read(`docs/${page}.md`));
    const pages = SECTIONS.flatMap((section) => section.pages);
    expect(text.match(/^- \[.+?\]\(\/.+?\.md\): \S.+$/gm)).toHaveLength(pages.length);
    expect(text).toMatch(/^# tsallis\n\n> About\.\n\n## Guides\n\n- \[Get started\]/);
  });

  it("takes a sentence as it is read", () => {
    expect(firstSentence("# A\n\n**Bold** [link](x.md) and\nmore `0 .. 3`: rest. Next.")).toBe("Bold link and more `0 .. 3`: rest.");
    expect(firstSentence("# A page\n\n| a |\n| --- |")).toBe("# A page");
  });
});

describe("the check of links", () => {
  const pages: Record<string, string> = {
    "index.html": '<a href="guides/a">a</a> <a class="x" href="/site/guides/a#one">b</a> <img src="./b%20c.png" alt="">',
    "guides/a.html": '<h2 id="one">1</h2><a href="../#1">c</a><a href="#one">d</a><a href="../playground/#1.eyJ9">e</a><a href="mailto:x@y">f</a>',
    "playground/index.html": '<script src="x.js"></script><script>const a = \'<a href="nowhere">\';</script>',
    "playground/x.js": "",
    "b c.png": "",
  };
  const check = (extra: Record<string, string>) => {
    const all = { ...pages, ...extra };
    return checkLinks({
      files: Object.keys(all),
      read: (path) => all[path]!,
      address: "https://example.org/site",
      repository: "https://example.com/o/r",
      inRepository: (path) => path === "docs/a.md",
    });
  };

  it("counts pages and links, and finds those that lead nowhere", () => {
    expect(check({})).toEqual({ pages: 3, links: 7, dead: ["guides/a.html: ../#1"] });
  });

  it.each([
    ["a page that is not there", "/site/guides/b"],
    ["a page outside of the site", "/guides/a"],
    ["an anchor that is not there", "guides/a#two"],
    ["a folder without a page", "guides/"],
    ["a file that is not there", "c.png"],
    ["a state of the playground on another page", "guides/a#1.eyJ9"],
    ["an address that is none", "http://"],
    ["a file that the repository does not have", "https://example.com/o/r/blob/main/docs/b.md"],
  ])("finds %s", (_, link) => {
    expect(check({ "planted.html": `<p><a\n class="y" href="${link}">x</a>` }).dead).toContain(`planted.html: ${link}`);
  });

  it.each([
    ["other hosts", "https://example.com/nobody/asks"],
    ["files of the repository", "https://example.com/o/r/blob/main/docs/a.md#L7"],
    ["pages with their endings", "guides/a.html#one"],
    ["escaped addresses", "guides/a?x=1&amp;y=2#one"],
  ])("takes %s", (_, link) => {
    expect(check({ "planted.html": `<a href="${link}">x</a>` }).dead).toEqual(["guides/a.html: ../#1"]);
  });
});
