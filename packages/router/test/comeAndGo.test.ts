import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../test/soak.js";
import { createRouter } from "../src/createRouter.js";
import { OUTCOMES } from "../src/model/upstreamRecord.js";
import type { Router } from "../src/router.js";
import type { Ticket } from "../src/tickets/ticket.js";
import { jitter } from "./jitter.js";

const of = (router: Router, name: string) => router.explain().upstreams.find(({ upstream }) => upstream === name)!;

/** What is known of the tickets of one upstream, from when it was added until it is removed. */
interface Life {
  readonly name: string;
  readonly counts: Record<string, number>;
}

/** Checks all counters of all upstreams against those of their present lives. */
function expectCounted(router: Router, lives: readonly Life[]): void {
  const told = router.explain().upstreams;
  expect(told.map(({ upstream }) => upstream)).toEqual(lives.map(({ name }) => name));
  expect(router.upstreams).toEqual(lives.map(({ name }) => name));
  for (const [i, { counts }] of lives.entries()) {
    expect(told[i]).toMatchObject(counts);
    expect(OUTCOMES.reduce((sum, outcome) => sum + told[i]![outcome], told[i]!.open)).toBe(told[i]!.chosen);
  }
  expect(told.reduce((sum, { probability }) => sum + probability!, 0)).toBeCloseTo(lives.length === 0 ? 0 : 1, 9);
}

const NAMES = ["a", "b", "c", "d", "e"];
const change = fc.record({ do: fc.constantFrom("add" as const, "remove" as const), which: fc.nat(4) });
const request = fc.record({ do: fc.constant("choose" as const), route: fc.constantFrom("default", "other") });
const ending = fc.record({
  do: fc.constantFrom("done" as const, "failed" as const, "abandoned" as const),
  which: fc.nat(30),
  loss: fc.double({ min: 0.001, max: 1, noNaN: true }),
});
const action = fc.oneof({ weight: 2, arbitrary: change }, { weight: 5, arbitrary: request }, { weight: 4, arbitrary: ending });

