import type { BanditView, Timeline } from "@tsallis/service/client";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "../../lab/test/browser.js";
import { INCIDENT_DOCUMENT, Incident } from "./incident.js";
import { violations } from "./violations.js";

/** Where pictures go, if somebody wants to look at them. */
const PICTURES = process.env.TSALLIS_PICTURES;

let incident: Incident;
let browser: Browser;
let began: number;

beforeAll(async () => {
  browser = await launchChromium();
  // Eight quiet minutes, then cedar is eight times slower for 32; the service is started again in the middle of that.
  incident = new Incident(41);
  await incident.start();
  await incident.ask("PUT", "", INCIDENT_DOCUMENT);
  await incident.play(8 * 60);
  began = incident.now;
  await incident.play(60, 8);
  await incident.start();
  await incident.play(60, 8);
  await incident.play(30 * 60, 8, 20);
  // The present, so that the page's clock and the service's agree.
  incident.now = Date.now();
  await incident.play(2, 8);
  while ((await incident.ask<Timeline>("GET", "/timeline")).behind > 0);
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await incident?.close();
});

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

it("an incident is seen, understood and acted on half an hour later, by the keyboard", async () => {
  expect((await incident.ask<BanditView>("GET", "")).alarms.map(({ code }) => code)).toContain("BECAME_WORSE");
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));

  // Seen: the list has it first, and not in green.
  await page.goto(incident.url);
  await page.waitForSelector("table");
  expect(await page.locator("tbody tr").first().innerText()).toMatch(/^payments\s+running, with alarms\s+BECAME_WORSE/);
  expect(await page.locator("tbody .mark.good").count()).toBe(0);
  await picture(page, "list");
  await page.getByRole("link", { name: "payments" }).press("Enter");

  // Understood: what, when, how much, and what the traffic did; now next to before.
  await page.locator(".changes li").first().waitFor();
  const sentence = /cedar: median 0\.\d+ s to \d(\.\d)? s; traffic left it within \d+ s/;
  expect(await page.locator(".changes").innerText()).toMatch(sentence);
  expect(await page.locator(".alarms").innerText()).toMatch(sentence);
  const moment = Date.parse((await page.locator(".changes time").last().getAttribute("datetime"))!);
  // In this world one loss in two seconds is compared, and the beginning is known to about fifteen.
  expect(Math.abs(moment - began)).toBeLessThan(40_000);
  const figures = await page.locator("#costs ~ .scroller tbody tr", { hasText: "cedar" }).locator("td").allInnerTexts();
  const [median, before] = [figures[1]!, figures[2]!].map((text) => Number.parseFloat(text));
  expect(median! / before!).toBeGreaterThan(4);
  const others = await page.locator("#costs ~ .scroller tbody tr", { hasNotText: "cedar" }).locator("td:nth-child(3)").allInnerTexts();
  for (const other of others) expect(Number.parseFloat(other)).toBeLessThan(median!);
  await page.locator(".changes a").last().press("Enter");
  await page.waitForURL(/period=15m&to=/);
  await page.locator("#traffic ~ .chart canvas").waitFor();
  await page.locator("#losses ~ .chart canvas").waitFor();
  await page.locator("#decisions ~ .scroller a").first().press("Enter");
  await page.locator(".probabilities li").nth(3).waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect([colorScheme, width, await violations(page)]).toEqual([colorScheme, width, []]);
      await picture(page, `bandit-${colorScheme}-${width}`);
    }
  }

  // Acted on.
  await page.getByLabel("Arm", { exact: true }).selectOption("cedar");
  await page.locator("form.action").getByRole("button", { name: "Retire" }).press("Enter");
  await page.getByRole("dialog").getByText("cedar gets no more decisions.").waitFor();
  await picture(page, "dialog");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("cedar is retired.").waitFor();
  await page.getByRole("link", { name: "Back to now" }).press("Enter");
  await page.locator(".changes span", { hasText: "arm cedar retired" }).waitFor();
  const { arms, alarms } = await incident.ask<BanditView>("GET", "");
  expect(arms.map(({ name }) => name)).toEqual(["alder", "birch", "dogwood"]);
  expect(alarms.map(({ code }) => code)).not.toContain("BECAME_WORSE");
  expect(complaints).toEqual([]);
  await page.close();
});

// A count of bytes over the minutes of the page's own clock, which the test moves.
it.each(["15m", "1h", "30d"])("an open page takes at most 5 kB/s (%s)", async (period) => {
  const page = await browser.newPage();
  await page.clock.install();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let [bytes, answers, underway] = [0, 0, 0];
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    answers++;
  });
  page.on("request", () => underway++);
  page.on("requestfinished", () => underway--);
  page.on("requestfailed", () => underway--);
  await page.goto(`${incident.url}#/b/payments?period=${period}`);
  await page.waitForSelector("#race");
  [bytes, answers] = [0, 0];
  const seconds = 120;
  for (let second = 0; second < seconds; second += 2) {
    await incident.play(2);
    await page.clock.runFor(2_000);
    while (underway > 0) await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  }
  expect(answers).toBeGreaterThan(seconds / 5);
  expect(bytes / seconds).toBeLessThan(5_000);
  console.log(`${period}: ${answers} answers, ${Math.round(bytes / seconds)} bytes per second`);
  await page.close();
});
