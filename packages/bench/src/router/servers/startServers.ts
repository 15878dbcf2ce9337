import { fork } from "node:child_process";
import { once } from "node:events";
import type { ServerTask } from "./serverProcess.js";

export interface Servers {
  /** In the order of the upstreams. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

/** Starts real servers (node:http) in a separate process, on free ports of the loopback interface. */
export async function startServers(task: ServerTask, signal: AbortSignal): Promise<Servers> {
  // With "advanced", an array of numbers arrives unchanged, Infinity included.
  const child = fork(new URL("./serverProcess.js", import.meta.url), { serialization: "advanced" });
  const exit = once(child, "exit");
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exit;
  };
  try {
    child.send(task);
    const ended = exit.then(() => Promise.reject(new Error("the process of the servers ended before it was ready")));
    const [urls] = (await Promise.race([once(child, "message", { signal }), ended])) as [string[]];
    return { urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
