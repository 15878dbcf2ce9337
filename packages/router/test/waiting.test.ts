// A request that still waits is learned as soon as its wait decides what it teaches. The tests have their own clock, so nothing here depends on time.
import { DEFAULT_POLICY, stream } from "tsallis";
import { afterEach, describe, expect, test } from "vitest";
import { createRouter, DEFAULT_DETECT, DEFAULT_HALF_LIFE, type Router, type RouterOptions } from "../src/index.js";
import { Model } from "./model.js";
import { sums } from "./sums.js";

let time = 0;
const routers: Router[] = [];

afterEach(async () => {
  await Promise.all(routers.splice(0).map((router) => router.close()));
  time = 0;
});

function create(options: Partial<RouterOptions>): Router {
  const router = createRouter({ upstreams: ["a", "b"], timeoutMs: 5000, seed: 1, clockSeconds: () => time, ...options });
  routers.push(router);
  return router;
}

const routerOf = (options: Partial<RouterOptions> = {}) => create({ lossIsElapsedSeconds: true, ...options });

/** 300 requests, one after the other: a takes 0.1 to 0.2 s, b 0.2 s more. */
function warm(router: Router): void {
  const noise = stream(1, "noise");
  for (let i = 0; i < 300; i++) {
    const ticket = router.choose();
    const seconds = 0.1 + 0.1 * noise.uniform() + (ticket.upstream === "b" ? 0.2 : 0);
    time += seconds;
    ticket.done(seconds);
  }
}

const overdue = (router: Router) => router.explain().upstreams.map((upstream) => upstream.overdue);
const probabilityOf = (router: Router, name: string) => router.explain().upstreams.find(({ upstream }) => upstream === name)!.probability!;

/** Sends requests 20 ms apart to the upstreams that the router chooses; those to a hang. Returns the tickets of a. */
function hangAt(router: Router, requests: number) {
  const tickets = [];
  for (let i = 0; i < requests; i++) {
    time += 0.02;
    const ticket = router.choose();
    if (ticket.upstream === "a") tickets.push(ticket);
    else ticket.done(0.35);
  }
  return tickets;
}

describe("waiting", () => {
  test("an upstream that hangs loses its favour long before the first timeout", () => {
    const router = routerOf();
    warm(router);
    expect(probabilityOf(router, "a")).toBeGreaterThan(0.9);
    hangAt(router, 200);
    // Few, because the requests that pile up there turn the others away before their waits are learned.
    expect(overdue(router)[0]).toBeGreaterThan(0);
    expect(probabilityOf(router, "a")).toBeLessThan(0.1);
    sums(router);
  });

  test("the same tickets without this option, which is the default, leave the favourite unchanged", () => {
    for (const options of [{ lossIsElapsedSeconds: false }, {}]) {
      time = 0;
      const router = create(options);
      warm(router);
      hangAt(router, 200);
      expect(overdue(router)).toEqual([0, 0]);
      expect(probabilityOf(router, "a")).toBeGreaterThan(0.9);
    }
  });

  test("reference: the policy learns the same as one that gets each wait when it is settled, and nothing when the request ends", () => {
    const router = routerOf();
    const model = new Model({ ...DEFAULT_POLICY, halfLife: DEFAULT_HALF_LIFE, detect: DEFAULT_DETECT }, 2, 1, { inSeconds: true, penalty: 5 });
    const both = () => ({ ticket: router.choose(), request: model.choose(time) });
    for (let i = 0; i < 300; i++) {
      const { ticket, request } = both();
      const seconds = ticket.upstream === "a" ? 0.15 : 0.35;
      time += seconds;
      ticket.done(seconds);
      model.done(request, seconds, time);
    }
    const state = () => router.snapshot().routes[0]!.policy.state;
    // The model sums the missing answers in another order, so the last digits differ.
    const rounded = (value: unknown) =>
      JSON.parse(JSON.stringify(value), (_, each) => (typeof each === "number" ? Number(each.toPrecision(9)) : each));
    const open: ReturnType<typeof both>[] = [];
    for (let i = 0; i < 50; i++) {
      time += 0.02;
      for (const { request } of open) model.look(request, time);
      open.push(both());
    }
    const told = open.filter(({ request }) => request.told);
    expect(told.length).toBeGreaterThan(3);
    expect(overdue(router).reduce((a, b) => a + b)).toBe(told.length);
    expect(rounded(state())).toEqual(rounded(model.policy.snapshot().state));
    const before = state();
    const losses = () => router.explain().upstreams.reduce((sum, { recent }) => sum + recent!.count, 0);
    const counted = losses();
    told[0]!.ticket.done(3);
    told[1]!.ticket.failed(new Error("reset"));
    told[2]!.ticket.abandoned();
    expect(state()).toEqual(before);
    // The time that it really took is counted and shown all the same.
    expect(losses()).toBe(counted + 2);
    expect(sums(router)).toMatchObject({ done: 301, failed: 1, abandoned: 1 });
  });

  test("an invalid loss is refused, whether the wait was learned before or not", () => {
    const router = routerOf();
    warm(router);
    const [first] = hangAt(router, 100);
    first!.done(Number.NaN);
    expect(router.explain().upstreams[0]!.refused).toBe(1);
  });

  test("a policy for which no wait settles what it teaches learns when requests end", () => {
    const router = routerOf({ policy: { policy: "htinf", alpha: 1.5, sigma: 1 } });
    warm(router);
    hangAt(router, 200);
    expect(overdue(router)).toEqual([0, 0]);
  });
});
