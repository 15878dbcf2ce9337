import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
// The build: what tsallis playground serves.
import { staticServer } from "../../cli/dist/serving/staticServer.js";
import { launchChromium } from "../../lab/test/browser.js";
import { SCENES } from "../playground/src/scenes/scenes.js";
import { addressOf, readAddress } from "../playground/src/state/address.js";
import { violations } from "./violations.js";

let server: Server;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  server = staticServer(new URL("../../cli/playground/", import.meta.url))!;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

async function withSandbox(use: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(`${origin}/#${addressOf({ scene: "sandbox", handles: {}, race: null })}`);
  await page.locator(".race").waitFor();
  await use(page);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
}

/** The race in the address. */
const raceIn = async (page: Page) => readAddress(new URL(page.url()).hash.slice(1), SCENES).race!;

async function type(page: Page, label: string, text: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true }).first();
  await field.fill(text);
  await field.press("Enter");
}

const POLL = { timeout: 60_000 };

it("a density is dragged with the mouse and moved with the keys, and what is let go is in the address", () =>
  withSandbox(async (page) => {
    const mean = page.getByRole("slider", { name: "mean loss of arm 1" });
    await page.getByRole("button", { name: "Play again" }).waitFor();
    await mean.scrollIntoViewIfNeeded();
    const { x, y, width } = (await mean.boundingBox())!;
    await page.mouse.move(x + width / 2, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + 100, y + 10, { steps: 10 });
    await page.mouse.up();
    await page.waitForFunction((name) => document.querySelector(".ridge-name")?.textContent !== name, "arm 1, mean 0.571");
    const [before, other] = SCENES.find(({ name }) => name === "sandbox")!.race({}).world.arms as Record<string, number>[];
    // The address follows when the handle rests.
    const armsIn = async () => ((await raceIn(page))?.world.arms ?? []) as Record<string, number>[];
    await expect.poll(async () => (await armsIn())[0]?.scale ?? before!.scale, POLL).not.toBe(before!.scale);
    const [dragged, left] = await armsIn();
    expect(dragged!.scale).toBeGreaterThan(before!.scale!);
    expect(dragged!.shape).toBe(before!.shape);
    expect(left).toEqual(other);
    await page.getByRole("slider", { name: "one loss of ten is above, for arm 1" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("PageUp");
    await expect.poll(async () => (await armsIn())[0]!.shape, POLL).not.toBe(dragged!.shape);
    const [bent] = await armsIn();
    expect(bent!.shape).toBeLessThan(dragged!.shape!);
    expect(bent!.scale).toBe(dragged!.scale);
  }));

it("the square of arm 1 goes to the right with every key, and however far it is dragged the race is played", () =>
  withSandbox(async (page) => {
    const square = page.getByRole("slider", { name: "one loss of ten is above, for arm 1" });
    const meanNow = async () => Number(/mean ([\d.]+)/.exec((await page.locator(".ridge-name").first().textContent())!)![1]);
    const place = async () => (await square.boundingBox())!.x;
    await page.getByRole("button", { name: "Play again" }).waitFor();
    await square.focus();
    let before = await place();
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press("ArrowRight");
      expect(await place(), `press ${press}`).toBeGreaterThanOrEqual(before - 0.5);
      before = await place();
    }
    expect(await meanNow()).toBeGreaterThan(1.5);
    expect(await page.locator(".refusal").count()).toBe(0);
    await page.getByRole("button", { name: "Heavy tails" }).click();
    await expect.poll(meanNow, POLL).toBe(0.571);
    for (const distance of [60, 250, 900]) {
      await square.scrollIntoViewIfNeeded();
      const { x, y, width } = (await square.boundingBox())!;
      await page.mouse.move(x + width / 2, y + 10);
      await page.mouse.down();
      await page.mouse.move(x + distance, y + 10, { steps: 5 });
      await page.mouse.up();
      expect(await page.locator(".refusal").count(), `${distance} px`).toBe(0);
    }
    await expect.poll(meanNow, POLL).toBeGreaterThan(1.5);
    // The chart is of the world that the hills show.
    await expect.poll(() => page.locator(".shares thead th small").first().textContent(), POLL).toBe(`mean ${(await meanNow()).toFixed(2)}`);
  }));

it("where the best arm changes, the regret that is drawn is the one that is judged, and its axis names it", () =>
  withSandbox(async (page) => {
    const chart = page.locator(".race .chart input").first();
    const least = async () =>
      Math.min(...(await page.locator(".legend .item .at").allTextContents()).map((text) => Number(text.replaceAll(",", "").replace("−", "-"))));
    await page.getByRole("button", { name: "The best arm changes" }).click();
    await page.getByRole("slider", { name: /^regret against each round's best arm of HTINF/ }).waitFor();
    await expect.poll(() => chart.getAttribute("aria-valuetext"), POLL).toMatch(/^round 10,000/);
    expect(await least()).toBeGreaterThan(0);
    await page.getByLabel("bounds").check();
    await page.getByRole("slider", { name: /^regret against the best arm of HTINF/ }).waitFor(POLL);
    await page.getByText("Bounds are for regret against the best single arm.").waitFor(POLL);
    await page.getByRole("button", { name: "Light tails" }).click();
    await page.getByRole("slider", { name: /^regret of HTINF/ }).waitFor(POLL);
  }));

it("a form that is wrong says so in the library's words, and the race before stays", () =>
  withSandbox(async (page) => {
    await page.getByText("The world in numbers").click();
    await type(page, "alpha", "3");
    await page.getByRole("alert").getByText("alpha must be in (1, 2], got 3").waitFor();
    // At the chart too, which steps back.
    await page.getByText("Not played: alpha must be in (1, 2], got 3. The chart shows the last race that could be played.").waitFor();
    expect(await page.locator(".stale .chart").evaluate((chart) => Number(getComputedStyle(chart).opacity))).toBeLessThan(0.5);
    expect(await page.getByRole("button", { name: "Heavy tails" }).getAttribute("aria-pressed")).toBe("false");
    await page.locator(".race .shares tbody tr").nth(3).waitFor();
    expect(await page.locator(".race .shares tbody tr").count()).toBe(4);
    await type(page, "alpha", "1.4");
    await page.getByText("alpha must be").first().waitFor({ state: "detached" });
    expect(await page.locator(".stale").count()).toBe(0);
    // The address follows when the form rests.
    await expect.poll(async () => (await raceIn(page))?.world.alpha, POLL).toBe(1.4);
    await type(page, "rounds", "1000001");
    await page.getByRole("alert").getByText("the number of rounds must be a whole number from 1 to 1,000,000").waitFor();
    await type(page, "rounds", "500");
    // More lanes than before, and fewer: the figure follows.
    for (let i = 0; i < 4; i++) await page.getByRole("button", { name: "One more policy" }).click();
    await page.locator(".race .shares tbody tr").nth(7).waitFor();
    expect(await page.getByRole("button", { name: "One more policy" }).isDisabled()).toBe(true);
    await page.locator(".policy summary").first().click();
    await page.getByRole("button", { name: "Remove HTINF" }).click();
    await page.locator(".race .shares tbody tr").nth(7).waitFor({ state: "detached" });
    await expect
      .poll(async () => (await raceIn(page)).policies.map(({ label }) => label), { timeout: 60_000 })
      .toEqual(["MatchedTINF", "RobustUCB", "UCB1", "Thompson", "EXP3", "Tsallis-INF", "Uniform"]);
  }));

it("every kind of world is played at a click, with its bounds, and shared", () =>
  withSandbox(async (page) => {
    await type(page, "rounds", "300");
    await page.getByLabel("bounds").check();
    await page.getByLabel("logarithmic axes").check();
    const kinds = page.getByRole("combobox", { name: "World" });
    for (const kind of await kinds.locator("option").allTextContents()) {
      await kinds.selectOption(kind);
      if (kind === "replay") {
        await page.getByRole("alert").getByText("losses is missing").waitFor();
        continue;
      }
      await page.getByRole("button", { name: "Play again" }).waitFor();
      await page.locator(".proofs li").nth(3).waitFor();
      expect(await page.locator(".refusal").allTextContents(), kind).toEqual([]);
    }
    await kinds.selectOption("stochastic");
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText(/^Copied, \d+ characters\.$/).waitFor();
    const shared = await page.evaluate(() => navigator.clipboard.readText());
    expect(readAddress(new URL(shared).hash.slice(1), SCENES).race!.world.environment).toBe("stochastic");
    // The address follows when the form rests, maybe after the click.
    await expect.poll(() => page.url(), POLL).toBe(shared);
  }));

it("a file of losses is played; a bad one is refused with the line; it cannot be shared by address", () =>
  withSandbox(async (page) => {
    const file = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    const input = page.getByLabel("Load your own losses");
    await input.setInputFiles(file("bad.csv", "1,2\n3,x\n"));
    await page.getByText('bad.csv: line 2, column 2: "x" is not a number').waitFor();
    await input.setInputFiles(file("good.csv", `a,b\n${Array.from({ length: 900 }, (_, i) => `${i % 7},${i % 5}`).join("\n")}\n`));
    await page.getByText("of 900 rounds").waitFor();
    await page.getByText("900 rounds of 2 arms, as they were recorded.").waitFor();
    // The columns keep their names.
    expect((await page.locator(".shares thead th").allTextContents()).slice(1)).toEqual(["a", "b"]);
    await page.getByText("this state is too long for an address").waitFor();
    await page.getByRole("button", { name: "Play again" }).waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("Too long for an address.").waitFor();
    expect(await page.locator(".refusal").allTextContents()).toEqual([]);
    await page.getByText("Reproduce this run").click();
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the experiment" }).click()]);
    expect(saved.suggestedFilename()).toBe("playground-sandbox.yaml");
  }));
