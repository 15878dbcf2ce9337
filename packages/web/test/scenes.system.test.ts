import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT, read } from "../../../test/repository.js";
// The build: what tsallis playground serves.
import { staticServer } from "../../cli/dist/serving/staticServer.js";
import { launchChromium } from "../../lab/test/browser.js";
import type { Race } from "../playground/src/engine/race.js";
import { SCENES } from "../playground/src/scenes/scenes.js";
import { addressOf } from "../playground/src/state/address.js";
import { initialHandles } from "../playground/src/state/handles.js";
import { sampleTable } from "../playground/src/state/ownLosses.js";

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

async function withScene(scene: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>, race: Race | null = null): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const { handles } = SCENES.find(({ name }) => name === scene)!;
  await page.goto(`${origin}/#${addressOf({ scene, handles: initialHandles(handles), race })}`);
  await use(page);
  await page.close();
}

const LIMIT = { timeout: 120_000 };

it("the race: the huge loss is undone, and moved with the keys and the mouse", () =>
  withScene("race", { reducedMotion: "reduce" }, async (page) => {
    await page.getByRole("button", { name: "Undo that loss" }).click();
    const words = page.locator(".undo span");
    await expect.poll(() => words.textContent(), LIMIT).toMatch(/^Without it, dotted; regret at the end: HTINF \d+, MatchedTINF [\d.]+, UCB1 [\d,]+/);
    // As claims.long.test.ts counts it.
    expect(await words.textContent()).toMatch(/ The loss of round 1,082 then fools UCB1 and Thompson\.$/);
    // With it UCB1 ends with 1,475. The second huge loss still comes.
    expect(Number(/UCB1 ([\d,]+)/.exec((await words.textContent())!)![1]!.replaceAll(",", ""))).toBeLessThan(1_475);
    await page.getByRole("button", { name: "Put that loss back" }).click();
    await expect.poll(() => words.textContent(), LIMIT).toBe("or drag its handle to another round.");
    const handle = page.getByRole("slider", { name: "Round of the huge loss" });
    await handle.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("PageUp");
    await expect.poll(() => words.textContent(), LIMIT).toMatch(/^In round 266 instead, dotted/);
    const { x, y, width, height } = (await handle.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 200, y, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => words.textContent(), LIMIT).toMatch(/^In round [1-9],?\d{3} instead, dotted/);
  }));

it("the race: the spike, its label and its round are drawn where the loss is now", () =>
  withScene("race", { reducedMotion: "reduce" }, async (page) => {
    const handle = page.getByRole("slider", { name: "Round of the huge loss" });
    await handle.waitFor(LIMIT);
    // The words on the canvases since the list was last emptied, each with its distance from the left.
    await page.evaluate(() => {
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (words, x, y) {
        document.body.dataset.drawn += `${words} at ${Math.round(x)}\n`;
        fillText.call(this, words, x, y);
      };
    });
    const drawn = () => page.evaluate(() => document.body.dataset.drawn!);
    const empty = () =>
      page.evaluate(() => {
        document.body.dataset.drawn = "";
      });
    const centre = async () => {
      const [grip, chart] = [(await handle.boundingBox())!, (await page.locator(".strip canvas").boundingBox())!];
      return grip.x + grip.width / 2 - chart.x;
    };
    await handle.focus();
    await empty();
    for (let i = 0; i < 10; i++) await page.keyboard.press("PageUp");
    await expect.poll(drawn).toMatch(/^(?:round )?616 at/m);
    const label = [...(await drawn()).matchAll(/^(?:costs )?185 at (\d+)/gm)].at(-1)!;
    expect(Math.abs(Number(label[1]) - 6 - (await centre()))).toBeLessThan(2);
    expect(await handle.locator(".where").textContent()).toBe("round 616");
    expect(await handle.locator(".where").isVisible()).toBe(true);
    await empty();
    await page.getByRole("button", { name: "Undo that loss" }).click();
    // In the chart, and in the strip.
    await expect.poll(async () => (await drawn()).match(/undone at/g)?.length).toBeGreaterThanOrEqual(2);
    expect(await drawn()).not.toMatch(/^(?:costs )?185 at/m);
  }));

