// A thread with its own copy of the package and a router that keeps its state in the file workerData. Messages say what to do.
import { parentPort, workerData } from "node:worker_threads";
import { createRouter } from "../dist/index.js";

let router = null;
parentPort.on("message", async (command) => {
  try {
    if (command === "create") router = createRouter({ upstreams: ["a", "b"], seed: 1, state: workerData });
    if (command === "close") await router.close();
    parentPort.postMessage("done");
  } catch (error) {
    parentPort.postMessage(error.code);
  }
});
