import { parentPort } from "node:worker_threads";
import { type LogTask, playLog } from "./playLog.js";
import { playRace, type RaceTask } from "./playRace.js";

parentPort!.on("message", (task: LogTask | RaceTask) => {
  parentPort!.postMessage("maker" in task ? playLog(task) : playRace(task));
});
