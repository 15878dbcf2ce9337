import { fork } from "node:child_process";
import { once } from "node:events";
import type { Asked, Usage } from "./serviceProcess.js";

export interface StartedServer {
  readonly url: string;
  usage(): Promise<Usage>;
  /** Processor time so far, in microseconds. */
  processor(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a server: "bare", or the service on a file. */
export async function startServer(where: string, signal: AbortSignal): Promise<StartedServer> {
  const child = fork(new URL("./serviceProcess.js", import.meta.url), [where], { execArgv: ["--expose-gc"] });
  const exit = once(child, "exit");
  const ended = exit.then(() => Promise.reject(new Error("the process of the server ended")));
  ended.catch(() => {});
  const heard = async <Heard>(): Promise<Heard> => {
    const [heard] = (await Promise.race([once(child, "message", { signal }), ended])) as [Heard];
    return heard;
  };
  const ask = (asked: Asked) => child.send(asked);
  const url = await heard<string>();
  return {
    url: url.replace(/\/$/, ""),
    usage: () => {
      ask("usage");
      return heard<Usage>();
    },
    processor: () => {
      ask("processor");
      return heard<number>();
    },
    stop: async () => {
      ask("stop");
      await exit;
    },
  };
}
