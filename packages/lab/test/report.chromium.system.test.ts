import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

  it("prints all figures in light colours and no buttons", async () => {
    const page = await open({ colorScheme: "dark" });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.locator("button:visible").count()).toBe(0);
    expect([
      await page.locator("section > .lead figure.log:visible").count(),
      await page.locator("section > .lead figure.linear:visible").count(),
    ]).toEqual([2, 2]);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(255, 255, 255)");
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
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
