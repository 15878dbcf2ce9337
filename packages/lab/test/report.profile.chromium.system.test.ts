import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderFigures, renderReport } from "../src/report/page/renderReport.js";
import { launchChromium } from "./browser.js";
import { experimentOf, reportOf } from "./reports.js";

// A report on many environments and policies, opened in a browser.
const folder = mkdtempSync(join(tmpdir(), "tsallis-profile-"));
const file = join(folder, "report.html");
const { heavy, "left tail": leftTail } = experimentOf().environments;
const environments = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`a world of its own ${index}`, index < 29 ? heavy! : leftTail!]));
const policies = Object.fromEntries(Array.from({ length: 29 }, (_, index) => [`policy with a name ${index}`, { policy: "opttinf" }]));
const report = reportOf(experimentOf({ environments, policies, seeds: [1, 2] }), ({ policy, environment }, round) => ({
  regret: round ** (0.3 + ((policy.length * 7 + Number(policy.slice(19)) * 5 + Number(environment.slice(19)) * 3) % 11) / 20),
}));

let browser: Browser;
beforeAll(async () => {
  writeFileSync(file, renderReport(report));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

describe("many environments in Chromium", () => {
  it.each([320, 1280])("the page does not scroll sideways at %d px, the matrix does", async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    await page.goto(pathToFileURL(file).href);
    const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    expect(needed).toBeLessThanOrEqual(there!);
    const [inside, box] = await page.locator(".matrix .box").evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(inside).toBeGreaterThan(box!);
    // So large a report holds no curves of single seeds.
    expect(await page.getByRole("button", { name: "single seeds" }).count()).toBe(0);
    await page.close();
  });

  it("a link to an environment unfolds it", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
    await page.goto(pathToFileURL(file).href);
    const folded = page.locator("#a-world-of-its-own-3");
    expect(await folded.evaluate((element) => (element as HTMLDetailsElement).open)).toBe(false);
    await page.locator(".matrix thead a").nth(3).press("Enter");
    await page.waitForFunction(() => document.querySelector<HTMLDetailsElement>("#a-world-of-its-own-3")!.open);
    expect(await folded.locator("figure").isVisible()).toBe(true);
    await page.close();
  });

  it("the switches work on the profile, and pointing at one brings its line to the front", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(pathToFileURL(file).href);
    const quiet = page.locator('.single svg [stroke-opacity="0.25"]').first();
    const index = (await quiet.getAttribute("class"))!.match(/s(\d+)/)![1];
    const opacity = () => quiet.evaluate((element) => getComputedStyle(element).strokeOpacity);
    expect(await opacity()).toBe("0.25");
    await page.locator(`button[data-policy="${index}"]`).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    expect(await opacity()).toBe("1");
    await page.keyboard.press("Space");
    expect(await quiet.evaluate((element) => element.getClientRects().length)).toBe(0);
    await page.close();
  });

  it("the figure draws inside its frame", async () => {
    const page = await browser.newPage();
    await page.setContent(renderFigures(report).get("profile.svg")!);
    const farthest = await page.evaluate(() => {
      const frame = document.querySelector("svg")!.getBoundingClientRect();
      return Math.max(
        ...[...document.querySelectorAll("svg text, svg path, svg line")].map((mark) => {
          const box = mark.getBoundingClientRect();
          return Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom);
        }),
      );
    });
    expect(farthest).toBeLessThanOrEqual(2);
    await page.close();
  });
});
