// A program that has the service inside it: the store is argv[2]. It decides and answers ids of its own (argv[3]) and ids that others use too, and prints a line of JSON for each decision.
import { createService } from "../dist/index.js";

const [store, own, count] = process.argv.slice(2);
const service = createService({
  store,
  onEvent: ({ event, message }) => {
    if (event === "problem") throw new Error(message);
  },
});
const bandit = service.bandit("shared");
await bandit.create({ arms: ["a", "b", "c"], seed: 5 });
console.log("it is open");

/** A 503 means: ask again, with the same id. */
async function again(call) {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (error.code !== "ERR_STORE" || tries > 1_000) throw error;
    }
  }
}

async function one(id) {
  const { repeated, ...decision } = await again(() => bandit.decide({ id }));
  const { status } = await again(() => bandit.feedback(decision, { loss: id.length + decision.arm.charCodeAt(0) / 100 }));
  console.log(JSON.stringify({ decision, isNew: repeated !== true, status }));
}

for (let i = 0; i < Number(count); i++) await Promise.all([one(`${own}-${i}`), one(`both-${i}`)]);
await service.close();
console.log("it is closed");
