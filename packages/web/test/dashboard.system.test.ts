import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchChromium } from "../../lab/test/browser.js";
import { HOSTILE, type SampleServer, sampleServer } from "./sampleServer.js";
import { violations } from "./violations.js";

// The dashboard as it is built and served: with the service's policy of content, and made-up answers that fit its schemas.
const PAGES = [
  ["list", "#/", "table"],
  ["bandit", "#/b/checkout?decision=order-81723", ".sentences"],
  ["bandit with many arms and alarms", "#/b/retry-delay", ".alarms"],
  ["new bandit", "#/b/new-bandit", "#document"],
  ["hostile bandit", `#/b/${encodeURIComponent(HOSTILE)}?decision=order-81723`, ".sentences"],
  ["unknown bandit", "#/b/nobody", "[role=alert]"],
  ["shut bandit", "#/b/damaged", "[role=alert]"],
] as const;

let server: SampleServer;
let browser: Browser;
const complaints: string[] = [];
const requests: string[] = [];

/** With `clock`, the page's time can be moved on. */
async function open(hash: string, ready: string, { clock = false } = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  if (clock) await page.clock.install();
  page.on("console", (message) => {
    // The browser itself writes down every refusal, which the page is here to show.
    if (!/status of 4\d\d|status of 503/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${server.origin}/${hash}`);
  await page.waitForSelector(ready);
  return page;
}

/** With everything unfolded. */
async function openWhole(hash: string, ready: string): Promise<Page> {
  const page = await open(hash, ready);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  return page;
}

beforeAll(async () => {
  server = await sampleServer();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(() => {
  server.key = undefined;
  server.empty = false;
  server.failing = 0;
  server.role = "admin";
  server.acts.length = 0;
});

describe("the list", () => {
  it("shows every bandit, those in trouble first, and filters", async () => {
    const page = await open("#/", "table");
    const names = () => page.locator("tbody th").allTextContents();
    expect(await names()).toEqual(["damaged", HOSTILE, "retry-delay", "search.ranking:v2", "checkout", "new-bandit", "checkout-2025"]);
    expect(await page.locator("tbody tr").first().innerText()).toMatch(/damaged\s+shut\s+ERR_REPLAY\s+–\s+–\s+–\s+–\s+3\s+matched-tinf/);
    expect(await page.locator("tbody tr").nth(4).innerText()).toMatch(
      /checkout\s+running\s+none\s+(now|\d s ago)\s+48,210\s+97.2 %\s+880\s+3\s+matched-tinf/,
    );
    await page.getByLabel("Filter").fill("CHECK");
    expect(await names()).toEqual(["checkout", "checkout-2025"]);
    expect(await page.getByText("2 of 7").count()).toBe(1);
    await page.close();
  });

  it("says how to make the first bandit", async () => {
    server.empty = true;
    const page = await open("#/", "pre");
    expect(await page.locator("pre").first().textContent()).toBe(
      `curl -X PUT ${server.origin}/v1/bandits/checkout -H 'content-type: application/json' -d '{"arms":["classic","one-page","express"]}'`,
    );
    expect(await violations(page)).toEqual([]);
    await page.close();
  });

  it("leads to a bandit, whose heading then has the focus", async () => {
    const page = await open("#/", "table");
    await page.getByRole("link", { name: "checkout", exact: true }).press("Enter");
    await page.waitForSelector("#alive");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("checkout");
    expect(await page.title()).toBe("checkout · tsallis");
    await page.close();
  });
});

describe("a bandit", () => {
  it("answers the owner's questions in their order", async () => {
    const page = await open("#/b/checkout", "#document");
    expect(await page.locator("h2").allTextContents()).toEqual([
      "Is it alive?",
      "Alarms",
      "What changed?",
      "Where does the traffic go?",
      "What do the arms cost?",
      "What does it save?",
      "May I stop?",
      "What do the losses look like?",
      "Why this decision?",
      "What can I do?",
      "The bandit",
    ]);
    expect(await page.locator(".sign").textContent()).toContain("Alive.");
    expect(await page.getByText("A decision saves 0.240 to 1.83 s").count()).toBe(1);
    expect(await page.getByText("Not yet: against one-page the evidence is 1.9 of 3.0.").count()).toBe(1);
    expect(await page.locator(".race tbody tr").allInnerTexts()).toEqual([
      expect.stringMatching(/^classic\s+out\s+3\.4\s+4\.70 to 8\.90\s+5\.40\s+2,891\s+80$/),
      expect.stringMatching(/^one-page\s+in the race\s+1\.9\s+4\.05 to 8\.25\s+4\.75\s+2,891\s+80$/),
      expect.stringMatching(/^express\s+leads\s+3\.98 to 4\.70\s+4\.10\s+40,972\s+1,102$/),
    ]);
    expect(await page.locator("canvas").count()).toBe(2);
    await page.close();
  });

  it("draws what it has: both pictures have the colours of their arms", async () => {
    const page = await open("#/b/checkout", "#document");
    const colours = await page.locator("canvas").evaluateAll((canvases) =>
      (canvases as HTMLCanvasElement[]).map((canvas) => {
        const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
        return new Set(Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4).join())).size;
      }),
    );
    for (const count of colours) expect(count).toBeGreaterThan(20);
    await page.close();
  });

  it("has a table for each picture", async () => {
    const page = await open("#/b/checkout", "#document");
    for (const summary of await page.getByText("As a table").all()) await summary.click();
    expect(await page.locator("details table").count()).toBe(2);
    expect(await page.locator("details").first().locator("tbody tr").count()).toBe(18);
    expect(await page.locator("details").last().locator("tbody tr").first().textContent()).toMatch(/^classic4\.\d\d18\.\d/);
    await page.close();
  });

  it("lets the arrow keys walk along a picture, and says in words where they are", async () => {
    const page = await open("#/b/checkout", "#document");
    const slider = page.getByRole("slider", { name: "Probability of each arm over time" });
    await slider.focus();
    const words = () => slider.getAttribute("aria-valuetext");
    const last = await words();
    expect(last).toMatch(/: classic 3\.\d %, one-page 12\.\d %, express 83\.\d %$/);
    await slider.press("Home");
    expect(await words()).toMatch(/: classic 3\d\.\d %, one-page /);
    await slider.press("ArrowRight");
    expect(await page.locator("#traffic ~ .legend .at").first().textContent()).toMatch(/^\d+ \w+ \d{4}, [\d:]+:$/);
    await page.keyboard.press("Tab");
    expect(await page.locator("#traffic ~ .legend .at").first().textContent()).toBe("Last:");
    await page.close();
  });

  it("says when it shows shares, sums the arms beyond eight, and warns about rewards", async () => {
    const page = await open("#/b/retry-delay", ".alarms");
    expect(await page.locator("#traffic ~ .note").textContent()).toBe("The shares of the decisions. matched-tinf does not tell its probabilities.");
    expect(await page.locator("#traffic ~ .legend .name").count()).toBe(8);
    expect(await page.locator("#traffic ~ .legend .name").last().textContent()).toBe("5 others");
    expect(await page.locator("#costs ~ .scroller tbody tr").count()).toBe(12);
    expect(await page.locator(".aside").textContent()).toContain("heavy right tail");
    await page.close();
  });

  it("says what is missing where nothing has happened", async () => {
    const page = await open("#/b/new-bandit", "#document");
    expect(await page.locator(".sign").textContent()).toBe("New. Nobody has asked it for a decision yet.");
    expect(await page.locator("canvas").count()).toBe(0);
    for (const words of [
      "Set the cap to the largest loss that matters",
      "There are no decisions in this period.",
      "Not enough losses for a picture yet.",
    ])
      expect(await page.getByText(words).count()).toBe(1);
    await page.close();
  });

  it("that is shut says so, and what can be done", async () => {
    const page = await open("#/b/damaged", "[role=alert]");
    expect(await page.locator("h1").textContent()).toBe("This bandit is shut");
    expect(await page.locator("[role=alert]").textContent()).toContain("It says: event 12 is not as it was written.");
    expect(await page.locator("[role=alert]").textContent()).toContain("tsallis audit");
    await page.close();
  });

  it("switches segments by its address", async () => {
    const page = await open("#/b/checkout", "#segment");
    await page.getByLabel("Segment").selectOption("mobile");
    await page.waitForURL(/#\/b\/checkout\?segment=mobile$/);
    await page.waitForRequest(/\/v1\/bandits\/checkout\/history\?points=300&segment=mobile$/);
    await page.waitForSelector("#document");
    expect(await page.getByLabel("Segment").inputValue()).toBe("mobile");
    await page.close();
  });

  it("lists the last decisions, each of which is explained with all its probabilities", async () => {
    const page = await open("#/b/checkout", "#decisions ~ .scroller");
    expect(await page.locator("#decisions ~ .scroller tbody tr").count()).toBe(20);
    await page.getByRole("link", { name: "order-81723" }).press("Enter");
    await page.locator(".probabilities").waitFor();
    expect(await page.locator(".explanation .lead").textContent()).toBe("The policy favours express, which had 81 %.");
    expect(await page.locator(".probabilities li").allInnerTexts()).toEqual([
      expect.stringMatching(/^classic\s+3\.7 %$/),
      expect.stringMatching(/^one-page\s+15 %$/),
      expect.stringMatching(/^express\s+81\.3 %$/),
    ]);
    expect(page.url()).toContain("decision=order-81723");
    await page.close();
  });

  it("explains a decision, and is kind about an unknown one", async () => {
    const page = await open("#/b/checkout", "#decisions");
    await page.getByLabel("Id of a decision").fill(" order-81723 ");
    await page.keyboard.press("Enter");
    await page.getByText("express was drawn with probability 81.3 %").waitFor();
    expect(await page.locator(".explanation .facts").textContent()).toContain("81.3 % (0.8127333120911)");
    await page.getByLabel("Id of a decision").fill("order-0");
    await page.getByRole("button", { name: "Explain" }).click();
    await page.getByText("There is no decision order-0 here.").waitFor();
    await page.close();
  });
});

describe("what changed", () => {
  it("is listed with its moment, which the address carries, and now stands next to before", async () => {
    const page = await open("#/b/checkout", ".changes");
    expect(await page.locator(".changes span").allTextContents()).toEqual([
      "holdout 0.05, by k1 (ops)",
      "express: median 0.21 s to 1.6 s; traffic left it within 40 s",
    ]);
    const express = await page.locator("#costs ~ .scroller tbody tr").last().innerText();
    expect(express).toMatch(/^express changed \d\d:\d\d\s+83\.\d %\s+1\.60\ss\s+0\.210\ss\s/);
    await page.getByLabel("Period").selectOption("7d");
    await page.waitForURL(/period=7d$/);
    await page.waitForRequest(/timeline\?period=7d$/);
    await page.locator(".changes a").last().click();
    await page.waitForURL(/period=15m&to=20\d\d-/);
    await page.waitForRequest(/timeline\?period=15m&to=20\d\d/);
    await page.getByRole("link", { name: "Back to now" }).press("Enter");
    await page.waitForURL(/period=15m$/);
    await page.close();
  });
});

describe("actions", () => {
  it("ask first and say what is lost, show their curl, and are done by the keyboard alone", async () => {
    const page = await open("#/b/checkout", "#retire-title");
    const form = page.locator("form.action", { has: page.locator("#retire-title") });
    await page.getByLabel("Arm", { exact: true }).selectOption("classic");
    const body = '{"arms":["one-page","express"]}';
    expect(await form.locator("pre").textContent()).toBe(
      `curl -X PATCH ${server.origin}/v1/bandits/checkout -H 'content-type: application/json' -d '${body}'`,
    );
    await page.getByLabel("Arm", { exact: true }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Retire an arm?" });
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain("What was learned of it is lost");
    expect(await dialog.textContent()).toContain("This cannot be undone.");
    expect(await violations(page)).toEqual([]);
    // Cancel has the focus.
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    const asked = page.locator("dialog.confirm button:focus");
    await form.getByRole("button").press("Enter");
    await asked.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(server.acts).toEqual([]);
    await form.getByRole("button").press("Enter");
    await asked.waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await form.getByText("classic is retired.").waitFor();
    expect(server.acts).toEqual([`PATCH /v1/bandits/checkout ${body}`]);
    await page.close();
  });

  it.each([
    ["Pause", "Paused.", 'PATCH /v1/bandits/checkout {"state":"paused"}'],
    ["Change", "The holdout is 5 %.", 'PATCH /v1/bandits/checkout {"holdout":0.05}'],
    ["End them", "880 decisions were ended.", "POST /v1/bandits/checkout/expire {}"],
    ["Erase", "The id order-1 is erased.", 'POST /v1/bandits/checkout/erase {"id":"order-1"}'],
    ["Archive", "Archived.", 'PATCH /v1/bandits/checkout {"state":"archived"}'],
  ])("%s", async (verb, done, act) => {
    const page = await open("#/b/checkout", "#retire-title");
    if (verb === "Erase") await page.locator("#erased").fill("order-1");
    await page.locator("form.action").getByRole("button", { name: verb, exact: true }).click();
    await page.locator("dialog").getByRole("button", { name: verb }).click();
    await page.getByText(done, { exact: true }).waitFor();
    expect(server.acts).toEqual([act]);
    await page.close();
  });

  it("create a bandit, and say why one was refused", async () => {
    const page = await open("#/", ".create");
    await page.locator(".create summary").press("Enter");
    await page.getByLabel("Name").fill("search");
    await page.getByLabel("Arms, with commas between").fill("a, refused");
    await page.getByLabel("Feedback is").selectOption("reward");
    await page.getByLabel("Its unit").fill("ms");
    await page.getByRole("button", { name: "Create" }).click();
    await page.locator("dialog").getByRole("button", { name: "Create" }).click();
    await page.getByText("It was refused: a made-up refusal <b>.").waitFor();
    expect(server.acts).toEqual(['PUT /v1/bandits/search {"arms":["a","refused"],"unit":"ms","direction":"reward"}']);
    await page.close();
  });

  it("are not offered to a key that may only read", async () => {
    server.role = "read";
    const page = await open("#/b/checkout", "#actions");
    await page.getByText("This key has the role read.").waitFor();
    expect(await page.locator("form.action h3").allTextContents()).toEqual(["Export the log"]);
    await page.goto(`${server.origin}/#/`);
    await page.waitForSelector("table");
    expect(await page.getByText("Create a bandit").count()).toBe(0);
    await page.close();
  });
});

