// A server in a process of its own, so that its processor time can be told from that of its clients. Started by startServer.ts.
import { createService } from "@tsallis/service";
import { bareService } from "./bareService.js";

/** "bare": the same routes without policy and store. */
const [where] = process.argv.slice(2) as [string];
const service = where === "bare" ? await bareService() : createService({ store: where, port: 0, maxOpen: 1_000_000 });

export type Asked = "usage" | "processor" | "stop";

/** What the server says of itself: processor time so far in microseconds, and the memory that it holds in bytes. */
export interface Usage {
  readonly processor: number;
  readonly heap: number;
  readonly resident: number;
}

process.on("message", async (asked: Asked) => {
  if (asked === "stop") {
    await service.close();
    process.disconnect();
    return;
  }
  if (asked === "processor") {
    const { user, system } = process.cpuUsage();
    process.send!(user + system);
    return;
  }
  // The memory that is in use, not what waits to be collected.
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send!({ processor: user + system, heap: heapUsed + external, resident: rss } satisfies Usage);
});
process.send!(await service.listen());
