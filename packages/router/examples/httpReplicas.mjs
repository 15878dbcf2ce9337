// Replicas of an HTTP service through router.fetch. Halfway through the run the fastest replica becomes slow, and the router notices.
// Run it: node packages/router/examples/httpReplicas.mjs
import { subscribe } from "node:diagnostics_channel";
import { createRouter } from "@tsallis/router";
import { slowHello, underLoad, warmUp } from "./standIn.mjs";

const replicas = await Promise.all([slowHello("paris", 10), slowHello("tokyo", 50), slowHello("lima", 100)]);
const upstreams = replicas.map(({ url }) => url);
const router = createRouter({ upstreams, timeoutMs: 10_000, seed: 1 });

// This channel reports that the favourite has become slower; router.explain().alarms counts that.
subscribe("tsallis:router:alarm", ({ round, upstream }) => console.log(`\nrequest ${round}: ${upstream} has become slower`));

async function measure(title) {
  const before = router.explain().upstreams;
  const ours = await underLoad(1000, async (i) => {
    const response = await router.fetch(`/items/${i}`);
    await response.text();
  });
  const roundRobin = await underLoad(300, async (i) => {
    const response = await fetch(`${upstreams[i % upstreams.length]}/items/${i}`);
    await response.text();
  });
  const { upstreams: after, why } = router.explain();
  console.log(`\n${title}`);
  for (const [i, { name }] of replicas.entries()) console.log(`  ${name.padEnd(6)} ${after[i].chosen - before[i].chosen} requests`);
  console.log(`  mean   ${ours.toFixed(1)} ms, round robin ${roundRobin.toFixed(1)} ms`);
  console.log(`  ${why}`);
}

await warmUp(replicas);
await measure("paris is the fastest");
replicas[0].shortest = 200;
await measure("paris is the slowest");

await router.close();
for (const replica of replicas) replica.close();
