import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { jitter } from "./jitter.js";
import { known, useStateFolder } from "./stateFolder.js";

useStateFolder();

let time = 0;

/** Plays with requests that overlap, so that there is load, with failures, on several routes, and with requests that the others overtake. */
function play(router: Router, rounds: number, seed: number, routes: readonly string[] = ["default"]): void {
  const noise = jitter(seed);
  time = 1000 * seed;
  const open: { ticket: ReturnType<Router["choose"]>; load: number }[] = [];
  const hanging: ReturnType<Router["choose"]>[] = [];
  for (let i = 0; i < rounds; i++) {
    time += 0.01;
    const ticket = router.choose({ route: routes[i % routes.length]! });
    // It stays under way for 100 rounds.
    if (i % 100 === 50) for (const each of hanging.splice(0, hanging.length, ticket)) each.abandoned();
    else open.push({ ticket, load: open.length });
    if (open.length < 1 + (i % 9)) continue;
    for (const { ticket: each, load } of open.splice(0, 2)) {
      if (noise() > 2.5) each.failed();
      else each.done(0.01 * (each.upstream.charCodeAt(0) - 96) * (1 + load / 3) * noise());
    }
  }
  for (const ticket of [...open.map((each) => each.ticket), ...hanging]) ticket.abandoned();
}

const make = (options: Partial<RouterOptions> = {}) =>
  createRouter({ upstreams: ["a", "b", "c"], seed: 1, lossIsElapsedSeconds: true, timeoutMs: 900_000, clockSeconds: () => time, ...options });

describe("a snapshot", () => {
  it.each<[string, readonly string[], Partial<RouterOptions>]>([
    ["load and failures", ["default"], {}],
    ["routes", ["x", "y", "z"], {}],
    ["routes by a function", ["x", "y", "z"], { route: () => "x" }],
    ["routes of which some are forgotten", Array.from({ length: 260 }, (_, i) => (i % 2 === 0 ? "x" : `r${i}`)), {}],
  ])("gives the same future bit for bit: %s", (_, routes, options) => {
    const first = make(options);
    play(first, 1500, 1, routes);
    const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
    const second = make({ ...options, seed: 99, state: { snapshot } });
    expect(second.snapshot()).toEqual(snapshot);
    expect(snapshot.peers.bins.length).toBeGreaterThan(0);
    expect(second.explain().upstreams.some(({ load }) => load!.curve.length > 1)).toBe(true);
    expect(second.explain().upstreams.some(({ failureRate }) => failureRate > 0)).toBe(true);
    for (const router of [first, second]) play(router, 700, 2, routes);
    expect(known(second)).toEqual(known(first));
    expect(second.metrics()).toBe(first.metrics());
  });

  it("of a router that has not chosen yet is taken over too", () => {
    for (const options of [{}, { route: () => "x" }]) {
      const second = make({ ...options, state: { snapshot: make(options).snapshot() } });
      second.choose().done(1);
      expect(second.explain().rounds).toBe(1);
    }
  });

  it.each([
    ["another order", ["c", "a", "b"]],
    ["fewer", ["c", "a"]],
    ["one", ["b"]],
    ["more", ["x", "a", "b", "c", "y"]],
    ["others in place of some", ["x", "c", "y"]],
    ["none that is known", ["x", "y"]],
  ])("is taken over by name: %s", (_, upstreams) => {
    const first = make();
    play(first, 800, 1, ["default", "other"]);
    const snapshot = first.snapshot();
    const second = make({ upstreams, state: { snapshot } });
    expect(second.upstreams).toEqual(upstreams);
    const before = new Map(first.explain({ route: "default" }).upstreams.map((each) => [each.upstream, each]));
    for (const route of ["default", "other"]) {
      const told = second.explain({ route });
      expect([told.rounds, told.upstreams.reduce((sum, { probability }) => sum + probability!, 0)]).toEqual([400, expect.closeTo(1, 9)]);
    }
    for (const { probability: _, ...each } of second.explain({ route: "default" }).upstreams) {
      const { probability: __, ...old } = before.get(each.upstream) ?? { probability: null };
      if (before.has(each.upstream)) expect(each).toEqual(old);
      else expect(each).toMatchObject({ chosen: 0, failureRate: 0, recent: null, load: { factor: 1, curve: [{ inFlight: 0, factor: 1 }] } });
    }
    // What is at rest goes with its name.
    for (const [i, name] of upstreams.entries()) {
      const arm = ["a", "b", "c"].indexOf(name);
      expect(second.snapshot().upstreams[i]!.latency.rest).toEqual(arm < 0 ? { count: 0, mean: 0 } : snapshot.upstreams[arm]!.latency.rest);
    }
    play(second, 300, 2);
    expect(second.explain().upstreams.every(({ refused, open }) => refused === 0 && open === 0)).toBe(true);
  });

  it("in another order has the same probabilities by name", () => {
    const first = make();
    play(first, 800, 1);
    const second = make({ upstreams: ["c", "a", "b"], state: { snapshot: first.snapshot() } });
    const probabilities = (router: Router) =>
      Object.fromEntries(router.explain().upstreams.map(({ upstream, probability }) => [upstream, probability]));
    for (const [name, probability] of Object.entries(probabilities(first))) expect(probabilities(second)[name]).toBeCloseTo(probability!, 2);
  });
});
