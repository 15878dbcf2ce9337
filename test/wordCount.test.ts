import { expect, it } from "vitest";
import { read, repositoryFiles } from "./repository.js";

// People finish short documents. What is counted is what `wc -w` counts, blocks and tables included.

const PAGES = /^(?:README\.md|CONTRIBUTING\.md|docs\/.+\.md|site\/[^/]+\.md|packages\/\w+\/README\.md)$/;
const MOST_IN_ALL = 60_000;
const MOST_IN_A_GUIDE = 2_000;
const LONGEST_LINE = 300;

const pages = repositoryFiles()
  .filter((path) => PAGES.test(path))
  .map((path) => ({ path, text: read(path), words: read(path).split(/\s+/).filter(Boolean).length }));

it(`the documents have at most ${MOST_IN_ALL} words`, () => {
  const longest = [...pages].sort((a, b) => b.words - a.words).slice(0, 8);
  const sum = pages.reduce((total, { words }) => total + words, 0);
  expect(sum, `the longest: ${longest.map(({ path, words }) => `${path} ${words}`).join(", ")}`).toBeLessThanOrEqual(MOST_IN_ALL);
});

it.each(pages.filter(({ path }) => path.startsWith("docs/guides/")))(`$path has at most ${MOST_IN_A_GUIDE} words`, ({ words }) => {
  expect(words).toBeLessThanOrEqual(MOST_IN_A_GUIDE);
});

it.each(pages)(`$path has no line of ${LONGEST_LINE} characters or more, but for rows of tables and what programs print`, ({ path, text }) => {
  const prose = text.replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ""));
  const long = prose.split("\n").flatMap((line, i) => (line.length < LONGEST_LINE || line.trimStart().startsWith("|") ? [] : [`${path}:${i + 1}`]));
  expect(long).toEqual([]);
});

it("counts what there is", () => {
  expect(pages.length).toBeGreaterThan(40);
  for (const path of ["README.md", "CONTRIBUTING.md", "docs/get-started.md", "site/index.md", "packages/core/README.md"]) {
    expect(pages.map((page) => page.path)).toContain(path);
  }
});
