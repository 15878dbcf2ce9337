import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlank, LONGEST_LINE, lineBatches } from "../src/input/inputLines.js";

async function collect(chunks: Uint8Array[]): Promise<string[]> {
  async function* source() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const batch of lineBatches(source())) lines.push(...batch);
  return lines;
}

describe("lineBatches", () => {
  it("property: where the chunks are cut does not matter, not even inside a character", async () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "漢", "😀", " ", "\r"), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(100), { maxLength: 6 }), async (lines, cuts) => {
        const bytes = new TextEncoder().encode(lines.join("\n"));
        const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
        expect(await collect(chunks)).toEqual(lines.at(-1) === "" ? lines.slice(0, -1) : lines);
      }),
    );
  });

  it("stops at a line that is too long, so that memory stays bounded", async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        yield new Uint8Array(1 << 16).fill(120);
      }
    }
    const batches = [];
    for await (const batch of lineBatches(endless())) batches.push(batch);
    const last = batches.at(-1)!.at(-1)!;
    expect(last.length).toBeGreaterThan(LONGEST_LINE);
    expect(read).toBe((LONGEST_LINE >> 16) + 1);
  });
});

describe("isBlank", () => {
  it("is false for a line that is too long, since nothing after it is read", () => {
    expect(["", " \t\r", " x", " ".repeat(LONGEST_LINE), " ".repeat(LONGEST_LINE + 1)].map(isBlank)).toEqual([true, true, false, true, false]);
  });
});
