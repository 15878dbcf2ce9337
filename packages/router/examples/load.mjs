// Four replicas that are equally fast but can work on 8, 4, 4 and 2 requests at a time. Nobody tells the router; it learns what each one carries.
// It is a simulation with a clock of its own: tickets, and no network. Run it: node packages/router/examples/load.mjs
import { createRouter } from "@tsallis/router";
import { stream, weibull } from "tsallis";

const WORKERS = { big: 8, middle: 4, other: 4, small: 2 };
const WORK_SECONDS = 0.02;
/** Requests per second: 60 % of what all of them can carry together. */
const RATE = (0.6 * (8 + 4 + 4 + 2)) / WORK_SECONDS;
const names = Object.keys(WORKERS);

/** Sends 20,000 requests; `choose` says where each one goes, and `answered` is called when its answer comes. */
function simulate(choose, answered, clock) {
  const rng = stream(1, "load");
  const between = weibull({ shape: 1, scale: 1 / RATE });
  const work = weibull({ shape: 1, scale: WORK_SECONDS });
  const free = new Map(names.map((name) => [name, Array(WORKERS[name]).fill(0)]));
  const count = Object.fromEntries(names.map((name) => [name, 0]));
  let underWay = [];
  let time = 0;
  let total = 0;
  for (let i = 0; i < 20_000; i++) {
    time += between.sample(rng);
    const ended = underWay.filter(({ end }) => end <= time).sort((a, b) => a.end - b.end);
    underWay = underWay.filter(({ end }) => end > time);
    for (const { end, start, sent } of ended) {
      clock.now = end;
      answered(sent, end - start);
    }
    clock.now = time;
    const { upstream, sent } = choose(i);
    // The first worker that is free takes it.
    const workers = free.get(upstream).sort((a, b) => a - b);
    workers[0] = Math.max(workers[0], time) + work.sample(rng);
    underWay.push({ start: time, end: workers[0], sent });
    total += workers[0] - time;
    count[upstream]++;
  }
  const shares = names.map((name) => `${name} ${((100 * count[name]) / 20_000).toFixed(0)} %`).join(", ");
  return `mean ${((1000 * total) / 20_000).toFixed(0)} ms; ${shares}`;
}

const turns = simulate(
  (i) => ({ upstream: names[i % names.length] }),
  () => {},
  {},
);
console.log(`round robin: ${turns}`);

const clock = { now: 0 };
const router = createRouter({ upstreams: names, timeoutMs: 5000, lossIsElapsedSeconds: true, clockSeconds: () => clock.now, seed: 1 });
const learned = simulate(
  () => {
    const ticket = router.choose();
    return { upstream: ticket.upstream, sent: ticket };
  },
  (ticket, seconds) => ticket.done(seconds),
  clock,
);
console.log(`the router:  ${learned}\n`);

for (const { upstream, load } of router.explain().upstreams) {
  const steps = load.curve.map(({ inFlight, factor }) => `${inFlight}: ${factor.toFixed(2)}`).join(", ");
  console.log(`${upstream}, by requests in flight: ${steps}`);
}
console.log(`\n${router.explain().why}`);
await router.close();
