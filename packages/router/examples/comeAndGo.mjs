// Upstreams that come and go: two replicas are replaced by two others while requests are under way, and no request fails.
// Run it: node packages/router/examples/comeAndGo.mjs
import { createRouter } from "@tsallis/router";
import { slowHello, underLoad } from "./standIn.mjs";

const [paris, tokyo, lima, cairo] = await Promise.all([slowHello("paris", 4), slowHello("tokyo", 4), slowHello("lima", 2), slowHello("cairo", 2)]);
const replicas = [paris, tokyo, lima, cairo];
const router = createRouter({ upstreams: [paris.url, tokyo.url], timeoutMs: 5000, seed: 1 });

/** What happens before the request of this number is sent. */
const changes = new Map([
  [400, () => router.add(lima.url)],
  [600, () => router.remove(paris.url)],
  [800, () => router.add(cairo.url)],
  [1000, () => router.remove(tokyo.url)],
]);

let failed = 0;
await underLoad(1500, async (i) => {
  changes.get(i)?.();
  try {
    await (await router.fetch(`/items/${i}`)).text();
  } catch {
    failed++;
  }
});

for (const { name, answers } of replicas) console.log(`${name.padEnd(5)} ${answers} answers`);
console.log(`${failed} failed`);
console.log(`the upstreams are now ${router.upstreams.join(" and ")}`);

await router.close();
for (const replica of replicas) replica.close();
