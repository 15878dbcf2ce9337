import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import { RoundRate } from "../src/model/roundRate.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";

let time = 0;
const make = (options: Partial<RouterOptions> = {}) =>
  createRouter({ upstreams: ["north", "south"], seed: 1, clockSeconds: () => time, forgetting: { halfLifeSeconds: 30 }, ...options });

/** Plays rounds at a rate, for some seconds; `north` says whether north is the fast one. */
function play(router: Router, perSecond: number, seconds: number, north: boolean): number {
  let fast = 0;
  for (let i = 0; i < perSecond * seconds; i++) {
    time += 1 / perSecond;
    const ticket = router.choose();
    const isFast = (ticket.upstream === "north") === north;
    if (isFast) fast++;
    ticket.done((isFast ? 0.02 : 0.05) * (1 + (i % 7) / 10));
  }
  return fast / (perSecond * seconds);
}

const halfLife = (router: Router) => (router.snapshot().routes[0]!.policy.state as { halfLife?: number }).halfLife;

describe("a half-life in seconds", () => {
  it.each([5, 50, 500])("has as many rounds as come in that time: at %i per second", (perSecond) => {
    const router = make();
    play(router, perSecond, 60, true);
    expect(halfLife(router)! / (30 * perSecond)).toBeCloseTo(1, 1);
  });

  it("follows the rate", () => {
    const router = make();
    play(router, 10, 120, true);
    expect(halfLife(router)! / 300).toBeCloseTo(1, 1);
    play(router, 100, 300, true);
    expect(halfLife(router)! / 3000).toBeCloseTo(1, 1);
    play(router, 10, 300, true);
    expect(halfLife(router)! / 300).toBeCloseTo(1, 1);
  });

  it("goes on from a snapshot with the same bits", () => {
    const router = make();
    play(router, 20, 100, true);
    const before = time;
    const snapshot = JSON.parse(JSON.stringify(router.snapshot()));
    const next = make({ state: { snapshot } });
    expect(next.snapshot()).toEqual(router.snapshot());
    expect(next.explain().upstreams.map(({ probability }) => probability)).toEqual(router.explain().upstreams.map(({ probability }) => probability));
    time = before;
  });

  it("goes on when upstreams come and go", () => {
    const router = make();
    play(router, 20, 100, true);
    router.add("east");
    expect(halfLife(router)! / 600).toBeCloseTo(1, 1);
  });

  it("forgets in the same time at any rate", () => {
    // At a tenth of the rate, 30 s are a tenth of the rounds; with 3,000 rounds the change is not noticed as soon.
    const share = (options: Partial<RouterOptions>) => {
      const router = make({ policy: { policy: "opttinf" }, ...options });
      play(router, 10, 1000, true);
      return play(router, 10, 300, false);
    };
    expect(share({})).toBeGreaterThan(share({ forgetting: { halfLife: 3000 } }) + 0.2);
  });
});

describe("the rate of rounds", () => {
  it("is that of the last ones, exactly where they come evenly", () => {
    const rate = new RoundRate(10);
    expect(rate.count(5)).toBe(Number.POSITIVE_INFINITY);
    let rounds = 0;
    for (let i = 1; i <= 5000; i++) rounds = rate.count(5 + i / 20);
    expect(rounds / 200).toBeCloseTo(1, 2);
  });

  it("after a pause of six half-lives, as much is forgotten in the next ones", () => {
    const rate = new RoundRate(10);
    for (let i = 0; i < 20_000; i++) rate.count(i / 100);
    let forgotten = 0;
    for (let i = 0; i < 1000; i++) forgotten += 1 / rate.count(200 + 60 + i / 100);
    expect(forgotten).toBeGreaterThan(4);
    expect(forgotten).toBeLessThan(7);
  });
});
