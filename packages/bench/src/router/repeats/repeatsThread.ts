import { parentPort } from "node:worker_threads";
import { playRepeats, type RepeatsTask } from "./playRepeats.js";

parentPort!.on("message", (task: RepeatsTask) => {
  parentPort!.postMessage(playRepeats(task));
});