it("the probabilities: prose, legend and handle are for the same loss", () =>
  withScene("probabilities", { reducedMotion: "reduce" }, async (page) => {
    const scrub = page.getByRole("slider", { name: "Unlucky loss of arm 3, in the text" });
    await scrub.focus();
    await page.keyboard.press("PageUp");
    await expect.poll(() => scrub.textContent()).toBe("18");
    const wait = /after about ([\d,]+) rounds/.exec((await page.locator(".step", { has: scrub }).textContent())!.replaceAll("\u00a0", " "))![1];
    expect(await page.locator(".legend").textContent()).toMatch(`After a loss of 18:Tsallis ${wait}`);
  }));

it("the race: play slows down, and a label changes when a policy is fooled", () =>
  withScene("race", {}, async (page) => {
    // The round in which one is, every 50 ms: around round 116 it passes much more slowly than before.
    const { rounds: seen, words } = await page.evaluate(async () => {
      const rounds: number[] = [];
      const words: string[] = [];
      for (let i = 0; i < 120; i++) {
        rounds.push(document.querySelector("progress")?.value ?? 0);
        words.push(
          [...document.querySelectorAll(".legend .item")].find((item) => item.textContent!.startsWith("UCB1"))?.querySelector(".more")?.textContent ??
            "",
        );
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return { rounds, words };
    });
    const within = (low: number, high: number) => seen.filter((round) => round >= low && round < high).length / (high - low);
    expect(within(112, 130)).toBeGreaterThan(3 * within(150, 300));
    // The words at the end of its line, which a narrow chart has in its legend.
    expect([...new Set(words)].filter((word) => word !== "")).toEqual(["on the best arm", "fooled"]);
    // It says no more that it is on the best arm before it says that it is fooled.
    expect(words[words.indexOf("fooled") - 1]).toBe("");
    await page.getByRole("button", { name: "To the end" }).click();
    const ucb1 = page.locator(".legend .item", { hasText: "UCB1" }).locator(".more");
    await expect.poll(() => ucb1.textContent(), LIMIT).toBe("fooled, never returns");
  }));

it("the runs: the keys light one, and the shares are then its own", () =>
  withScene("fails", { reducedMotion: "reduce" }, async (page) => {
    const runs = page.getByRole("slider", { name: "Run of MatchedTINF" });
    await page.getByText("share of rounds, all 20 runs").waitFor(LIMIT);
    expect(await page.locator(".dot-row .dot-count").allTextContents()).toEqual([
      "stuck: 20 of 20",
      "stuck: 0 of 20",
      "stuck: 6 of 20",
      // Uniform play is the yardstick.
      "",
    ]);
    await runs.focus();
    await page.getByText("share of rounds, seed 1").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByText("share of rounds, seed 2").waitFor();
    expect(await runs.getAttribute("aria-valuetext")).toMatch(/^seed 2: (?:not )?stuck, regret [\d,.]+$/);
    await runs.blur();
    await page.getByText("share of rounds, all 20 runs").waitFor();
  }));

it("the runs: with one lit, the legend has every policy's value for its seed, and its line keeps the policy's dash", () =>
  withScene("fails", { reducedMotion: "reduce" }, async (page) => {
    await page.getByText("share of rounds, all 20 runs").waitFor(LIMIT);
    await page.evaluate(() => {
      const { stroke } = CanvasRenderingContext2D.prototype;
      // A lit run is the only line this thick that is drawn without a path of its own.
      CanvasRenderingContext2D.prototype.stroke = function (this: CanvasRenderingContext2D, ...path: [] | [Path2D]) {
        if (path.length === 0 && this.lineWidth === 3) document.body.dataset.dash = this.getLineDash().join();
        (stroke as (...path: [] | [Path2D]) => void).apply(this, path);
      };
    });
    await page.getByRole("slider", { name: "Run of MatchedTINF" }).focus();
    await page.getByText("Round 20,000, seed 1:").waitFor();
    const runs = await page.locator(".dot-row input").evaluateAll((all) => all.map((each) => each.getAttribute("aria-valuetext")!));
    expect(await page.locator(".legend .item .at").allTextContents()).toEqual(
      runs.map((words) => /^seed 1: (?:not )?stuck, regret ([\d,.]+)$/.exec(words)![1]),
    );
    await expect.poll(() => page.locator("body").getAttribute("data-dash")).toBe("3,2");
  }));

it("the runs: a dot is dashed until its run is judged, and recorded losses, where none is, have no dots", async () => {
  await withScene("sandbox", {}, async (page) => {
    await page.locator(".dot.open").first().waitFor(LIMIT);
    expect(await page.locator(".dot:not(.open)").count()).toBe(0);
    await page.getByRole("button", { name: "To the end" }).click();
    await expect.poll(() => page.locator(".dot.open").count(), LIMIT).toBe(0);
    expect(await page.locator(".dot").count()).toBe(40);
  });
  await withScene("own", { reducedMotion: "reduce" }, async (page) => {
    await page.getByText("share of rounds, all 10 runs").waitFor(LIMIT);
    expect(await page.locator(".dot").count()).toBe(0);
  });
});

it("a count of stuck runs opens to what stuck means", () =>
  withScene("race", {}, async (page) => {
    const words = page.getByText("A run is stuck if its regret in the last fifth of the rounds is more than half that of uniform play.");
    expect(await words.isVisible()).toBe(false);
    await page.locator(".counted summary").click();
    expect(await words.isVisible()).toBe(true);
    await page.getByRole("link", { name: "2 Means" }).click();
    await expect.poll(() => page.locator(".counted").textContent()).not.toContain("stuck");
  }));

it.each(SCENES.map(({ name }) => name))("%s shows its claim and its figure in the first window of a phone", (scene) =>
  withScene(scene, { reducedMotion: "reduce", viewport: { width: 390, height: 844 } }, async (page) => {
    const figure = page.locator(scene === "you" ? ".presses" : ".chart").first();
    await figure.waitFor(LIMIT);
    const { y, height } = (await figure.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(844);
    if (scene !== "you") expect((await page.locator(".legend .item").first().boundingBox())!.y).toBeLessThan(844);
    // What was counted comes after it.
    expect((await page.locator(".counted").boundingBox())!.y).toBeGreaterThan(y + height);
    if (scene === "two-worlds") expect(await page.locator(".pair h3").first().textContent()).toMatch(/^The level moves/);
  }),
);

it("the two worlds: the sentence about the runs follows the level, as the dots do", () =>
  withScene("two-worlds", { reducedMotion: "reduce" }, async (page) => {
    const prose = page.locator(".step").nth(1);
    await expect
      .poll(() => prose.textContent(), LIMIT)
      .toContain("Of 20 runs each, stuck at the end: HTINF 0, UCB1 3, Thompson 4. Their regret by then: HTINF 534 to 943,");
    await page.getByRole("slider", { name: "The level of all losses moves by, in the text" }).focus();
    await page.keyboard.press("PageDown");
    await expect.poll(() => prose.textContent(), LIMIT).toContain("Of 20 runs each, stuck at the end: HTINF 0, UCB1 0, Thompson 0.");
    const dots = await page.locator(".pair section").nth(1).locator(".dot-count").allTextContents();
    expect(dots).toEqual(["stuck: 0 of 20", "stuck: 0 of 20", "stuck: 0 of 20"]);
    // With medians nothing is left of the worst runs.
    expect(await page.locator(".pair").textContent()).toContain("regret up to");
    await page.getByLabel("worst run bold").uncheck();
    await expect.poll(() => page.locator(".pair").textContent()).not.toMatch(/worst|regret up to/);
  }));

it("the means: with less motion there are two pictures, one at once and the end", () =>
  withScene("means", { reducedMotion: "reduce" }, async (page) => {
    const seen = await page.evaluate(async () => {
      const draws = new Set<number>();
      while (!draws.has(1_000_000)) {
        const words = /After ([\d,]+) draws the mean/.exec(document.body.textContent!);
        if (words !== null) draws.add(Number(words[1]!.replaceAll(",", "")));
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return [...draws];
    });
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBeGreaterThanOrEqual(1_000);
  }));

it("the tail that can be dragged: nothing is selected, and what is said of one share names it", () =>
  withScene("fails", { reducedMotion: "reduce" }, async (page) => {
    const knob = (await page.locator(".two-sided .knob").boundingBox())!;
    await page.mouse.move(knob.x + 5, knob.y + 5);
    await page.mouse.down();
    await page.mouse.move(knob.x - 200, knob.y + 30, { steps: 5 });
    await page.mouse.up();
    expect(await page.evaluate(() => String(getSelection()))).toBe("");
    await expect.poll(() => page.locator(".handles .slider b").textContent()).not.toBe("100 %");
    expect((await page.locator(".step").first().textContent())!.replaceAll("\u00a0", " ")).toContain("at 100 %, arm 1 usually costs 2, but gains 48");
  }));

it("the probabilities: the table says after which loss", () =>
  withScene("probabilities", { reducedMotion: "reduce" }, async (page) => {
    expect(await page.locator(".shares thead th").first().textContent()).toBe("probability after a loss of 10");
    await page.getByRole("slider", { name: "Unlucky loss of arm 3:", exact: true }).press("End");
    await expect.poll(() => page.locator(".shares thead th").first().textContent()).toBe("probability after a loss of 1,000");
  }));

it("the tail that can be dragged: the knob leaves the words free", () =>
  withScene("fails", {}, async (page) => {
    const knob = (await page.locator(".two-sided .knob").boundingBox())!;
    expect((await page.locator(".two-sided text", { hasText: "gains 48" }).boundingBox())!.y).toBeGreaterThanOrEqual(knob.y + knob.height - 1);
  }));

it("the steps: scrolling sets the figure where both are in view, and a number in the prose is a handle", () =>
  withScene("race", { reducedMotion: "reduce" }, async (page) => {
    await page.locator(".chart").first().waitFor(LIMIT);
    await page
      .locator(".step")
      .nth(2)
      .evaluate((step) => scrollTo(0, step.getBoundingClientRect().top + scrollY - 0.3 * innerHeight));
    await page.locator(".dot-row").nth(4).waitFor(LIMIT);
    expect(await page.locator(".handles input").inputValue()).toBe("20");
    // The figure stayed in view.
    expect((await page.locator(".stage .chart").first().boundingBox())!.y).toBeGreaterThanOrEqual(0);
    await page.getByRole("slider", { name: "Seeds, in the text" }).focus();
    await page.keyboard.press("PageDown");
    await expect.poll(() => page.locator(".handles input").inputValue(), LIMIT).toBe("15");
  }));

it("the steps: the focus that passes one sets nothing, and the wheel that follows does; at its end the figure leaves what is below it free", () =>
  withScene("race", { reducedMotion: "reduce" }, async (page) => {
    await page.locator(".chart").first().waitFor(LIMIT);
    await page.locator(".step-title").nth(2).focus();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    // The last step is where it is read, but only the focus has brought it there.
    await page
      .locator(".step")
      .nth(2)
      .evaluate((step) => scrollTo(0, step.getBoundingClientRect().top + scrollY - 0.3 * innerHeight));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await page.locator(".handles input").inputValue()).toBe("1");
    await page.mouse.move(100, 500);
    await page.mouse.wheel(0, 4);
    await expect.poll(() => page.locator(".handles input").inputValue(), LIMIT).toBe("20");
    await page.locator(".dot-row").nth(4).waitFor(LIMIT);
    await page.mouse.wheel(0, 5_000);
    const edges = () =>
      page.evaluate(() => ({
        figure: document.querySelector(".held")!.getBoundingClientRect().bottom,
        rest: document.querySelector(".rest")!.getBoundingClientRect().top,
        isEnd: scrollY + innerHeight >= document.documentElement.scrollHeight - 1,
      }));
    await expect.poll(async () => (await edges()).isEnd, LIMIT).toBe(true);
    const { figure, rest } = await edges();
    expect(figure).toBeLessThanOrEqual(rest);
  }));

it.each([390, 768])("the best arm's column is in view at %d px", (width) =>
  withScene("race", { reducedMotion: "reduce", viewport: { width, height: 900 } }, async (page) => {
    const best = page.locator(".shares thead th.best");
    await best.waitFor(LIMIT);
    const { x, width: wide } = (await best.boundingBox())!;
    const box = (await page.locator("section.scroller", { has: best }).boundingBox())!;
    expect(x + wide).toBeLessThanOrEqual(box.x + box.width + 1);
  }),
);

it("the game: the rival stays hidden until the end, and then both are replayed", () =>
  withScene("you", { reducedMotion: "reduce" }, async (page) => {
    const presses = page.locator(".presses");
    // Before the first press there is an earlier game, so that something can be seen of the claim.
    expect(await presses.getAttribute("aria-label")).toMatch(/^You: ; Rival's earlier game: (?:(?:Left|Middle|Right)(?:, )?){40}$/);
    await page.getByText(/^The earlier game is one that went wrong: (?:Left|Middle|Right) was the best button/).waitFor();
    const word = (await presses.locator("text", { hasText: "earlier" }).boundingBox())!;
    expect(word.x + word.width).toBeLessThan((await presses.locator("rect").first().boundingBox())!.x);
    for (let i = 0; i < 40; i++) {
      if (i > 0) expect(await presses.getAttribute("aria-label")).toContain("Rival: hidden");
      await page
        .locator(".buttons button")
        .nth(i % 3)
        .click();
    }
    await page.getByText("after 40 presses").waitFor(LIMIT);
    await page.getByText(/^You paid [\d.,]+ and MatchedTINF [\d.,]+: (?:you win|MatchedTINF wins)\. By regret, /).waitFor(LIMIT);
    expect(((await presses.getAttribute("aria-label"))!.match(/Left|Middle|Right/g) ?? []).length).toBe(80);
  }));

it.each([360, 1_280])("the game: at %d px the buttons keep their height", (width) =>
  withScene("you", { reducedMotion: "reduce", viewport: { width, height: 800 } }, async (page) => {
    const button = page.locator(".buttons button").first();
    const { height } = (await button.boundingBox())!;
    for (let i = 0; i < 40; i++) {
      await page
        .locator(".buttons button")
        .nth(i % 3)
        .click();
      expect((await button.boundingBox())!.height).toBe(height);
    }
  }),
);

it("your own losses: a file is played with its names, and the advice is that of the command", () =>
  withScene("own", { reducedMotion: "reduce" }, async (page) => {
    const { names, losses } = sampleTable(7);
    const text = `${[names, ...losses].map((row) => row.join(",")).join("\n")}\n`;
    await page.getByLabel("Load your own losses").setInputFiles({ name: "own.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByRole("heading", { name: "own.csv: 1,500 rounds of 3 arms" }).waitFor(LIMIT);
    expect(await page.getByLabel("Load your own losses").evaluate((input) => (input as HTMLInputElement).files![0]!.name)).toBe("own.csv");
    const folder = mkdtempSync(join(tmpdir(), "tsallis-own-"));
    try {
      const file = join(folder, "own.csv");
      writeFileSync(file, text);
      const args = ["packages/cli/bin/tsallis.js", "advise", "--data", file, "--json"];
      const { recommendation } = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }));
      expect(await page.locator(".advice .spec").textContent()).toBe(JSON.stringify(recommendation.spec));
      const shown = await page.locator(".advice li").allTextContents();
      for (const sentence of [...recommendation.reasons, ...recommendation.warnings]) expect(shown).toContain(sentence);
    } finally {
      rmSync(folder, { recursive: true });
    }
    await expect.poll(() => page.locator(".shares thead th").allTextContents(), LIMIT).toEqual(["share of rounds, all 10 runs", ...names]);
  }));

it("your own losses: the guide's file, whose columns are not equally long, is dropped and has the advice of the command; a bad one changes nothing", () =>
  withScene("own", { reducedMotion: "reduce" }, async (page) => {
    const drop = (name: string, text: string) =>
      page.locator(".drop").evaluate(
        (target, [file, content]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([content!], file!, { type: "text/csv" }));
          target.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        },
        [name, text],
      );
    await drop("bad.csv", "a,b\n1,x\n");
    await page.getByText('bad.csv: line 2, column 2: "x" is not a number').waitFor(LIMIT);
    // What stands below it is not of that file.
    await page.getByRole("heading", { name: "Advice for the sample" }).waitFor(LIMIT);
    await drop("losses.csv", read("docs/guides/losses.csv"));
    await page.getByRole("heading", { name: "losses.csv: 1,000 rounds of 3 arms" }).waitFor(LIMIT);
    await page.getByRole("heading", { name: "Advice for losses.csv" }).waitFor(LIMIT);
    await page.getByText("losses.csv: 800 of 1,000 rows have a loss in every column, and a race uses only these.").waitFor(LIMIT);
    expect(await page.getByLabel("Load your own losses").evaluate((input) => (input as HTMLInputElement).files![0]!.name)).toBe("losses.csv");
    const args = ["packages/cli/bin/tsallis.js", "advise", "--data", "docs/guides/losses.csv", "--json"];
    const { recommendation } = JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }));
    expect(await page.locator(".advice .spec").textContent()).toBe(JSON.stringify(recommendation.spec));
    const shown = await page.locator(".advice li").allTextContents();
    for (const sentence of [...recommendation.reasons, ...recommendation.warnings]) expect(shown).toContain(sentence);
    await page.getByText(/^The advised policy did not pay least here\. Median regret: UCB1 27\.7, .*advised 391\./).waitFor(LIMIT);
  }));

