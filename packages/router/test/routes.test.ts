import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { jitter } from "./jitter.js";

const make = (options: Partial<RouterOptions> = {}) =>
  createRouter({ upstreams: ["a", "b"], seed: 6, lossIsElapsedSeconds: true, timeoutMs: 900_000, clockSeconds: () => 0, ...options });

describe("routes", () => {
  it("have policies of their own: each finds its own favourite", () => {
    const router = make();
    const noise = jitter(1);
    for (let i = 0; i < 2000; i++) {
      const route = i % 2 === 0 ? "reads" : "writes";
      const ticket = router.choose({ route });
      ticket.done(((ticket.upstream === "a") === (route === "reads") ? 0.01 : 0.05) * noise());
    }
    expect(router.explain({ route: "reads" })).toMatchObject({ route: "reads", favourite: "a", rounds: 1000 });
    expect(router.explain({ route: "writes" })).toMatchObject({ route: "writes", favourite: "b", rounds: 1000 });
    expect(router.explain()).toMatchObject({ route: "writes", routes: ["default", "reads", "writes"] });
    expect(router.explain({ route: "never" })).toMatchObject({ route: "never", rounds: 0, favourite: null });
    expect(router.explain().routes).not.toContain("never");
  });

  it("share the requests in flight, the failures and the counters of an upstream", () => {
    const router = make({ penalty: 1 });
    const tickets = Array.from({ length: 8 }, () => router.choose({ route: "one", except: ["b"] }));
    for (const route of ["one", "two"]) expect(router.explain({ route }).upstreams[0]).toMatchObject({ open: 8, chosen: 8 });
    expect(router.explain({ route: "two" }).upstreams[0]!.load!.factor).toBeGreaterThan(2);
    for (const ticket of tickets) ticket.failed();
    // A policy needs some losses before it knows what a second is worth.
    const noise = jitter(3);
    for (let i = 0; i < 50; i++) router.choose({ route: "two", except: ["a"] }).done(0.1 * noise());
    const [one, two] = ["one", "two"].map((route) => router.explain({ route }).upstreams[0]!);
    expect(one!.failureRate).toBeGreaterThan(0.5);
    expect(two!.failureRate).toBe(one!.failureRate);
    expect(two!.probability).toBeLessThan(0.1);
  });

  it("share the load curve, though their latencies differ a thousandfold", () => {
    const router = make({ route: () => "unused" });
    const noise = jitter(2);
    // The curve: with one other request under way, everything takes four times as long.
    for (let i = 0; i < 1500; i++) {
      const route = ["quick", "long"][i % 2]!;
      const others = Math.floor(i / 2) % 2 === 0 ? [router.choose({ route, except: ["b"] })] : [];
      router.choose({ route, except: ["b"] }).done((route === "quick" ? 0.001 : 1) * (others.length > 0 ? 4 : 1) * noise());
      for (const other of others) other.abandoned();
    }
    const [first, second] = router.explain({ route: "quick" }).upstreams[0]!.load!.curve;
    expect(first).toEqual({ inFlight: 0, factor: 1 });
    expect(second!.inFlight).toBe(1);
    expect(second!.factor > 3 && second!.factor < 5).toBe(true);
  });

  it("of tickets share it too, where the router has no function that names them", () => {
    const router = make();
    const noise = jitter(2);
    // The default route comes first, and long ones only while another request is under way: that is no load.
    for (let i = 0; i < 200; i++) router.choose({ except: ["b"] }).done(0.001 * noise());
    for (let i = 0; i < 600; i++) {
      const other = router.choose({ route: "quick", except: ["b"] });
      router.choose({ route: "long", except: ["b"] }).done(noise());
      other.done(0.001 * noise());
    }
    expect(router.explain().upstreams[0]!.load!.curve.at(-1)!.factor).toBeLessThan(1.5);
  });

  it("are at most 100: the least recently used one goes", () => {
    const router = make();
    for (let i = 0; i < 99; i++) router.choose({ route: `r${i}` }).done(0.1);
    expect(router.explain().routes).toHaveLength(100);
    router.choose({ route: "r0" }).done(0.1);
    router.choose({ route: "one more" }).done(0.1);
    router.choose({ route: "and another" }).done(0.1);
    const { routes } = router.explain();
    expect([routes.length, routes.includes("default"), routes.includes("r0"), routes.includes("r1")]).toEqual([100, false, true, false]);
    expect(routes.slice(-3)).toEqual(["r0", "one more", "and another"]);
    expect(router.explain({ route: "r1" }).rounds).toBe(0);
  });

  it("that are forgotten still take their tickets back, also after upstreams have come and gone", () => {
    const router = make();
    const tickets = [router.choose({ route: "old", except: ["b"] }), router.choose({ route: "old", except: ["a"] })];
    for (let i = 0; i < 150; i++) router.choose({ route: `r${i}` }).done(0.1);
    expect(router.explain().routes).not.toContain("old");
    router.add("c");
    router.remove("b");
    router.choose({ route: "old" }).done(0.1);
    for (const ticket of tickets) ticket.done(0.1);
    expect(router.explain().upstreams.map(({ open, refused }) => [open, refused])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(router.explain({ route: "old" }).rounds).toBe(1);
  });

  it("are labelled in the metrics, and no sample comes twice", () => {
    for (const options of [{}, { route: () => "x" }]) {
      const router = make(options);
      router.choose({ route: 'the "first"' }).done(0.1);
      router.choose({ route: "second" }).done(0.1);
      router.choose().done(0.1);
      const lines = router
        .metrics()
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => line.replace(/ [^ ]+$/, ""));
      expect(new Set(lines).size).toBe(lines.length);
      expect(lines).toContain('tsallis_router_probability{upstream="a",route="second"}');
      expect(lines).toContain('tsallis_router_alarms_total{route="the \\"first\\""}');
    }
  });

  it.each([undefined, null, 3, "", "x".repeat(201)])("have names of 1 to 200 characters: %j is refused, and nothing is counted", (route) => {
    const router = make();
    const refusal = expect.objectContaining({
      name: "RouterError",
      code: "ERR_ROUTE",
      parameter: "route",
      value: route,
      message: expect.stringContaining("1 to 200 characters"),
    });
    if (route !== undefined) {
      expect(() => router.choose({ route: route as string })).toThrow(refusal);
      expect(() => router.explain({ route: route as string })).toThrow(refusal);
    }
    expect(router.explain()).toMatchObject({ rounds: 0, routes: ["default"] });
  });
});
