import { chromium as playwright } from "playwright-core";
import { chromium } from "../scripts/parts.mjs";

/** The result of a script in Chromium, and everything that Chromium complained about. */
export interface BrowserRun {
  readonly version: string;
  readonly result: unknown;
  readonly errors: readonly string[];
}

/** Runs a classic script in an empty page of headless Chromium, then evaluates an expression there. */
export async function runInChromium(script: string, expression: string): Promise<BrowserRun> {
  const executablePath = chromium();
  if (executablePath === undefined) throw new Error("Chromium is missing: run `npm test`, which installs it or says how");
  const quiet = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
  ];
  const args = process.getuid?.() === 0 ? ["--no-sandbox", ...quiet] : quiet;
  const browser = await playwright.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.addScriptTag({ content: script });
    return { version: `Chromium ${browser.version()}`, result: await page.evaluate(expression), errors };
  } finally {
    await browser.close();
  }
}
