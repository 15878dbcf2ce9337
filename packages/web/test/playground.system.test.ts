import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../test/repository.js";
// The build: what tsallis playground serves.
import { staticServer } from "../../cli/dist/serving/staticServer.js";
import { launchChromium } from "../../lab/test/browser.js";
import { lanesOf, type Race } from "../playground/src/engine/race.js";
import { SCENES } from "../playground/src/scenes/scenes.js";
import { addressOf } from "../playground/src/state/address.js";
import { experimentText } from "../playground/src/state/experimentText.js";
import { initialHandles } from "../playground/src/state/handles.js";
import { violations } from "./violations.js";

const FOLDER = new URL("../../cli/playground/", import.meta.url);
const MOST_BYTES = 150_000;

let server: Server;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  server = staticServer(FOLDER)!;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

/** A page that fails the test if anything complains, or asks another server. */
async function open(scene: string, race: Race | null = null, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("blob:")) complaints.push(request.url());
  });
  const { handles } = SCENES.find(({ name }) => name === scene)!;
  await page.goto(`${origin}/#${addressOf({ scene, handles: initialHandles(handles), race })}`);
  await page.waitForSelector("h1");
  return { page, complaints };
}

/** Plays a scene to its end, if it is one that plays. */
async function playToTheEnd(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "To the end" });
  if ((await button.count()) === 0) return;
  await button.first().click();
  await page.getByRole("button", { name: "Play again" }).first().waitFor({ timeout: 300_000 });
}

describe("each scene", () => {
  it.each(SCENES.map(({ name }) => name))("%s opens, plays and ends without a complaint, and axe finds nothing", async (scene) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, complaints } = await open(scene, null, { colorScheme });
      await playToTheEnd(page);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      expect(await violations(page), colorScheme).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    }
  });

  it.each(SCENES.map(({ name }) => name))("%s fits 360 px", async (scene) => {
    const { page, complaints } = await open(scene, null, { viewport: { width: 360, height: 800 } });
    await playToTheEnd(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(SCENES.filter(({ name }) => name !== "you").map(({ name }) => name))(
    "%s shows its end at once, and nothing that moves, for those who want less motion",
    async (scene) => {
      const { page } = await open(scene, null, { reducedMotion: "reduce" });
      // Never a frame in which it plays.
      await page.evaluate(() => {
        const watched = window as unknown as { hasPlayed: boolean };
        watched.hasPlayed = false;
        const look = () => {
          for (const button of document.querySelectorAll("button")) if (button.textContent === "Pause") watched.hasPlayed = true;
        };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
        look();
      });
      await page.locator(".chart").first().waitFor({ timeout: 300_000 });
      expect(await page.evaluate(() => (window as unknown as { hasPlayed: boolean }).hasPlayed)).toBe(false);
      // The chart is not empty: its last point is the last round, or the last draw.
      const words = (await page.locator(".chart input").first().getAttribute("aria-valuetext"))!;
      expect(words).not.toMatch(/^(?:round|draws) [12]:/);
      // Nor when the steps are read.
      const isRace = (await page.locator("progress").count()) > 0;
      for (const title of await page.locator(".step-title").all()) {
        await title.click();
        if (isRace) await page.getByRole("button", { name: "Play again" }).first().waitFor({ timeout: 300_000 });
      }
      expect(await page.evaluate(() => (window as unknown as { hasPlayed: boolean }).hasPlayed)).toBe(false);
      await page.close();
    },
  );
});

describe("the page", () => {
  // From 1,100 px on the focus passes the steps on its way, which scrolls the page.
  it.each([1_000, 1_280])("is used by the keyboard alone at %d px: to a scene, to its play button, and along its chart", async (width) => {
    const { page, complaints } = await open("race", null, { reducedMotion: "reduce", viewport: { width, height: 900 } });
    // The end of the race is shown, and with it the button, when it is played.
    await page.getByRole("button", { name: "Play again" }).waitFor({ timeout: 120_000 });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    for (let i = 0; i < 30 && (await focused()) !== "Play again"; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    // No step has set the figure: the first one is still the one that is read.
    expect(await page.locator(".step-title").first().getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "To the end" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Play again" }).waitFor();
    const chart = page.getByRole("slider", { name: /^regret of/ });
    await chart.focus();
    const before = await chart.getAttribute("aria-valuetext");
    for (let i = 0; i < 50; i++) await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((text) => document.querySelector(".chart input")?.getAttribute("aria-valuetext") !== text, before);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("steps round by round with the keyboard: a button that can do nothing keeps the focus", async () => {
    const { page } = await open("race");
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.waitForSelector('button[aria-disabled="false"]:text("One round")');
    const paused = Number(await page.locator("progress").first().getAttribute("value"));
    const step = page.getByRole("button", { name: "One round" });
    await step.focus();
    for (let round = paused + 1; round <= paused + 3; round++) {
      await page.keyboard.press("Enter");
      await page.getByText(`${round} of 5,000 rounds`).waitFor();
      await page.waitForSelector('button[aria-disabled="false"]:text("One round")');
    }
    expect(await focused()).toBe("One round");
    await page.getByRole("button", { name: "To the end" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Play again" }).waitFor();
    expect(await focused()).toBe("To the end");
    await page.close();
  });

  it("says so when its server is gone, and plays again when it is back", async () => {
    const { page } = await open("skipping", null, { reducedMotion: "reduce" });
    await page.getByRole("button", { name: "Play again" }).waitFor();
    await page.context().setOffline(true);
    const handle = page.getByRole("slider", { name: "Factor of the one loss", exact: true });
    await handle.focus();
    await page.keyboard.press("ArrowLeft");
    const again = page.getByRole("button", { name: "Play again" });
    await page.locator("ul.refusal li").waitFor();
    expect(await page.locator("ul.refusal li").allTextContents()).toEqual([
      "this page can no longer load its own files: is its server still running?",
    ]);
    await page.context().setOffline(false);
    await again.click();
    await page.getByRole("button", { name: "To the end" }).click();
    await page.waitForSelector(".run-hashes li", { state: "attached" });
    expect(await page.locator("ul.refusal").count()).toBe(0);
    await page.close();
  });

  it("keeps in its history where a handle was left, and the sandbox even with losses too long for an address", async () => {
    const { page } = await open("race");
    await page.getByRole("slider", { name: "Seeds", exact: true }).waitFor();
    // At once, before the address has followed.
    await page.evaluate(() => {
      const handle = document.querySelector<HTMLInputElement>(".handles input")!;
      handle.value = "7";
      handle.dispatchEvent(new Event("input", { bubbles: true }));
      setTimeout(() => [...document.querySelectorAll<HTMLElement>("nav a")].at(-1)!.click(), 50);
    });
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Sandbox");
    await page.goBack();
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>(".handles input")?.value === "7");
    await page.goForward();
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Sandbox");
    const buffer = Buffer.from("1.25,2.5\n".repeat(1_000));
    await page.getByLabel("Load your own losses").setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer });
    await page.waitForSelector("[role=alert]");
    await page.getByRole("navigation").getByRole("link", { name: SCENES[0]!.title }).click();
    await page.waitForSelector(".handles input");
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Sandbox");
    await page.close();
  });

  it("shows the first scene, and a sentence, for an address that is damaged", async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/#1.!!!`);
    await page.waitForSelector("[role=alert]");
    expect(await page.textContent("[role=alert]")).toContain("the address is damaged");
    expect(await page.textContent("h1")).toBe(SCENES[0]!.title);
    await page.close();
  });

  it("goes back to the scene before", async () => {
    const { page } = await open("race");
    await page.getByRole("navigation").getByRole("link", { name: SCENES[1]!.title }).click();
    expect(await page.textContent("h1")).toBe(SCENES[1]!.title);
    await page.goBack();
    await page.waitForFunction((title) => document.querySelector("h1")?.textContent === title, SCENES[0]!.title);
    await page.close();
  });

  it(`has at most ${MOST_BYTES / 1000} kB, gzipped, all of it`, () => {
    const folder = fileURLToPath(FOLDER);
    const sizes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name))).length);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`playground: ${bytes} bytes gzipped`);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });
});

