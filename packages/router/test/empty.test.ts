import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";

describe("a router without upstreams", () => {
  it("has nothing to choose or explain, and is filled later", () => {
    const router = createRouter({ upstreams: [], seed: 1 });
    expect(() => router.choose()).toThrow(expect.objectContaining({ code: "ERR_UPSTREAMS", message: expect.stringContaining("add one first") }));
    expect(router.explain()).toMatchObject({ upstreams: [], favourite: null, rounds: 0, why: "There is no upstream." });
    expect(router.metrics()).not.toMatch(/upstream="/);
    router.add("http://a.example");
    router.add({ protocol: "https:", hostname: "b.example", port: 8443, path: "/base/" });
    expect(router.upstreams).toEqual(["http://a.example", "https://b.example:8443/base"]);
    for (let i = 0; i < 400; i++) {
      const ticket = router.choose();
      ticket.done(ticket.upstream === "http://a.example" ? 0.01 : 0.1);
    }
    expect(router.explain()).toMatchObject({ rounds: 400, favourite: "http://a.example" });
  });

  it("plays as one that had its upstream from the start", () => {
    const [given, filled] = [["http://a.example"], []].map((upstreams) => createRouter({ upstreams, seed: 1 })) as [never, never];
    const play = (router: ReturnType<typeof createRouter>) => {
      if (router.upstreams.length === 0) router.add("http://a.example");
      router.add("http://b.example");
      return Array.from({ length: 200 }, (_, i) => {
        const ticket = router.choose();
        ticket.done(1 + (i % 7));
        return [ticket.upstream, ticket.probability];
      });
    };
    expect(play(filled)).toEqual(play(given));
  });

  it("takes URLs only, and one that had names takes names only", () => {
    expect(() => createRouter({ upstreams: [] }).add("a")).toThrow(expect.objectContaining({ code: "ERR_UPSTREAMS" }));
    const router = createRouter({ upstreams: ["a", "b"], seed: 1 });
    router.remove("a");
    router.remove("b");
    expect(() => router.add("http://a.example")).toThrow("this router's upstreams are names");
    expect(() => router.dispatcher()).toThrow(expect.objectContaining({ code: "ERR_NOT_HTTP" }));
    router.add("c");
    expect(router.choose().upstream).toBe("c");
  });

  it("does not keep what was learned about upstreams that are gone, and their open tickets do no harm", () => {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1 });
    const tickets = Array.from({ length: 10 }, () => router.choose());
    router.remove("a");
    router.remove("b");
    tickets[0]!.done(1);
    const { snapshot } = JSON.parse(JSON.stringify({ snapshot: router.snapshot() }));
    expect(snapshot).toMatchObject({ upstreams: [], routes: [] });
    router.add("a");
    for (const ticket of tickets) ticket.failed();
    expect(router.explain()).toMatchObject({ rounds: 0, upstreams: [{ upstream: "a", chosen: 0, failed: 0, failureRate: 0 }] });
    const restored = createRouter({ upstreams: ["a", "b"], seed: 2, state: { snapshot } });
    expect(restored.explain().upstreams.map(({ probability }) => probability)).toEqual([0.5, 0.5]);
  });
});

describe("an iterator that somebody has given to all objects", () => {
  it("changes no choice", () => {
    const play = () => {
      const router = createRouter({ upstreams: ["http://a.example", "http://b.example"], seed: 1, route: ({ path }) => path });
      for (let i = 0; i < 100; i++) router.choose({ route: "r" }).done(0.1 + (i % 5));
      // Only the time of a change of regime differs.
      return JSON.stringify([router.snapshot(), router.explain({ route: "r" }), router.metrics()]).replace(/"time":"[^"]*"/g, "");
    };
    const expected = play();
    const prototype = Object.prototype as { [Symbol.iterator]?: unknown };
    prototype[Symbol.iterator] = function* () {};
    let played = "";
    try {
      played = play();
    } finally {
      delete prototype[Symbol.iterator];
    }
    expect(played === expected).toBe(true);
  });
});
