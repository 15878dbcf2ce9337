import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { completeExperiment } from "../packages/lab/src/document/completeExperiment.js";
import { parseExperiment } from "../packages/lab/src/document/parseExperiment.js";
import { blocksOf } from "./docs/blocks.js";
import { anchorsOf, brokenLinks } from "./docs/links.js";
import { makeSpecs } from "./docs/specs.js";
import { ROOT, read, repositoryFiles } from "./repository.js";

// These checks only read the documents; docs.command.test.ts runs the programs.

/** The languages of blocks with nothing to run. */
const INERT = ["text", "jsonl", "csv", "bibtex", "mermaid"];

const documents = repositoryFiles().filter((path) => path.endsWith(".md"));
const blocks = documents.flatMap((path) => blocksOf(path, read(path)));

describe("the documents", () => {
  it.each(["README.md", "site/index.md"])("%s says of the suite what the guide says", (path) => {
    const [guide, page] = [read("docs/guides/choosing-a-policy.md"), read(path)];
    const rows = [...page.matchAll(/^\| `([\w-]+)`(?:, the default)? \| (.+) \| ([\d.]+ %) \|$/gm)];
    expect(rows).toHaveLength(4);
    for (const [, policy, requires, stuck] of rows) {
      const row = guide.split("\n").find((line) => line.startsWith(`| \`${policy}\` | ${requires} | `));
      expect(row?.split(" | ")[4]).toBe(stuck);
    }
    const [, world, ratio] = /in `([\w -]+)` its regret is ([\d.]+) times/.exec(page)!;
    expect(guide).toMatch(new RegExp(`^\\| \`matched-tinf\` \\| .* \\| ${ratio}, ${world} \\|$`, "m"));
    for (const [, policies, worlds] of page.matchAll(/plays (\d+) policies in (\d+) environments/g)) {
      expect(guide).toContain(`${worlds} environments`);
      expect(guide).toContain(`${policies} policies`);
    }
  });

  it.each(blocks.filter(({ language, notRun }) => language === "json" && notRun === undefined).map(({ at, text }) => [at, text]))(
    "%s is JSON, and its specs are accepted",
    (_, text) => {
      makeSpecs(JSON.parse(text!));
    },
  );

  it.each(blocks.filter(({ language, notRun }) => language === "yaml" && notRun === undefined).map(({ at, text }) => [at, text]))(
    "%s is an experiment",
    (_, text) => {
      completeExperiment(parseExperiment(text!).value);
    },
  );

  it("label every block", () => {
    const known = ["ts", "js", "sh", "json", "yaml", ...INERT];
    expect(
      blocks.filter(({ language, notRun }) => !known.includes(language) && notRun === undefined).map(({ at, language }) => `${at}: ${language}`),
    ).toEqual([]);
  });

  it.each(documents)("%s has no broken link", (path) => {
    const readTarget = (target: string) => {
      if (!existsSync(join(ROOT, target))) return undefined;
      return statSync(join(ROOT, target)).isDirectory() ? "" : read(target);
    };
    expect(brokenLinks(path, read(path), readTarget)).toEqual([]);
  });
});

describe("the check itself", () => {
  it("sees specs that the library refuses", () => {
    expect(makeSpecs({ policies: [{ policy: "htinf", alpha: 1.5, sigma: 1 }] })).toBe(1);
    expect(() => makeSpecs({ policies: [{ policy: "htinf", alpha: 3, sigma: 1 }] })).toThrow("alpha");
    expect(() => makeSpecs({ environment: "planted" })).toThrow("planted");
    expect(makeSpecs({ policy: "0123abcd", round: 1, arm: 0 })).toBe(0);
  });

  it("sees links that lead nowhere", () => {
    const files: Record<string, string> = { "docs/a.md": "# Some `code`, and more\n\n# Twice\n\n# Twice", "docs/b.svg": "" };
    const markdown =
      "[ok](a.md#some-code-and-more) [ok](a.md#twice-1) ![ok](b.svg) [ok](#here) [ok](https://example.org) `[code](x.md)`\n# Here\n[bad](c.md) [bad](a.md#thrice) [bad](#there)";
    expect(brokenLinks("docs/index.md", markdown, (path) => files[path])).toEqual(["c.md", "a.md#thrice", "#there"]);
    expect(anchorsOf("```sh\n# not a heading\n```")).toEqual([]);
  });
});
