import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ComparedCell } from "../src/analysis/compare.js";
import { renderComparison } from "../src/report/page/renderComparison.js";
import { renderFigures, renderReport } from "../src/report/page/renderReport.js";
import { launchChromium } from "./browser.js";
import { experimentOf, growing, reportOf, type Story } from "./reports.js";

// The report as readers have it: a file, opened in a browser.
const folder = mkdtempSync(join(tmpdir(), "tsallis-report-"));
const file = join(folder, "report.html");
const nasty = `</script><script>window.hostile=1</script><img src="http://127.0.0.1:9/x" onerror="window.hostile=1">'"&`;
const story: Story = (run, round, index) => {
  if (run.seed === 2 && run.policy === "uniform") return new Error(nasty);
  const { regret, skipped = 0 } = growing(run, round, index) as { regret: number; skipped: number };
  const anatomy = { expectedRegret: regret, skippingGap: regret / 3, A: regret, B: regret / 2, "bound.A": regret * 3 };
  return { regret, skipped, ...(run.policy !== "uniform" && { anatomy }) };
};
const { policies, environments } = experimentOf();
const experiment = experimentOf({
  claim: nasty,
  policies: { ...policies, [nasty]: { policy: "uniform" }, "a policy with quite a long name": { policy: "uniform" } },
  environments: { ...environments, swept: environments.heavy! },
  sweep: [{ path: "environments.swept.alpha", values: [1.3, 1.5] }],
});
const report = reportOf(experiment, story);

let browser: Browser;
const complaints: string[] = [];
const requests: string[] = [];

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return page;
}

