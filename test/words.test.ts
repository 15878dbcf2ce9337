import { expect, it } from "vitest";
import { read, repositoryFiles } from "./repository.js";

// What people stumbled over, and what to write instead: words.txt. Tests may quote it.

const phrases = read("test/words.txt")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t") as [pattern: string, instead: string]);

const texts = repositoryFiles()
  .filter((path) => /\.(?:tsx?|mjs|md|ya?ml|html)$/.test(path) && !/(?:^|\/)test\//.test(path))
  .map((path) => [path, read(path)] as const);

it.each(phrases)("nothing says /%s/: write %s", (pattern) => {
  const found = new RegExp(pattern, "i");
  const lines = texts.flatMap(([path, text]) =>
    text.split("\n").flatMap((line, i) => (found.test(line) ? [`${path}:${i + 1}: ${found.exec(line)![0]}`] : [])),
  );
  expect(lines).toEqual([]);
});

it("would see one", () => {
  expect(phrases.length).toBeGreaterThan(20);
  expect(phrases.every(([, instead]) => instead !== undefined)).toBe(true);
});
