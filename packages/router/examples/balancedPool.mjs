// The dispatcher as a drop-in replacement for undici's BalancedPool: one line changes, and every call of the program stays the same.
// Run it: node packages/router/examples/balancedPool.mjs
import { createRouter } from "@tsallis/router";
import { BalancedPool, fetch, request, setGlobalDispatcher } from "undici";
import { slowHello, underLoad, warmUp } from "./standIn.mjs";

const replicas = await Promise.all([slowHello("paris", 2), slowHello("tokyo", 10), slowHello("lima", 20)]);
// BalancedPool accepts origins only, without a path.
const upstreams = replicas.map(({ url }) => new URL(url).origin);

/** The program names one service, and the dispatcher decides which replica answers. */
async function program(i) {
  if (i % 2 === 0) await (await request("http://service/items")).body.text();
  else await (await fetch("http://service/items")).text();
}

async function measure(title, dispatcher) {
  for (const replica of replicas) replica.answers = 0;
  setGlobalDispatcher(dispatcher);
  const mean = await underLoad(900, program);
  const shares = replicas.map(({ name, answers }) => `${name} ${answers}`).join(", ");
  console.log(`${title}: ${shares} requests; mean ${mean.toFixed(1)} ms`);
  await dispatcher.close();
}

await warmUp(replicas);
await measure("BalancedPool", new BalancedPool(upstreams));
const router = createRouter({ upstreams, timeoutMs: 5000, seed: 1 });
await measure("router      ", router.dispatcher());
console.log(`\n${router.explain().why}`);

for (const replica of replicas) replica.close();
