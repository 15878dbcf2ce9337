import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { start } from "../../cli/test/command.js";
import { launchChromium } from "../../lab/test/browser.js";
import { violations } from "./violations.js";

/** The decisions that the simulated client begins with, and how many it makes in ten seconds after that: a clock that slows down with the machine. */
const BURST = 1_600;
const TEN_SECONDS = 300;

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

it("tsallis serve --demo shows a newcomer a living dashboard within ten seconds", async () => {
  const demo = start("serve", "--demo", "--port", "0");
  try {
    const origin = await dashboardOf(demo.stdout);
    const page = await browser.newPage();
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => requests.push(request.url()));

    await page.goto(origin);
    await page.getByRole("link", { name: "payments" }).click();
    await page.locator(".sign", { hasText: "Alive. Decisions are made, and feedback arrives." }).waitFor();
    await page.getByText("range, whenever you look; counting at most 10 s each").waitFor();
    await page.locator(".race tbody tr").nth(3).waitFor();
    await page.locator("#traffic ~ .chart canvas").waitFor();
    await page.locator("#losses ~ .chart canvas").waitFor();
    const decisions = Number(/([\d,]+) decisions/.exec((await page.locator(".title .note").textContent())!)![1]!.replace(",", ""));
    expect(decisions).toBeLessThan(BURST + TEN_SECONDS);

    // It moves.
    await page.waitForFunction((before) => {
      const [, now] = /([\d,]+) decisions/.exec(document.querySelector(".title .note")!.textContent!)!;
      return Number(now!.replace(",", "")) > before;
    }, decisions);

    // A decision of the log is explained.
    const log = await (await fetch(new URL("v1/bandits/payments/log?limit=1", origin))).text();
    const [, id] = /"decision":"([^"]+)"/.exec(log)!;
    await page.getByLabel("Id of a decision").fill(id!);
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("It is event 1 of the log; tsallis audit recomputes it.").waitFor();

    expect(await violations(page)).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
    expect(complaints).toEqual([]);
  } finally {
    demo.kill("SIGTERM");
    if (demo.exitCode === null) await once(demo, "exit");
  }
});

/** The address that the command prints. */
async function dashboardOf(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const [, address] = /^dashboard +(http:\S+)$/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error("the command ended without an address");
}
