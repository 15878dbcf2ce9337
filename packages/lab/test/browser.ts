import { type Browser, chromium as playwright } from "playwright-core";
import { chromium } from "../../../scripts/parts.mjs";

/** Headless Chromium that keeps its own business to itself. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = chromium();
  if (executablePath === undefined) throw new Error("Chromium is missing: run `npm test`, which installs it or says how");
  const quiet = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return playwright.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox", ...quiet] : quiet });
}