describe("the same bits", () => {
  const lomax = (scale: number) => ({ distribution: "lomax", shape: 1.6, scale });
  const signed = (p: number) => ({ distribution: "signed", p, of: lomax(1) });
  const worlds: Record<string, Race["world"]> = {
    stochastic: { environment: "stochastic", alpha: 1.5, arms: [lomax(1), lomax(2), signed(0.7)] },
    switching: { environment: "switching", alpha: 1.5, period: 33_333, arms: [signed(0.5), signed(0.7)], alternate: [signed(0.7), signed(0.5)] },
    late: {
      environment: "stochastic",
      alpha: 1.5,
      delay: { distribution: "pareto", shape: 1.2, scale: 3 },
      arms: [lomax(1), lomax(1.5)],
      rotate: true,
    },
  };
  const policies: Race["policies"] = [
    { label: "htinf", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
    { label: "matched", spec: { policy: "matched-tinf", halfLife: 5_000 } },
    { label: "adatinf", spec: { policy: "adatinf" } },
    { label: "thompson", spec: { policy: "thompson", sigma: 1 } },
    { label: "exp3", spec: { policy: "exp3" } },
    { label: "robust", spec: { policy: "robust-ucb", alpha: "promised", sigma: "promised", estimator: "truncated" } },
  ];

  /** Node of a major version, if it is here. */
  const nodes = [20, 22, 24].flatMap((major) => {
    const own = Number.parseInt(process.versions.node, 10) === major;
    const path = own ? process.execPath : join(ROOT, `node_modules/node${major}/bin/node`);
    return existsSync(path) ? [path] : [];
  });

  it.each(Object.entries(worlds))("in the page, under every Node and by tsallis run: %s", async (name, world) => {
    const race: Race = { world, policies, seeds: 1, rounds: 100_000 };
    const { page, complaints } = await open("sandbox", race);
    await playToTheEnd(page);
    await page.getByText("Reproduce this run").click();
    await page.waitForSelector(".run-hashes li");
    const shown = await page.locator(".run-hashes li").allTextContents();
    expect(complaints).toEqual([]);
    await page.close();
    expect(shown).toHaveLength(lanesOf(race).length);
    const folder = mkdtempSync(join(tmpdir(), "tsallis-playground-"));
    try {
      const file = join(folder, "exported.yaml");
      writeFileSync(file, experimentText(`playground-${name}`, race));
      expect(nodes.length).toBeGreaterThan(0);
      for (const [i, node] of nodes.entries()) {
        const args = ["packages/cli/bin/tsallis.js", "run", file, "--quiet", "--json", "--out", join(folder, String(i))];
        const { runHashes } = JSON.parse(execFileSync(node, args, { cwd: ROOT, encoding: "utf8" }));
        const printed = Object.entries(runHashes).map(([id, hash]) => `${hash} ${id}`);
        expect(shown.map((line) => line.replace(/\s+/g, " ").trim())).toEqual(printed);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
