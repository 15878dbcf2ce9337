import fc from "fast-check";
import { expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Ticket } from "../src/tickets/ticket.js";

it("property: whatever losses are reported, the next choice can be made and all numbers are finite", () => {
  const loss = fc.oneof(
    fc.constantFrom(0, -1, 1e300, -1e300, 1e-300, 5),
    fc.double({ min: -1e300, max: 1e300, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  const step = fc.tuple(loss, fc.nat(8), fc.nat(5));
  const configuration = fc.record({ penalty: fc.constantFrom(0, 5, 1e300), lossIsElapsedSeconds: fc.boolean() });
  fc.assert(
    fc.property(configuration, fc.array(step, { maxLength: 80, size: "max" }), (options, steps) => {
      const router = createRouter({ upstreams: ["a", "b", "c"], seed: 1, timeoutMs: 900_000, clockSeconds: () => 0, ...options });
      const open: Ticket[] = [];
      for (const [cost, which, kind] of steps) {
        open.push(router.choose({ route: kind === 1 ? "other" : "default" }));
        if (which >= open.length) continue;
        const [ticket] = open.splice(which, 1);
        if (kind === 0) ticket!.failed();
        else ticket!.done(cost);
      }
      const told = router.explain({ route: "default" });
      expect(JSON.parse(JSON.stringify(told))).toEqual(told);
      expect(told.upstreams.reduce((sum, { probability }) => sum + probability!, 0)).toBeCloseTo(1, 6);
      expect(router.metrics()).not.toMatch(/NaN|Infinity(?!")/);
    }),
    { numRuns: 300 },
  );
});

it("an upstream whose first answers took no time is not thought to take none for ever", () => {
  const router = createRouter({ upstreams: ["a", "b"], seed: 1, lossIsElapsedSeconds: true, timeoutMs: 900_000, clockSeconds: () => 0 });
  for (let i = 0; i < 5; i++) router.choose({ except: ["b"] }).done(0);
  for (let i = 0; i < 300; i++) router.choose({ except: ["b"] }).done(0.02);
  const { upstreams, routes } = router.snapshot();
  expect(upstreams[0]!.latency.rest.mean * Math.exp(routes[0]!.level.mean)).toBeCloseTo(0.02, 3);
});
