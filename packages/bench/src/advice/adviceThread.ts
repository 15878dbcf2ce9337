import { parentPort } from "node:worker_threads";
import { type AdviceTask, playAdvice } from "./playAdvice.js";

parentPort!.on("message", (task: AdviceTask) => {
  parentPort!.postMessage(playAdvice(task));
});
