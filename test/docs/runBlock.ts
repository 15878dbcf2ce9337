import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import ts from "typescript";
import { ROOT } from "../repository.js";
import type { Block } from "./blocks.js";

/** Commands that are shown but never run: they install, change the repository, or run this very test. */
const SHOWN = [
  "npm ci",
  "npm ci && npm test",
  "npm test",
  "npm install",
  "npm start",
  "npm run bench",
  "npm run build",
  "npm run new",
  "npm run site",
  "npm run test:fast",
  "git clone",
  "cd tsallis",
];

/** A benchmark whose output is compared; with -s, npm adds nothing to it. */
const BENCH = "npm run -s bench -- ";

/** Runs a block in the repository's folder. Returns what it printed on stdout, or undefined if it is only for show. Throws if it fails. */
export async function runBlock({ at, language, text }: Block): Promise<string | undefined> {
  if (language === "js") return runModule(at, text);
  if (language === "ts") return runModule(at, transpiled(at, text));
  const commands = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  if (commands.some((line) => /(?:^|\| )(?:npx )?tsallis\b/.test(line) || line.startsWith(BENCH))) {
    const setup = commands.find((line) => /^(?:npm|git)\b/.test(line) && !line.startsWith(BENCH));
    if (setup !== undefined) throw new Error(`${at}: "${setup}" would run here; give it a block of its own`);
    return execute(at, "sh", ["-e"], text);
  }
  const stray = commands.find((line) => !SHOWN.some((shown) => line === shown || line.startsWith(`${shown} `)));
  if (stray !== undefined) throw new Error(`${at}: "${stray}" is neither a tsallis command or benchmark nor listed in test/docs/runBlock.ts`);
  return undefined;
}

function transpiled(at: string, source: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  const { outputText, diagnostics = [] } = ts.transpileModule(source, { compilerOptions, reportDiagnostics: true });
  const [complaint] = diagnostics;
  if (complaint !== undefined) throw new Error(`${at}: ${ts.flattenDiagnosticMessageText(complaint.messageText, "\n")}`);
  return outputText;
}

function runModule(at: string, source: string): Promise<string> {
  return execute(at, process.execPath, ["--input-type=module", "-"], source);
}

/** Runs a program that reads its script from stdin. */
function execute(at: string, program: string, args: string[], script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const path = [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter);
    const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, PATH: path, NO_COLOR: "1", npm_config_update_notifier: "false" } });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (data) => (stdout += data));
    child.stderr.setEncoding("utf8").on("data", (data) => (stderr += data));
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${at}: exit code ${code}\n${stderr || stdout}`))));
    child.stdin.end(script);
  });
}
