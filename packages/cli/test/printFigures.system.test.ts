import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { chromium } from "../../../scripts/parts.mjs";
import { experimentText } from "./experiments.js";

const BIN = new URL("../bin/tsallis.js", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "tsallis-pdf-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const tsallis = (...args: string[]) =>
  execFileSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: "utf8", env: { ...process.env, CHROMIUM: chromium() } });

it("each figure is printed as a PDF of one page of its size, outside of the results", () => {
  writeFileSync(join(folder, "small.yaml"), experimentText({ seeds: 2 }));
  tsallis("run", "small.yaml", "--only", "still/*", "--out", "out", "--quiet");
  tsallis("report", "out", "--pdf", "paper/figures");
  const figures = readdirSync(join(folder, "out/figures")).filter((file) => file.endsWith(".svg"));
  expect(readdirSync(join(folder, "paper/figures"))).toEqual(figures.map((file) => file.replace(/svg$/, "pdf")));
  for (const file of figures) {
    const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(readFileSync(join(folder, "out/figures", file), "utf8"))!.map(Number);
    const pdf = readFileSync(join(folder, "paper/figures", file.replace(/svg$/, "pdf")), "latin1");
    const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, x, y]) => [Number(x), Number(y)]);
    expect(boxes).toHaveLength(1);
    // A pixel is three quarters of a point; Chromium rounds to a pixel of the printer.
    expect(Math.abs(boxes[0]![0]! - 0.75 * width!)).toBeLessThan(1);
    expect(Math.abs(boxes[0]![1]! - 0.75 * height!)).toBeLessThan(1);
  }
  expect(readdirSync(join(folder, "out/figures")).filter((file) => file.endsWith(".pdf"))).toEqual([]);
});