describe("the service", () => {
  it("is given a key, which stays in the tab and can be forgotten", async () => {
    server.key = "tsk_right";
    const page = await open("#/b/checkout", "form.key");
    expect(await page.getByLabel("Key").getAttribute("type")).toBe("password");
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Key").fill("tsk_wrong");
    await page.keyboard.press("Enter");
    await page.getByText("This key does not open the service").waitFor();
    await page.getByLabel("Key").fill("tsk_right");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#document");
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie, location.href.includes("tsk_")])).toEqual([
      1,
      0,
      "",
      false,
    ]);
    await page.reload();
    await page.waitForSelector("#document");
    await page.getByRole("button", { name: "Forget the key" }).click();
    await page.waitForSelector("form.key");
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(await page.locator("#document").count()).toBe(0);
    await page.close();
  });

  it("hands over the log although a link cannot carry the key", async () => {
    server.key = "tsk_right";
    const page = await open("#/b/checkout", "form.key");
    await page.getByLabel("Key").fill("tsk_right");
    await page.keyboard.press("Enter");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "The log" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("checkout.ndjson");
    expect(readFileSync(await file.path(), "utf8")).toBe('{"bandit":"checkout"}');
    await page.close();
  });

  it.each([
    [403, "This is not allowed"],
    [404, "There is no such thing here"],
    [503, "The service cannot answer now"],
  ])("refuses with %d: the page says so, with the service's own words", async (status, heading) => {
    server.failing = status;
    const page = await open("#/b/checkout", "[role=alert]");
    expect(await page.locator("h1").textContent()).toBe(heading);
    expect(await page.locator("[role=alert]").textContent()).toContain(`a made-up failure <b>${status}</b>`);
    await page.close();
  });

  it("fails for a while: the last answer stays, with its age, until there is a new one", async () => {
    const page = await open("#/b/checkout", "#document", { clock: true });
    server.failing = 503;
    await page.clock.fastForward(6_000);
    await page.getByText(/What you see is \d+ seconds? old\./).waitFor();
    expect(await page.locator("h2").count()).toBe(11);
    // Nothing is green while nothing is known.
    expect(await page.locator(".sign").textContent()).toContain("Not known.");
    expect(await page.locator("#alive ~ * .mark.good, #alarms ~ * .mark.good").count()).toBe(0);
    expect(await page.locator(".stale [role=status]").textContent()).toBe("The service cannot answer now. It says: a made-up failure <b>503</b>.");
    server.failing = 0;
    await page.clock.fastForward(10_000);
    await page.getByText(/What you see is/).waitFor({ state: "detached" });
    await page.close();
  });

  it("is left alone while the tab is hidden", async () => {
    const page = await open("#/b/checkout", "#document", { clock: true });
    const show = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden);
    await show(true);
    await page.clock.runFor(10_000);
    const before = requests.length;
    await page.clock.runFor(60_000);
    expect(requests.length).toBe(before);
    const asked = page.waitForResponse(/timeline/);
    await show(false);
    await asked;
    await page.close();
  });
});

