import { parentPort } from "node:worker_threads";
import { type CallTask, timeCalls } from "./callTimer.js";
import { type RoundTask, timeRounds } from "./roundTimer.js";

parentPort!.on("message", (task: RoundTask | CallTask) => {
  parentPort!.postMessage(task.kind === "rounds" ? timeRounds(task) : timeCalls(task));
});