describe("upstreams that come and go", () => {
  it.each([{ policy: "matched-tinf" }, { policy: "htinf", alpha: 1.5, sigma: 0.1 }, { policy: "ucb1" }])(
    "property: nothing is lost and counters add up at any time, with $policy",
    (policy) => {
      let changes = 0;
      fc.assert(
        fc.property(fc.array(action, { maxLength: 150, size: "max" }), (actions) => {
          const router = createRouter({
            upstreams: ["a", "b"],
            policy,
            seed: 1,
            timeoutMs: 900_000,
            lossIsElapsedSeconds: true,
            clockSeconds: () => 0,
          });
          const fresh = (name: string): Life => ({
            name,
            counts: { chosen: 0, open: 0, done: 0, failed: 0, abandoned: 0, refused: 0, forgotten: 0, late: 0, repeated: 0 },
          });
          let lives = [fresh("a"), fresh("b")];
          const open: { ticket: Ticket; life: Life }[] = [];
          for (const step of actions) {
            if ("route" in step && lives.length === 0) {
              expect(() => router.choose({ route: step.route })).toThrow(expect.objectContaining({ code: "ERR_UPSTREAMS" }));
            } else if ("route" in step) {
              const ticket = router.choose({ route: step.route });
              const life = lives.find(({ name }) => name === ticket.upstream)!;
              life.counts.chosen!++;
              life.counts.open!++;
              open.push({ ticket, life });
            } else if (!("loss" in step)) {
              const name = NAMES[step.which]!;
              const isThere = lives.some((life) => life.name === name);
              const call = () => router[step.do](name);
              if ((step.do === "add") === isThere) expect(call).toThrow(expect.objectContaining({ code: "ERR_UPSTREAMS" }));
              else {
                call();
                changes++;
                lives = step.do === "add" ? [...lives, fresh(name)] : lives.filter((life) => life.name !== name);
              }
            } else if (open.length > 0) {
              const [{ ticket, life }] = open.splice(step.which % open.length, 1) as [(typeof open)[number]];
              life.counts.open!--;
              life.counts[step.do]!++;
              ticket[step.do](step.loss);
            }
            expectCounted(router, lives);
          }
        }),
        { numRuns: soak(25, 300) },
      );
      expect(changes).toBeGreaterThan(80);
    },
  );

  it("a thousand times under load: nothing is lost, and the one that stays keeps what was learned", () => {
    const router = createRouter({ upstreams: ["stays", "x"], seed: 8, timeoutMs: 900_000, lossIsElapsedSeconds: true, clockSeconds: () => 0 });
    const noise = jitter(8);
    const open: Ticket[] = [];
    let [chosen, ended] = [0, 0];
    for (let i = 0; i < 1000; i++) {
      if (router.upstreams.length > 1) router.remove("x");
      else router.add("x");
      for (let j = 0; j < 3; j++) {
        open.push(router.choose());
        chosen++;
        if (open.length < 20) continue;
        const [ticket] = open.splice((7 * i + j) % open.length, 1);
        ticket!.done((ticket!.upstream === "stays" ? 0.01 : 0.1) * noise());
        ended++;
      }
    }
    for (const ticket of open) ticket.abandoned();
    const stays = of(router, "stays");
    expect([stays.open, stays.refused, stays.late, stays.repeated]).toEqual([0, 0, 0, 0]);
    expect(router.explain().rounds).toBe(chosen);
    expect(ended).toBe(chosen - open.length);
    expect(stays.done).toBeLessThanOrEqual(ended);
    expect(stays.probability).toBeGreaterThan(0.4);
  });

  it("open tickets of those that stay still teach, those of removed ones do not", () => {
    const router = createRouter({ upstreams: ["a", "b", "c"], seed: 3, timeoutMs: 900_000, lossIsElapsedSeconds: true, clockSeconds: () => 0 });
    const noise = jitter(3);
    for (let i = 0; i < 100; i++) router.choose().done(0.1 * noise());
    const [kept, gone] = [router.choose({ except: ["b", "c"] }), router.choose({ except: ["a", "c"] })];
    router.remove("b");
    router.add("d");
    const state = () => {
      const { routes, upstreams } = router.snapshot();
      return { routes, upstreams };
    };
    const before = state();
    gone.done(0.5);
    expect(state()).toEqual(before);
    kept.done(0.5);
    expect(state().routes).not.toEqual(before.routes);
    expect(state().upstreams[0]!.latency.rest.count).toBe(before.upstreams[0]!.latency.rest.count + 1);
    expect(of(router, "a")).toMatchObject({ open: 0 });
  });

  it("one that comes back starts as new", () => {
    const router = createRouter({ upstreams: ["a", "b"], seed: 3, penalty: 5 });
    for (let i = 0; i < 20; i++) router.choose({ except: ["a"] }).failed();
    const old = router.choose({ except: ["a"] });
    router.remove("b");
    router.add("b");
    expect(of(router, "b")).toMatchObject({ chosen: 0, failed: 0, failureRate: 0, recent: null });
    old.failed();
    expect(of(router, "b")).toMatchObject({ chosen: 0, open: 0, failed: 0, failureRate: 0 });
  });

  it.each<[string, (router: Router) => void, string]>([
    ["one that is not there", (router) => router.remove("x"), "is not among"],
    ["a duplicate", (router) => router.add("a"), "give each upstream once"],
    ["a URL among names", (router) => router.add("http://a.example"), "names only"],
    ["an empty name", (router) => router.add(" "), "must be a URL or a name"],
  ])("refuses %s, and nothing changes", (_, act, words) => {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1 });
    expect(() => act(router)).toThrow(
      expect.objectContaining({ name: "RouterError", code: "ERR_UPSTREAMS", message: expect.stringContaining(words) }),
    );
    expect(router.upstreams[0]).toBe("a");
    router.choose().done(1);
    expect(router.explain().rounds).toBe(1);
  });

  it("knows URLs by what they mean, not by how they are spelt", () => {
    const router = createRouter({ upstreams: ["http://a.example/x/", "http://b.example"] });
    expect(() => router.add("HTTP://A.example:80/x")).toThrow(expect.objectContaining({ code: "ERR_UPSTREAMS" }));
    router.remove(new URL("http://a.example:80/y/../x"));
    router.add(new URL("http://c.example/"));
    expect(router.upstreams).toEqual(["http://b.example", "http://c.example"]);
  });

  it("are refused after the router is closed", async () => {
    const router = createRouter({ upstreams: ["a", "b"] });
    const closing = router.close();
    for (const call of [() => router.add("c"), () => router.remove("a")])
      expect(call).toThrow(expect.objectContaining({ name: "RouterError", code: "ERR_CLOSED" }));
    await closing;
    expect(() => router.add("c")).toThrow(expect.objectContaining({ code: "ERR_CLOSED" }));
    expect(router.upstreams).toEqual(["a", "b"]);
  });

  it.each([
    { policy: "forcemom", rho: 2 / 3 },
    { policy: "dsee", alpha: 1.5, sigma: 3, w: 2 },
  ])("are refused for a policy whose arms are fixed, and nothing changes: $policy", (policy) => {
    const router = createRouter({ upstreams: ["a", "b"], policy });
    router.choose().done(1);
    expect(() => router.add("c")).toThrow(
      expect.objectContaining({
        name: "RouterError",
        code: "ERR_REARRANGE",
        parameter: "policy",
        value: policy.policy,
        message: expect.stringContaining("make another router"),
      }),
    );
    expect(router.upstreams).toEqual(["a", "b"]);
    router.choose().done(1);
    const snapshot = router.snapshot();
    expect(() => createRouter({ upstreams: ["b", "a"], policy, state: { snapshot } })).toThrow(
      expect.objectContaining({ code: "ERR_STATE_OTHER", parameter: "upstreams", value: ["a", "b"] }),
    );
  });
});
