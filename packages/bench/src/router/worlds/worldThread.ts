import { parentPort } from "node:worker_threads";
import { playWorld, type WorldTask } from "./playWorld.js";

parentPort!.on("message", (task: WorldTask) => {
  parentPort!.postMessage(playWorld(task));
});