describe.each(PAGES)("%s", (_, hash, ready) => {
  it("is accessible and does not scroll sideways, wide and narrow, light and dark", async () => {
    const page = await openWhole(hash, ready);
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [1280, 360]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        expect([colorScheme, width, needed]).toEqual([colorScheme, width, Math.min(needed!, there!)]);
        expect([colorScheme, width, await violations(page)]).toEqual([colorScheme, width, []]);
      }
    }
    await page.close();
  });

  it("is reached by the Tab key in all its parts, with the focus in sight", async () => {
    const page = await openWhole(hash, ready);
    const parts = await page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, summary, [tabindex='0']")];
      for (const [i, part] of all.entries()) part.dataset.part = `${i} ${part.tagName} ${part.className}`;
      return all.map((part) => part.dataset.part);
    });
    const seen: unknown[] = [];
    for (const _ of parts) {
      await page.keyboard.press("Tab");
      const [part, outline] = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        const shown = element.matches("[type=range]") ? element.parentElement! : element;
        return [element.dataset.part, getComputedStyle(shown).outlineStyle];
      });
      expect([part, outline]).toEqual([part, "solid"]);
      seen.push(part);
    }
    expect(seen).toEqual(parts);
    await page.close();
  });
});

describe("what comes from outside", () => {
  it("is text wherever it is shown", async () => {
    const page = await open("#/", "table");
    expect(await page.getByRole("link", { name: HOSTILE }).count()).toBe(1);
    await page.getByRole("link", { name: HOSTILE }).click();
    await page.waitForSelector("#document");
    expect(await page.locator("h1").textContent()).toBe(HOSTILE);
    expect(await page.locator("img:not([src='icon.svg']), main script, iframe").count()).toBe(0);
    expect(await page.evaluate(() => "hostile" in window)).toBe(false);
    await page.close();
  });

  it("is asked of the service alone, and nothing was complained about", () => {
    expect(requests.length).toBeGreaterThan(100);
    expect(requests.filter((url) => !url.startsWith(`${server.origin}/`))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("could not be asked of anybody else, and nothing is inline", async () => {
    const page = await browser.newPage();
    await page.goto(server.origin);
    expect(await page.evaluate(() => fetch("http://127.0.0.1:9/").catch(() => "refused"))).toBe("refused");
    const source = await (await fetch(server.origin)).text();
    expect(source).not.toMatch(/ style=| on\w+=|<script(?![^>]* src=)|<style/);
    await page.close();
  });
});
