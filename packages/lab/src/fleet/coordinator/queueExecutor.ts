import type { Executor } from "../../executors/executor.js";
import { openEngine } from "../queue/engine.js";
import { openQueues } from "../queue/fleetQueues.js";
import { parseQueueUrl } from "../queue/queueUrl.js";
import { reached } from "../queue/reached.js";
import { Coordinator } from "./coordinator.js";
import type { FleetListener } from "./fleetListener.js";

/** Plays runs on the workers that listen to a queue (`tsallis worker`), on any machines. */
export function queueExecutor(url: string, listener: FleetListener = {}): Executor {
  const queueUrl = parseQueueUrl(url);
  let slots = 0;
  return {
    /** The number of slots that the fleet has at the moment. */
    get workers() {
      return slots;
    },
    async execute(frozen, runs, results, signal) {
      signal.throwIfAborted();
      if (runs.length === 0) return;
      const queues = await reached(
        async () => {
          const opened = await openQueues(await openEngine(queueUrl));
          // Nobody waits for it any more.
          if (signal.aborted) opened.disconnect();
          return opened;
        },
        (reason) => listener.onNotice?.(`the queue at ${queueUrl.shown} does not answer (${reason}); waiting for the server`),
        signal,
      );
      const coordinator = new Coordinator(queues, queueUrl, frozen, results, {
        ...listener,
        onWorkers(workers, all) {
          slots = all;
          listener.onWorkers?.(workers, all);
        },
      });
      try {
        await coordinator.play(runs, signal);
      } finally {
        await coordinator.close();
      }
    },
  };
}
