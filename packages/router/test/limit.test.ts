import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";

describe("a server with a limit", () => {
  /** Fills both upstreams again and again. Above 16 requests a refuses, or its requests are abandoned, which teaches nothing. */
  function filled(refuses: boolean): Router {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1, lossIsElapsedSeconds: true, timeoutMs: 900_000, clockSeconds: () => 0 });
    for (let i = 0; i < 60; i++) {
      const except = [i % 2 === 0 ? "b" : "a"];
      const tickets = Array.from({ length: 17 }, () => router.choose({ except }));
      const last = tickets.pop()!;
      if (refuses && last.upstream === "a") last.failed();
      else last.abandoned();
      for (const [j, ticket] of tickets.entries()) ticket.done(0.02 * (1 + ((7 * i + 3 * j) % 5) / 10));
    }
    return router;
  }

  it("keeps its whole share while it has room", () => {
    const [limited, free] = [filled(true), filled(false)];
    const told = (router: Router) => router.explain().upstreams[0]!;
    for (let inFlight = 0; inFlight <= 16; inFlight++) {
      if (inFlight <= 5) expect([told(limited).failureRate, told(limited).probability]).toEqual([0, told(free).probability]);
      for (const router of [limited, free]) for (const except of ["a", "b"]) router.choose({ except: [except] });
    }
    expect(told(limited).failureRate).toBeGreaterThan(0.2);
    expect(told(limited).probability).toBeLessThan(told(free).probability! / 2);
  });
});
