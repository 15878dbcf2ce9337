import fc from "fast-check";
import { expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import { createRouter } from "../src/createRouter.js";
import { RouterError } from "../src/routerError.js";

const make = (options: object = {}) =>
  createRouter({
    upstreams: ["a", "b"],
    seed: 1,
    lossIsElapsedSeconds: true,
    timeoutMs: 900_000,
    clockSeconds: () => 0,
    ...options,
  });

function sound(): unknown {
  const router = make();
  for (let i = 0; i < 120; i++) {
    const tickets = [router.choose({ route: i % 3 === 0 ? "other" : "default" }), router.choose(), router.choose()];
    for (const [j, ticket] of tickets.entries()) {
      if ((i + j) % 17 === 0) ticket.failed();
      else ticket.done(0.01 * (1 + j) * (1 + ((i * 31) % 11) / 10));
    }
  }
  const snapshot = JSON.parse(JSON.stringify(router.snapshot()));
  for (const upstream of snapshot.upstreams) {
    upstream.losses.splice(0, upstream.losses.length - 5);
    upstream.failures.splice(0, upstream.failures.length - 5);
  }
  return snapshot;
}

/** All places of a JSON value, as paths. */
function paths(value: unknown, at: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Object.entries(value).flatMap(([key, item]) => paths(item, [...at, Array.isArray(value) ? Number(key) : key]));
  return at.length === 0 ? below : [at, ...below];
}

/** A copy with another value at a place; undefined removes it. */
function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const copy = structuredClone(value);
  // biome-ignore lint/suspicious/noExplicitAny: damaged data has no type
  const holder = path.slice(0, -1).reduce((node: any, key) => node[key], copy);
  if (by === undefined && Array.isArray(holder)) holder.splice(Number(path.at(-1)), 1);
  else if (by === undefined) delete holder[path.at(-1)!];
  else holder[path.at(-1)!] = by;
  return copy;
}

const SNAPSHOT = sound();
const PATHS = paths(SNAPSHOT);
const damage = fc.tuple(
  fc.constantFrom(...PATHS),
  fc.oneof(
    fc.constantFrom(undefined, null, true, "", "x", [], {}, -1, 0, 0.5, 1, 2, 1e9, -1e9, 1e300, 1e308, -1e308, Number.NaN, Number.POSITIVE_INFINITY),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
  ),
);

it("property: a damaged field is refused with ERR_STATE or does no harm: never a crash, never NaN", () => {
  expect(PATHS.length).toBeGreaterThan(150);
  make({ state: { snapshot: SNAPSHOT } });
  let [refused, harmless] = [0, 0];
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 2 }), (list) => {
      let snapshot = SNAPSHOT;
      for (const [path, value] of list) {
        try {
          snapshot = replaced(snapshot, path, value);
        } catch {
          // The first damage has removed the place of the second.
        }
      }
      let router: ReturnType<typeof make>;
      try {
        router = make({ state: { snapshot } });
      } catch (error) {
        refused++;
        expect(error).toBeInstanceOf(RouterError);
        expect((error as RouterError).code).toMatch(/^ERR_STATE(_OTHER)?$/);
        return;
      }
      harmless++;
      for (let i = 0; i < 30; i++) {
        const tickets = [router.choose(), router.choose({ route: "other" }), router.choose()];
        for (const [j, ticket] of tickets.entries()) {
          expect(ticket.probability! > 0 && ticket.probability! <= 1).toBe(true);
          if ((i + j) % 5 === 0) ticket.failed();
          else ticket.done(0.01 * (j + 1));
        }
      }
      const told = router.explain();
      for (const { failureRate, load, refused: bad, probability } of told.upstreams) {
        expect([failureRate >= 0 && failureRate <= 1, Number.isFinite(load!.factor) && load!.factor >= 1, bad, probability! > 0]).toEqual([
          true,
          true,
          0,
          true,
        ]);
      }
      expect(JSON.stringify(told)).toBe(JSON.stringify(JSON.parse(JSON.stringify(told))));
      expect(router.metrics()).not.toContain("NaN");
      // What it would write can be read again.
      make({ state: { snapshot: JSON.parse(JSON.stringify(router.snapshot())) } });
    }),
    { numRuns: soak(500, 5000) },
  );
  expect([refused > 100, harmless > 50]).toEqual([true, true]);
});
