// Compiles the paper of docs/guides/from-a-run-to-a-paper.md as a reader would: its commands, its LaTeX, its results. Needs pdflatex (Debian:
// texlive-latex-recommended, texlive-pictures). Run every night, after a build; prints where the paper is.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const page = readFileSync(new URL("../docs/guides/from-a-run-to-a-paper.md", import.meta.url), "utf8");
/** @param {string} language */
const blocks = (language) => [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, text]) => text ?? "");
const folder = mkdtempSync(join(tmpdir(), "tsallis-paper-"));
writeFileSync(join(folder, "paper.tex"), blocks("latex").join(""));
const command = `node ${resolve(fileURLToPath(new URL(".", import.meta.url)), "../packages/cli/bin/tsallis.js")}`;
const [run = "", compile = ""] = blocks("sh");
const script = `set -e\n${run.replaceAll("npx tsallis", command)}${compile.replaceAll("pdflatex ", "pdflatex -halt-on-error -interaction=nonstopmode ")}`;
execFileSync("sh", ["-c", script], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
const log = readFileSync(join(folder, "paper.log"), "utf8");
const problems = log.match(/^(!.*|LaTeX Warning: .*undefined.*|Overfull \\hbox \(\d{2,}.*)$/gm);
if (problems !== null) throw new Error(`paper.tex compiles, but: ${problems.join("; ")}`);
if (!/Output written on paper\.pdf \(1 page/.test(log)) throw new Error("the paper is not one page");
console.log(join(folder, "paper.pdf"));
