import { spawn } from "node:child_process";
import { Failure } from "../text/failure.js";
import { shownPath } from "../text/terminal.js";

/** The programs that open a file with what the user has chosen for its kind. */
const OPENERS: Readonly<Record<string, readonly [command: string, ...first: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};
const ELSEWHERE = ["xdg-open"] as const;

/** Some openers stay as long as the browser does; one that has not failed within this time has opened the file. */
const PATIENCE_MS = 5000;

/** Opens a file in the default browser and leaves it to itself. Fails if there is none. */
export async function openInBrowser(path: string): Promise<void> {
  const [command, ...first] = OPENERS[process.platform] ?? ELSEWHERE;
  const problem = await new Promise<string | null>((resolve) => {
    const child = spawn(command, [...first, path], { stdio: "ignore", detached: true });
    const patience = setTimeout(() => resolve(null), PATIENCE_MS);
    const end = (found: string | null) => {
      clearTimeout(patience);
      resolve(found);
    };
    child.once("error", (error) => end("code" in error && error.code === "ENOENT" ? `there is no ${command} here` : error.message));
    child.once("exit", (code) => end(code === 0 ? null : `${command} ended with ${code}`));
    child.unref();
  });
  if (problem !== null) throw new Failure("ERR_BROWSER", `no browser could be started: ${problem}; open the file yourself`, shownPath(path), 1);
}
