import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { pareto, stream } from "tsallis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvaluatedLog, LogEvaluation, logAnswers } from "../src/evaluation/index.js";
import { renderEvaluation } from "../src/report/page/renderEvaluation.js";
import { launchChromium } from "./browser.js";

const folder = mkdtempSync(join(tmpdir(), "tsallis-evaluation-"));
const nasty = `</script><script>window.hostile=1</script><img src=x onerror="window.hostile=1">'"&`;

/** A log of some arms, of which the first is the best and the second has a hostile name. */
function logOf(count: number, segment: string | null): EvaluatedLog {
  const arms = Array.from({ length: count }, (_, arm) => (arm === 1 ? nasty : `a page with a long name, number ${arm}`));
  const evaluation = new LogEvaluation({ arms, cap: 20, floor: 0, holdout: 0, moving: false, error: 0.05, tolerance: 0, history: true });
  const [rng, distribution] = [stream(1, "page", count), pareto({ shape: 1.6, scale: 0.375 })];
  for (let i = 0; i < 3000; i++) evaluation.add({ arm: i % count, loss: i % 99 === 0 ? null : distribution.sample(rng) * (1 + (i % count)) });
  evaluation.remember();
  const answers = logAnswers(evaluation, { missing: "out", mix: null, tail: { index: 1.5 }, reward: false });
  const log = { open: 0, dropped: 0, late: 0, earlier: 0, doubled: 0, outOfOrder: 0, cut: false };
  return { name: nasty, segment, settledUpTo: null, ...answers, log, against: null, history: { arms, moments: evaluation.history } };
}

let browser: Browser;
const file = join(folder, "page.html");
beforeAll(async () => {
  writeFileSync(file, renderEvaluation([logOf(3, "new"), logOf(12, nasty)]));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

describe("the page of answers from a log", () => {
  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)("%s, %i pixels wide: nothing is wrong with it, nothing is loaded, and it does not scroll sideways", async (colorScheme, width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
    expect(await page.evaluate("window.hostile")).toBeUndefined();
    expect(await page.locator("figure").count()).toBe(6);
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
    const violations = await page.evaluate(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200)))",
    );
    expect(violations).toEqual([]);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([pathToFileURL(file).href]);
    await page.close();
  });
});
