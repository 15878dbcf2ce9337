import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { Failure } from "../text/failure.js";

const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** Prints every SVG of one folder into another, as a PDF of one page of its size. It takes the browser of the variable CHROMIUM, or one on the path. */
export async function printFigures(figures: string, target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "tsallis-pdf-"));
  try {
    for (const name of readdirSync(figures).filter((file) => file.endsWith(".svg"))) {
      const svg = readFileSync(join(figures, name), "utf8");
      const page = join(scratch, "figure.html");
      writeFileSync(page, pageOf(svg));
      await print(page, resolve(target, `${basename(name, ".svg")}.pdf`), scratch);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function pageOf(svg: string): string {
  const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg)!;
  return `<!doctype html><meta charset="utf-8"><style>@page{size:${width}px ${height}px;margin:0}body{margin:0}svg{display:block}</style>${svg}`;
}

async function print(page: string, file: string, scratch: string): Promise<void> {
  const named = process.env.CHROMIUM;
  const options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", `--user-data-dir=${scratch}`, `--print-to-pdf=${file}`];
  // Chromium has no sandbox for root.
  if (process.getuid?.() === 0) options.push("--no-sandbox");
  for (const browser of named ? [named] : BROWSERS) {
    try {
      await promisify(execFile)(browser, [...options, page]);
      return;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT") throw new Failure("ERR_BROWSER", `${browser} could not print: ${message}`, file, 1);
    }
  }
  const remedy = "install Chromium, or name it in the variable CHROMIUM; figures/*.svg and figures/*.pgf need none";
  throw new Failure("ERR_BROWSER", `no browser could be started: there is no ${named ?? "chromium here"}; ${remedy}`, "--pdf", 1);
}