/** What axe finds wrong with a page that was opened past its content security policy. */
async function violationsIn(page: Page): Promise<string[]> {
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`);
  });
}

beforeAll(async () => {
  writeFileSync(file, renderReport(report));
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

describe("report.html in Chromium", () => {
  it("switches policies off and on in all figures, with the mouse", async () => {
    const page = await open();
    const button = page.locator("button[data-policy='0']");
    const lines = page.locator("figure:visible svg .s0:not(.band)");
    const before = await lines.count();
    expect(before).toBeGreaterThan(10);
    expect(await lines.first().isVisible()).toBe(true);
    await button.click();
    expect(await button.getAttribute("aria-pressed")).toBe("false");
    await page.mouse.move(0, 0);
    expect(await page.locator("svg .s0").evaluateAll((marks) => marks.filter((mark) => mark.getClientRects().length > 0).length)).toBe(0);
    expect(await page.locator("figure:visible svg .s1:not(.band)").first().isVisible()).toBe(true);
    await button.click();
    expect(await button.getAttribute("aria-pressed")).toBe("true");
    expect(await lines.count()).toBe(before);
    await page.close();
  });

  it("switches with the keyboard alone, and shows where the focus is", async () => {
    const page = await open();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the findings");
    await page.locator("button[data-policy='1']").focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
    expect(outline).toBe("solid");
    await page.keyboard.press("Space");
    expect(await page.locator("button[data-policy='1']").getAttribute("aria-pressed")).toBe("false");
    await page.keyboard.press("Enter");
    expect(await page.locator("button[data-policy='1']").getAttribute("aria-pressed")).toBe("true");
    await page.locator("button[data-all='false']").press("Enter");
    expect(await page.locator("button[data-policy][aria-pressed='true']").count()).toBe(0);
    await page.locator("button[data-all='true']").press("Enter");
    expect(await page.locator("button[data-policy][aria-pressed='false']").count()).toBe(0);
    await page.close();
  });

  it("changes axes and bands", async () => {
    const page = await open();
    const shown = async () => [await page.locator("figure.log:visible").count(), await page.locator("figure.linear:visible").count()];
    const bands = async () =>
      [await page.locator(".band.runs:visible").count(), await page.locator(".band.interval:visible").count()].map((count) => count > 0);
    expect(await shown()).toEqual([2, 0]);
    expect(await bands()).toEqual([true, false]);
    await page.getByRole("button", { name: "linear", exact: true }).click();
    expect(await shown()).toEqual([0, 2]);
    await page.getByRole("button", { name: "95 % interval of the mean" }).click();
    expect(await bands()).toEqual([false, true]);
    await page.locator("button[data-set-band='none']").click();
    expect(await bands()).toEqual([false, false]);
    expect(await page.locator(".choices button[aria-pressed='true']").allTextContents()).toEqual(["linear", "none"]);
    await page.close();
  });

  it.each([320, 360, 768, 1280])("does not scroll sideways at %d px", async (width) => {
    const page = await open({ viewport: { width, height: 800 } });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    expect(needed).toBeLessThanOrEqual(there!);
    await page.close();
  });

  it("follows the dark", async () => {
    const page = await open({ colorScheme: "dark" });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const ink = await page.evaluate(() => getComputedStyle(document.querySelector("figure svg")!).fill);
    const line = await page.evaluate(() => getComputedStyle(document.querySelector("figure svg .s0:not(.band) path")!).stroke);
    expect([ground, ink, line]).toEqual(["rgb(20, 23, 28)", "rgb(233, 235, 240)", "rgb(99, 143, 245)"]);
    await page.close();
  });

  it("prints the chosen figures in light colours, no buttons and no document", async () => {
    const page = await open({ colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.locator("button:visible").count()).toBe(0);
    expect([
      await page.locator("section > .lead figure.log:visible").count(),
      await page.locator("section > .lead figure.linear:visible").count(),
    ]).toEqual([2, 0]);
    expect(await page.locator(".document:visible").count()).toBe(0);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    await page.close();
  });

  it("prints three environments and seven policies on at most eight pages", async () => {
    const { heavy } = experimentOf().environments;
    const many = experimentOf({
      environments: { stochastic: heavy!, constrained: heavy!, adversarial: heavy! },
      policies: Object.fromEntries(
        ["htinf", "opttinf", "adatinf", "ada2tinf", "tsallis-inf", "matched-tinf", "uniform"].map((name) => [name, { policy: "opttinf" }]),
      ),
      evidence: ["stochastic", "constrained", "adversarial"].flatMap((environment) =>
        ["htinf", "opttinf", "adatinf", "ada2tinf", "matched-tinf"].map((policy) => ({ environment, policy, beats: "uniform" })),
      ),
      seeds: [1, 2, 3],
      checkpoints: 40,
    });
    writeFileSync(join(folder, "many.html"), renderReport(reportOf(many)));
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, "many.html")).href);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)!.length).toBeLessThanOrEqual(8);
    await page.close();
  });

  it("names the value under the cursor, in every figure", async () => {
    const page = await open();
    const plots = await page.locator(".plot:visible").all();
    expect(plots.length).toBeGreaterThan(10);
    for (const plot of plots) {
      await plot.scrollIntoViewIfNeeded();
      const box = (await plot.boundingBox())!;
      await page.mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.5);
      expect(await plot.locator(".tip").textContent()).toMatch(/^.+: −?[\d<]/);
      await page.mouse.move(box.x + box.width * 0.4, box.y - 30);
      expect(await plot.locator(".tip").textContent()).toBe("");
    }
    await page.close();
  });

  it("reads the same value by keyboard as the table shows, and moves along lines and between them", async () => {
    const page = await open();
    const plot = page.locator("figure[data-name='heavy--regret-log'] .plot");
    const tip = plot.locator("output");
    await plot.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("End");
    const last = (await tip.textContent())!;
    const row = page
      .locator("section[aria-labelledby=heavy] tr", { hasText: last.split(",")[0]! })
      .filter({ hasText: "[" })
      .first();
    const shown = await row.locator("td b").first().textContent();
    expect(last).toContain(`, round 10,000: ${shown} [`);
    await page.keyboard.press("ArrowLeft");
    expect(await tip.textContent()).toMatch(/, round 8,000: /);
    const name = last.split(",")[0];
    await page.keyboard.press("ArrowDown");
    expect((await tip.textContent())!.split(",")[0]).not.toBe(name);
    await page.keyboard.press("ArrowUp");
    expect((await tip.textContent())!.split(",")[0]).toBe(name);
    // A policy that is switched off is not read.
    await page.keyboard.press("Escape");
    expect(await tip.textContent()).toBe("");
    await page.locator("button[data-all='false']").click();
    await page.locator("button[data-policy='1']").click();
    await plot.focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect((await tip.textContent())!.split(",")[0]).toBe("OptTINF");
    await page.close();
  });

  it("draws the curves of single seeds behind the mean on demand", async () => {
    const page = await open();
    expect(await page.locator(".seeds path").count()).toBe(0);
    await page.getByRole("button", { name: "single seeds" }).click();
    // Eight seeds of four policies, and seven of the one that failed once.
    expect(await page.locator("figure[data-name='heavy--regret-log'] .seeds path").count()).toBe(39);
    const [curve, mean] = await page
      .locator("figure[data-name='heavy--regret-log'] .plot svg")
      .evaluate((svg) =>
        [svg.querySelector(".seeds .s0")!, svg.querySelector(".s0:not(.band):not(path) path")!].map((path) => path.getBoundingClientRect().right),
      );
    expect(curve).toBeCloseTo(mean!, 0);
    await page.getByRole("button", { name: "95 % interval of the mean" }).click();
    expect(await page.locator(".seeds path:visible").count()).toBe(0);
    await page.close();
  });

  it.each(["light", "dark"] as const)("saves a figure as SVG and as PNG that look like the page, %s", async (colorScheme) => {
    const page = await open({ colorScheme });
    await page.locator("button[data-policy='1']").click();
    const figure = page.locator("figure[data-name='heavy--regret-log']");
    const saved = async (way: string) => {
      const [download] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: `Save as ${way}` }).click()]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const svg = await saved("SVG");
    expect(svg.name).toBe("heavy--regret-log.svg");
    const text = svg.bytes.toString();
    const paper = colorScheme === "light" ? "#ffffff" : "#14171c";
    expect(text).toMatch(new RegExp(`^<svg [^>]*xmlns="http://www.w3.org/2000/svg".*fill="${paper}"`));
    expect(text.match(/var\(|series s1["\s]|band interval/)?.[0]).toBe(undefined);
    expect(text).toContain("series s0 band runs");
    const png = await saved("PNG");
    expect(png.name).toBe("heavy--regret-log.png");
    expect([...png.bytes.subarray(1, 4)]).toEqual([...Buffer.from("PNG")]);
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([880, 616]);
    const corner = await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      const context = canvas.getContext("2d")!;
      context.drawImage(image, 0, 0);
      return [...context.getImageData(2, 2, 1, 1).data];
    }, png.bytes.toString("base64"));
    expect(corner).toEqual(colorScheme === "light" ? [255, 255, 255, 255] : [20, 23, 28, 255]);
    await page.close();
  });

  it("copies the command, the document and the references", async () => {
    const page = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy the references" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^@inproceedings\{/);
    await page.getByRole("button", { name: "Copy the command" }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("tsallis run made-up.json"));
    await page.close();
  });

  it("at 1280 px every table of an environment fits, and a table that does not fades at its right edge", async () => {
    const page = await open();
    const narrow = await open({ viewport: { width: 390, height: 800 } });
    const wide = (elements: Element[]) =>
      elements.filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.getAttribute("aria-label"));
    expect(await page.locator("section .box:visible").evaluateAll(wide)).toEqual([]);
    expect(await page.locator(".box.more").count()).toBe(0);
    const box = narrow.locator(".box", { hasText: "Ranking in heavy" }).first();
    await narrow.waitForFunction(() => document.querySelector(".box.more") !== null);
    expect(await box.evaluate((element) => getComputedStyle(element).maskImage)).toContain("linear-gradient");
    // The first column stays where it is.
    const left = () =>
      box
        .locator("tbody th")
        .first()
        .evaluate((cell) => Math.round(cell.getBoundingClientRect().left));
    const before = await left();
    await box.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    await narrow.waitForFunction(() => document.querySelector('.box[aria-label^="Ranking in heavy"]')!.classList.contains("more") === false);
    expect(await left()).toBe(before);
    await page.close();
    await narrow.close();
  });

  it("lays figures out for 390 px: the lines take the whole width, their names are a list, and letters keep their size", async () => {
    const page = await open({ viewport: { width: 390, height: 800 } });
    const found = await page.locator("figure[data-name='heavy--regret-log']").evaluate((figure) => {
      const plot = figure.querySelector(".plot")!.getBoundingClientRect();
      const line = figure.querySelector("svg .s0:not(.band) path")!.getBoundingClientRect();
      const scale = figure.querySelector("svg")!.getBoundingClientRect().width / 440;
      return { share: (line.right - plot.left) / plot.width, letters: 11 * scale, names: figure.querySelectorAll(".names li").length };
    });
    expect(found.share).toBeGreaterThan(0.93);
    expect(found.letters).toBeGreaterThanOrEqual(10);
    expect(found.names).toBe(5);
    expect(await page.locator("figure[data-name='heavy--regret-log'] .names").isVisible()).toBe(true);
    const least = await page
      .locator(".plot:visible")
      .evaluateAll((plots) =>
        Math.min(
          ...plots.flatMap((plot) =>
            [...plot.querySelectorAll("text")].map(
              (text) => Number.parseFloat(getComputedStyle(text).fontSize) * (plot.querySelector("svg")!.getBoundingClientRect().width / 440),
            ),
          ),
        ),
      );
    expect(least).toBeGreaterThanOrEqual(9.9);
    await page.close();
  });

  it("has one typeface, in words, formulas and figures; only what is to be typed is set like code", async () => {
    const page = await open();
    const faces = await page.evaluate(() => [
      ...new Set(
        [...document.querySelectorAll("body *:not(code):not(script):not(style)")]
          .filter((element) => !element.closest("code, annotation"))
          .map((element) => getComputedStyle(element).fontFamily.replaceAll('"', "'")),
      ),
    ]);
    expect(faces).toEqual(["Helvetica, Arial, 'Liberation Sans', sans-serif"]);
    await page.close();
  });

  it.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)("has nothing that axe complains about, %s at %d px", async (colorScheme, width) => {
    const page = await open({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    await page.locator("figure[data-name='heavy--regret-log'] .plot").focus();
    await page.keyboard.press("ArrowRight");
    const violations = await violationsIn(page);
    expect(violations).toEqual([]);
    await page.close();
  });

  it("shows everything without scripts", async () => {
    const page = await open({ javaScriptEnabled: false });
    expect(await page.locator("section > .lead figure.linear:visible").count()).toBe(2);
    expect(await page.locator(".controls:visible").count()).toBe(0);
    await page.close();
  });

  it("ran nothing that came from outside, asked for nothing, and complained about nothing", async () => {
    const page = await open();
    expect(await page.evaluate(() => "hostile" in window)).toBe(false);
    expect(await page.locator("img, iframe, object, link").count()).toBe(0);
    expect(new Set(requests)).toEqual(new Set([pathToFileURL(file).href]));
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("could not ask for anything if it wanted to", async () => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked++;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    const answer = await page.evaluate(async (url) => {
      const script = document.createElement("script");
      script.textContent = "window.hostile = 1";
      const image = document.createElement("img");
      const loaded = new Promise((resolve) => image.addEventListener("error", resolve));
      image.src = url;
      document.body.append(script, image);
      await loaded;
      return fetch(url, { mode: "no-cors" }).then(String, String);
    }, address);
    expect(answer).toContain("TypeError");
    expect(await page.evaluate(() => "hostile" in window)).toBe(false);
    expect(asked).toBe(0);
    await page.close();
    server.close();
  });
});

describe("a comparison in Chromium", () => {
  it.each([360, 1280])("reads its values, does not scroll sideways at %d px, and leaves axe content", async (width) => {
    const cell = (id: string, changed: boolean, estimate: number): ComparedCell => ({
      ...{ id, environment: "heavy", policy: id, sweep: null, seeds: [20, 20], means: [100, 100 + estimate], stuck: [0, null], paired: true },
      ...{ difference: { estimate, low: estimate - 5, high: estimate + 5 }, p: changed ? 0.001 : 0.8, changed },
      ...{ verdict: !changed ? "within noise" : estimate < 0 ? "better" : "worse", unequalSpreads: false },
    });
    const cells = [cell("heavy/HTINF", true, -40), cell(`heavy/${nasty}`, false, 2)];
    const results = { place: "results/before", name: "made-up", version: "1.2.3", hash: "0123456789abcdef" };
    const path = join(folder, "comparison.html");
    writeFileSync(path, renderComparison({ cells, onlyFirst: ["a/b"], onlySecond: [], incomparable: [], fewSeeds: null }, [results, results]));
    const page = await browser.newPage({ viewport: { width, height: 900 }, bypassCSP: true });
    await page.goto(pathToFileURL(path).href);
    await page.locator(".plot").focus();
    await page.keyboard.press("ArrowDown");
    expect(await page.locator(".tip").textContent()).toBe("heavy/HTINF: −40.0 [−45.0, −35.0]; better");
    const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
    expect(needed).toBeLessThanOrEqual(there!);
    expect(await page.evaluate(() => "hostile" in window)).toBe(false);
    expect(await violationsIn(page)).toEqual([]);
    await page.close();
  });
});

describe("figures in Chromium", () => {
  it("are valid XML, and draw inside their frame", async () => {
    const page = await browser.newPage();
    const figures = [...renderFigures(report)];
    expect(figures.length).toBeGreaterThan(20);
    const wrong = await page.evaluate(
      (files) =>
        files.flatMap(([name, text]) => {
          const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
          const error = parsed.querySelector("parsererror");
          if (error !== null) return [`${name}: ${error.textContent}`];
          document.body.innerHTML = "";
          const svg = document.body.appendChild(document.importNode(parsed.documentElement, true)) as unknown as SVGSVGElement;
          const frame = svg.getBoundingClientRect();
          return [...svg.querySelectorAll("text, path, line, rect")].flatMap((mark) => {
            const box = mark.getBoundingClientRect();
            const out = Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom);
            return out > 2 ? [`${name}: ${mark.outerHTML.slice(0, 200)} is ${out} px outside`] : [];
          });
        }),
      figures,
    );
    expect(wrong).toEqual([]);
    await page.close();
  });
});
