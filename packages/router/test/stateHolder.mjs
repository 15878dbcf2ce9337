// A separate process with a router that keeps its state in the file argv[2]. Messages say what to do; it answers each with the outcome.
import { createRouter } from "../dist/index.js";

let router = null;
process.on("message", async ({ id, command, options, rounds }) => {
  try {
    if (command === "create") router = createRouter({ upstreams: ["a", "b"], seed: 1, state: { file: process.argv[2], ...options } });
    if (command === "play") for (let i = 0; i < rounds; i++) router.choose().done(i / 100);
    if (command === "leave open") for (let i = 0; i < rounds; i++) router.choose();
    if (command === "close") await router.close();
    process.send({ id, explanation: router?.explain() });
  } catch (error) {
    process.send({ id, error: { name: error.name, code: error.code, message: error.message } });
  }
});
process.on("disconnect", () => process.exit());
process.send({ id: 0 });
