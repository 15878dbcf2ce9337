import { ended, startIn } from "./command.js";
import type { Ended } from "./ended.js";

/** A service that runs as a process. */
export interface Serving {
  readonly url: string;
  readonly child: ReturnType<typeof startIn>;
  /** All that it has printed so far. */
  readonly printed: { stdout: string; stderr: string };
  readonly ended: Promise<Ended>;
  /** Sends a signal, and waits for the end. */
  stop(signal?: "SIGTERM" | "SIGINT"): Promise<Ended>;
}

const ADDRESS = /(?:^dashboard {2}|"url":")(http:[^\s"]+)/m;

/** Starts `tsallis serve` on any free port, and waits until it has told its address. */
export function serving(cwd: string, ...args: string[]): Promise<Serving> {
  const child = startIn(cwd, "serve", "--port", "0", ...args);
  const printed = { stdout: "", stderr: "" };
  const all = ended(child);
  child.stderr.on("data", (text) => (printed.stderr += text));
  const stop = (signal: "SIGTERM" | "SIGINT" = "SIGTERM") => {
    child.kill(signal);
    return all;
  };
  return new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      printed.stdout += text;
      const url = ADDRESS.exec(printed.stdout)?.[1];
      if (url !== undefined) resolve({ url, child, printed, ended: all, stop });
    });
    all.then(({ code, stderr }) => reject(new Error(`it ended with ${code}: ${stderr}`)), reject);
  });
}
