import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Router } from "../src/router.js";
import { jitter } from "./jitter.js";

const upstreams = ["a", "b", "c", "d"];
const costs: Record<string, number> = { a: 0.01, b: 0.05, c: 0.1, d: 0.2 };

function learned(policy: { policy: string } & Record<string, unknown>, rounds = 60): Router {
  const router = createRouter({ upstreams, policy, seed: 2 });
  const noise = jitter(2);
  for (let i = 0; i < rounds; i++) {
    const ticket = router.choose();
    ticket.done(costs[ticket.upstream]! * noise());
  }
  return router;
}

describe.each([
  { policy: "matched-tinf" },
  { policy: "htinf", alpha: 1.5, sigma: 0.1 },
  { policy: "ucb1" },
  { policy: "exp3" },
  { policy: "uniform" },
  { policy: "thompson", sigma: 1 },
])("except, with $policy", (spec) => {
  it("is never chosen, and what is chosen can be learned", () => {
    const router = learned(spec);
    const counts: Record<string, number> = { a: 0, b: 0, c: 0, d: 0 };
    for (let i = 0; i < 600; i++) {
      const except = [["a"], ["a", "b"], ["d", "b", "a"], ["b", "b", "nobody"]][i % 4]!;
      const ticket = router.choose({ except });
      expect(except).not.toContain(ticket.upstream);
      counts[ticket.upstream]!++;
      ticket.done(costs[ticket.upstream]!);
    }
    expect(Object.values(router.explain().upstreams).every(({ refused }) => refused === 0)).toBe(true);
    expect(counts.c).toBeGreaterThan(150);
  });

  it("leaves one alone with probability 1, or unknown", () => {
    const ticket = learned(spec).choose({ except: ["a", "b", "c"] });
    expect([ticket.upstream, ticket.probability === 1 || (spec.policy === "thompson" && ticket.probability === null)]).toEqual(["d", true]);
  });

  it("refuses to exclude all, and nothing is counted", () => {
    const router = learned(spec);
    const before = router.snapshot();
    expect(() => router.choose({ except: ["d", "c", "b", "a"] })).toThrow(
      expect.objectContaining({ name: "RouterError", code: "ERR_UPSTREAMS", parameter: "except", message: expect.stringContaining("at least one") }),
    );
    expect(router.snapshot()).toEqual(before);
  });

  it("ignores names that are not there: nothing changes", () => {
    const [asked, plain] = [learned(spec), learned(spec)];
    for (let i = 0; i < 50; i++) {
      const [one, other] = [asked.choose({ except: ["nobody", ""] }), plain.choose()];
      expect([one.upstream, one.probability]).toEqual([other.upstream, other.probability]);
    }
  });
});

it.each([{ policy: "matched-tinf" }, { policy: "exp3" }])("the others share in proportion, with $policy", (spec) => {
  const seen = new Set<string>();
  for (const except of [["a"], ["b", "c"], ["d"]]) {
    for (let seed = 0; seed < 60; seed++) {
      const router = createRouter({
        upstreams,
        policy: spec,
        seed,
        state: { snapshot: { ...learned(spec, 20).snapshot(), rng: createRouter({ upstreams, seed }).snapshot().rng } },
      });
      const { upstreams: told } = router.explain();
      const probes = spec.policy === "matched-tinf" ? 1 / 200 : 0;
      const own = (probability: number) => (probability - probes / 4) / (1 - probes);
      const ticket = router.choose({ except });
      const left = told.filter(({ upstream }) => !except.includes(upstream));
      const sum = left.reduce((total, { probability }) => total + own(probability!), 0);
      const mine = own(told.find(({ upstream }) => upstream === ticket.upstream)!.probability!);
      expect(ticket.probability).toBeCloseTo((1 - probes) * (mine / sum) + probes / left.length, 9);
      seen.add(ticket.upstream);
    }
  }
  expect(seen.size).toBeGreaterThan(2);
});

it("an index policy whose pick is excluded draws evenly among the others, and says so", () => {
  const router = learned({ policy: "ucb1" });
  const pick = router.explain().favourite!;
  const ticket = router.choose({ except: [pick] });
  expect(ticket.probability).toBeCloseTo(1 / 3, 12);
});

it.each([null, 3, "a", ["a", 1], { a: 1 }])("must be a list of names: %j", (except) => {
  const router = createRouter({ upstreams });
  expect(() => router.choose({ except: except as never })).toThrow(expect.objectContaining({ code: "ERR_OPTION", parameter: "except" }));
  expect(router.explain().rounds).toBe(0);
});

it("a retry elsewhere does not make another upstream the favourite", () => {
  const router = createRouter({ upstreams: ["a", "b"], seed: 1 });
  const play = (rounds: number) => {
    for (let i = 0; i < rounds; i++) {
      const ticket = router.choose();
      ticket.done(costs[ticket.upstream]!);
    }
  };
  play(500);
  for (let i = 0; i < 30; i++) router.choose({ except: ["a"] }).done(0.05);
  play(100);
  expect(router.explain()).toMatchObject({ favourite: "a", alarms: 0 });
});
