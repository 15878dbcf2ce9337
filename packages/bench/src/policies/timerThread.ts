import { parentPort } from "node:worker_threads";
import { type CallTask, timeCalls } from "./callTimer.js";
import { type GrowthTask, timeGrowth } from "./growthTimer.js";
import type { Timing } from "./measurement.js";
import { type MidwayTask, midway } from "./midway.js";
import { type RoundTask, timeRounds } from "./roundTimer.js";
import { timeYardstick, type YardstickTask } from "./yardstick.js";

type Task = RoundTask | MidwayTask | GrowthTask | CallTask | YardstickTask;

parentPort!.on("message", (task: Task) => {
  parentPort!.postMessage(answer(task));
});

function answer(task: Task) {
  switch (task.kind) {
    case "rounds":
      return timeRounds(task);
    case "midway":
      return midway(task);
    case "growth":
      return timeGrowth(task);
    case "calls":
      return timeOnly(timeCalls(task));
    case "yardstick":
      return timeOnly(timeYardstick(task));
  }
}

function timeOnly(time: number): Timing {
  return { time, kernel: null, buildMs: null };
}
