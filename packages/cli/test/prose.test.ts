import { afterEach, describe, expect, it, vi } from "vitest";
import { helpText, wrappedMessage, wrappedProse } from "../src/text/prose.js";
import { tsallis } from "./inProcess.js";

const longest = (text: string) => Math.max(...text.split("\n").map(({ length }) => length));
const PROSE = "A sentence that is much longer than the terminal is wide, and has to be broken somewhere.";

describe("prose", () => {
  it.each([20, 40, 80])("is broken between words on a terminal of %i columns, and stays as it is in a pipe", (columns) => {
    const wrapped = wrappedProse(PROSE, columns);
    expect(longest(wrapped)).toBeLessThanOrEqual(columns);
    expect(wrapped.replaceAll("\n", " ")).toBe(PROSE);
    expect(wrappedProse(PROSE, undefined)).toBe(PROSE);
  });

  it("leaves tables and commands alone, and indents what follows a dash", () => {
    const table = `┌─────────────────────────────┐\n│ ${PROSE} │`;
    const command = `  $ tsallis run ${PROSE}`;
    expect(wrappedProse(`${table}\n${command}`, 20)).toBe(`${table}\n${command}`);
    expect(wrappedProse("- one two three four five", 16)).toBe("- one two three\n  four five");
  });

  it("keeps a word whole that is longer than the terminal is wide", () => {
    expect(wrappedProse("see https://example.com/a/long/path now", 12)).toBe("see\nhttps://example.com/a/long/path\nnow");
  });
});

describe("a message", () => {
  it("fits, with a command at its end in one piece, on a line of its own", () => {
    const message = "tsallis: stopped; continue with: npx tsallis run mine.yaml --seeds 40 --out results/mine";
    expect(wrappedMessage(message, 40)).toBe("tsallis: stopped; continue with:\n  npx tsallis run mine.yaml --seeds 40 --out results/mine");
    expect(wrappedMessage(message, 120)).toBe(message);
    expect(wrappedMessage(message, undefined)).toBe(message);
    expect(longest(wrappedMessage(`tsallis: ERR_X: ${PROSE}`, 30))).toBeLessThanOrEqual(32);
  });
});

describe("help", () => {
  afterEach(() => vi.restoreAllMocks());

  it("joins the lines of a paragraph, and keeps paragraphs and examples", () => {
    expect(helpText("\nOne line\nand another.\n\nExamples:\n  $ tsallis run\n  $ tsallis list\n")).toBe(
      "\nOne line and another.\n\nExamples:\n  $ tsallis run\n  $ tsallis list\n",
    );
  });

  it.each(["run", "worker", "fleet", "advise", "replay", "evaluate", "serve", "keys", "audit", "prune", "verify", "compare", "schema"])(
    "of %s fits 80 columns, but for its examples",
    async (command) => {
      const { stdout } = await tsallis([command, "--help"]);
      expect(longest(stdout.split("\nExamples:")[0]!)).toBeLessThanOrEqual(80);
    },
  );
});
