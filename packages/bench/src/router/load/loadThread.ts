import { parentPort } from "node:worker_threads";
import { type LoadTask, playLoad } from "./playLoad.js";

parentPort!.on("message", (task: LoadTask) => {
  parentPort!.postMessage(playLoad(task));
});
