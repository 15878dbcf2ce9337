import { parentPort } from "node:worker_threads";
import { Failure } from "@tsallis/cli/dist/text/failure.js";
import { type FuzzRun, type FuzzTask, playFuzz } from "./playFuzz.js";

/** The runs, or the reason why a policy failed: an error loses its class on the way between threads. */
export type FuzzAnswer = { readonly runs: readonly FuzzRun[] } | { readonly code: string; readonly message: string };

parentPort!.on("message", (task: FuzzTask) => {
  parentPort!.postMessage(answer(task));
});

function answer(task: FuzzTask): FuzzAnswer {
  try {
    return { runs: playFuzz(task) };
  } catch (error) {
    if (error instanceof Failure) return { code: error.code, message: error.message };
    throw error;
  }
}