it("your own losses: the tails and the race are in the first window", () =>
  withScene("own", { reducedMotion: "reduce", viewport: { width: 1440, height: 900 } }, async (page) => {
    const charts = page.locator(".chart");
    await expect.poll(() => charts.count(), LIMIT).toBe(2);
    expect(await charts.first().locator("input").getAttribute("aria-label")).toBe("Share of losses that are larger");
    for (const legend of await page.locator(".legend").all()) {
      const { y, height } = (await legend.boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(900);
    }
  }));

it("eight policies with twenty seeds and a million rounds show their time left", async () => {
  const lomax = (scale: number) => ({ distribution: "lomax", shape: 1.6, scale });
  const race: Race = {
    world: { environment: "stochastic", alpha: 1.5, arms: [lomax(1), lomax(2)] },
    policies: Array.from({ length: 8 }, (_, i) => ({ label: `policy ${i}`, spec: { policy: "matched-tinf" } })),
    seeds: 20,
    rounds: 1_000_000,
  };
  await withScene(
    "sandbox",
    {},
    async (page) => {
      await page.getByRole("button", { name: "To the end" }).click();
      await page.getByText(/of 1,000,000 rounds, about \d+ (?:s|min) left/).waitFor(LIMIT);
    },
    race,
  );
});

it.each([360, 390, 768, 1024, 1440])("every scene can be reached at %i px without scrolling the line of progress", (width) =>
  withScene("probabilities", { viewport: { width, height: 900 } }, async (page) => {
    const [needed, there] = await page.locator(".progress").evaluate((list) => [list.scrollWidth, list.clientWidth]);
    expect(needed).toBeLessThanOrEqual(there!);
    expect(await page.getByRole("link", { name: "11 Sandbox" }).isVisible()).toBe(true);
  }),
);

it("the parameters begin with the three lines of the claim; the second step adds the other policies and their epochs", () =>
  withScene("parameters", { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" }, async (page) => {
    const rows = page.locator(".dot-row .swatched");
    await expect.poll(() => rows.allTextContents(), LIMIT).toEqual(["HTINF true sigma", "HTINF 10x sigma", "MatchedTINF"]);
    const epochs = page.getByRole("slider", { name: "Doublings of AdaTINF and Ada2TINF" });
    expect(await epochs.count()).toBe(0);
    await page.getByRole("button", { name: "Others do without it" }).click();
    await epochs.waitFor();
    expect(await rows.count()).toBe(6);
    // The whole figure is in view.
    await expect.poll(async () => (await page.locator(".held").boundingBox())!.height, LIMIT).toBeLessThan(888);
    await page.getByRole("button", { name: "Too small is cheaper here" }).click();
    await expect.poll(() => rows.allTextContents(), LIMIT).toEqual(["HTINF true sigma", "HTINF 0.5x sigma", "MatchedTINF"]);
  }));

it("the two worlds have their dots at the same height, and with their note in the first window", () =>
  withScene("two-worlds", { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" }, async (page) => {
    const note = page.locator(".dot-note");
    await note.waitFor(LIMIT);
    const { y, height } = (await note.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(900);
    await page.setViewportSize({ width: 768, height: 1024 });
    const tops = await page.locator(".pair .dots").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(tops[0]).toBe(tops[1]);
  }));

it("the game has letters that can be read on a small screen", () =>
  withScene("you", { viewport: { width: 390, height: 844 } }, async (page) => {
    for (let i = 0; i < 21; i++) await page.getByRole("button", { name: /^Left/ }).click();
    const letters = await page.locator(".presses rect + .letter").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(letters).toHaveLength(21);
    expect(Math.min(...letters)).toBeGreaterThan(8);
  }));

it("the names of the sandbox's arms are not drawn over their hills", () =>
  withScene("sandbox", {}, async (page) => {
    await page.getByRole("button", { name: "Rare gains" }).click();
    const ridge = page.locator(".ridge").first();
    const [hill, name] = [(await ridge.locator("svg").boundingBox())!, (await ridge.locator(".ridge-name").boundingBox())!];
    expect(name.y + name.height).toBeLessThanOrEqual(hill.y);
  }));
