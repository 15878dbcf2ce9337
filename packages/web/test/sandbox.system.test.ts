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

it("a form that is wrong says so in the library's words, and the race before stays", () =>
  withSandbox(async (page) => {
    await page.getByText("The world in numbers").click();
    await type(page, "alpha", "3");
    await page.getByText("alpha must be in (1, 2], got 3").waitFor();
    await page.getByText("The race below is the last one that could be played.").waitFor();
    await page.locator(".race .shares tbody tr").nth(3).waitFor();
    expect(await page.locator(".race .shares tbody tr").count()).toBe(4);
    await type(page, "alpha", "1.4");
    await page.getByText("alpha must be").waitFor({ state: "detached" });
    // The address follows when the form rests.
    await expect.poll(async () => (await raceIn(page))?.world.alpha, POLL).toBe(1.4);
    await type(page, "rounds", "1000001");
    await page.getByText("the number of rounds must be a whole number from 1 to 1,000,000").waitFor();
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
      .toEqual(["MatchedTINF", "RobustUCB", "UCB1", "thompson", "exp3", "tsallis-inf", "uniform"]);
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
        await page.getByText("losses is missing").waitFor();
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
