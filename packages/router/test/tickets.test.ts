import fc from "fast-check";
import { isSkipped } from "tsallis";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRouter } from "../src/createRouter.js";
import type { Ticket } from "../src/tickets/ticket.js";
import { Model, type ModelRequest } from "./model.js";
import { sums } from "./sums.js";

const TIMEOUT_S = 5;
const upstreams = ["a", "b", "c"];

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("property: tickets", () => {
  // What a user can do with tickets, in any order and any number of times.
  const action = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ do: "choose" as const }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constantFrom("done" as const, "failed" as const, "abandoned" as const),
        ticket: fc.integer({ min: 0, max: 200 }),
        loss: fc.oneof(
          fc.integer({ min: -1000, max: 1000 }).map((cents) => cents / 100),
          fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 1e301, null as never, "1" as never, undefined as never),
        ),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("wait" as const), milliseconds: fc.integer({ min: 0, max: 1000 * TIMEOUT_S }) }) },
  );

  const configuration = fc.record({
    policy: fc.constantFrom({ policy: "matched-tinf" }, { policy: "htinf", alpha: 1.5, sigma: 0.1 }, { policy: "ucb1" }, { policy: "uniform" }),
    penalty: fc.constantFrom(0, 1, 50),
  });

  it("are each closed once, whatever is done with them, and every choice is accounted for", () => {
    const reached = { done: 0, failed: 0, abandoned: 0, refused: 0, forgotten: 0, late: 0, repeated: 0, skipped: 0, open: 0 };
    fc.assert(
      fc.property(configuration, fc.array(action, { minLength: 1, maxLength: 120, size: "max" }), (options, actions) => {
        const router = createRouter({ upstreams, timeoutMs: 1000 * TIMEOUT_S, seed: 1, ...options });
        // The model: when each ticket was chosen and how it ended.
        const tickets: { ticket: Ticket; born: number; ended: string | null; closed: boolean }[] = [];
        const expected = { chosen: 0, open: 0, done: 0, failed: 0, timedOut: 0, abandoned: 0, refused: 0, forgotten: 0, late: 0, repeated: 0 };
        let now = 0;
        for (const step of actions) {
          if (step.do === "choose") {
            tickets.push({ ticket: router.choose(), born: now, ended: null, closed: false });
            expected.chosen++;
          } else if (step.do === "wait") {
            vi.advanceTimersByTime(step.milliseconds);
            now += step.milliseconds;
            for (const entry of tickets) {
              if (entry.ended !== null || now - entry.born < 1000 * TIMEOUT_S) continue;
              entry.ended = "forgotten";
              expected.forgotten++;
            }
          } else {
            if (tickets.length === 0) continue;
            const entry = tickets[step.ticket % tickets.length]!;
            if (step.do === "done") entry.ticket.done(step.loss);
            else if (step.do === "failed") entry.ticket.failed(new Error("planted"));
            else entry.ticket.abandoned();
            if (entry.ended === null) {
              const usable = typeof step.loss === "number" && Math.abs(step.loss) <= 1e300;
              entry.ended = step.do === "done" && !usable ? "refused" : step.do;
              expected[entry.ended as "done"]++;
            } else if (entry.ended === "forgotten" && !entry.closed) expected.late++;
            else expected.repeated++;
            entry.closed = true;
          }
        }
        expected.open = tickets.filter(({ ended }) => ended === null).length;
        const counted = sums(router);
        expect(counted).toMatchObject(expected);
        const { upstreams: explained } = router.explain();
        expect(explained.reduce((sum, { recent }) => sum + (recent?.count ?? 0), 0)).toBe(expected.done + expected.failed);
        for (const { probability } of explained) expect(probability! >= 0 && probability! <= 1).toBe(true);
        for (const key of Object.keys(reached) as (keyof typeof reached)[]) reached[key] += counted[key];
      }),
      { numRuns: 300 },
    );
    // Every way to end has occurred.
    for (const [way, times] of Object.entries(reached)) expect([way, times > 20]).toEqual([way, true]);
  });

  it("teach the policy exactly the reported losses, in the order of the reports (reference: the policy alone, and the probes)", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.double({ min: 0, max: 3, noNaN: true }), fc.nat(9)), { maxLength: 200 }), (steps) => {
        const spec = { policy: "htinf", alpha: 1.5, sigma: 0.2, halfLife: 40 };
        const router = createRouter({ upstreams, policy: spec, seed: 7, penalty: 0.3 });
        const model = new Model(spec, 3, 7, { inSeconds: false, penalty: 0.3 });
        const waiting: { ticket: Ticket; request: ModelRequest }[] = [];
        let skipped = 0;
        for (const [which, loss, failure] of steps) {
          const entry = { ticket: router.choose(), request: model.choose() };
          expect([entry.ticket.upstream, entry.ticket.probability]).toEqual([upstreams[entry.request.arm], entry.request.probability]);
          waiting.push(entry);
          if (waiting.length < 4) continue;
          const [late] = waiting.splice(which % waiting.length, 1);
          if (failure === 0) {
            late!.ticket.failed();
            model.failed(late!.request, 0);
            continue;
          }
          late!.ticket.done(loss);
          model.done(late!.request, loss, 0);
          if (isSkipped(late!.request.choice, loss)) skipped++;
        }
        expect(router.explain().upstreams.map(({ probability }) => probability)).toEqual(model.probabilities(0));
        expect(sums(router).skipped).toBe(skipped);
      }),
      { numRuns: 100 },
    );
  });
});

describe("tickets that still wait", () => {
  it("property: are learned when their wait decides what they teach, and not again when they end (reference: the model)", () => {
    const spec = { policy: "matched-tinf", halfLife: 50 };
    // One that ends is mostly among the newest, so that some of the old ones are passed by.
    const step = fc.record({
      milliseconds: fc.integer({ min: 0, max: 60 }),
      which: fc.oneof({ weight: 12, arbitrary: fc.constant(-3) }, { weight: 3, arbitrary: fc.nat(9) }),
      loss: fc.integer({ min: 1, max: 100 }),
      fails: fc.nat(30).map((n) => n === 0),
    });
    let overdue = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
        let now = 0;
        const router = createRouter({ upstreams, policy: spec, seed: 7, timeoutMs: 900_000, lossIsElapsedSeconds: true, clockSeconds: () => now });
        const model = new Model(spec, 3, 7, { inSeconds: true, penalty: 900 });
        const open: { ticket: Ticket; request: ModelRequest }[] = [];
        let looked = -1;
        for (const { milliseconds, which, loss, fails } of steps) {
          now += milliseconds / 1000;
          if (now - looked >= 0.01) {
            looked = now;
            for (const { request } of open) model.look(request, now);
          }
          open.push({ ticket: router.choose(), request: model.choose(now) });
          if (which > open.length) continue;
          for (const { ticket, request } of open.splice(which, 1)) {
            if (fails) {
              ticket.failed();
              model.failed(request, now);
            } else {
              ticket.done(loss / 1000);
              model.done(request, loss / 1000, now);
            }
          }
        }
        const expected = model.probabilities(now);
        for (const [arm, { probability }] of router.explain().upstreams.entries()) expect(probability! / expected[arm]!).toBeCloseTo(1, 6);
        expect(sums(router).overdue).toBe(model.told);
        overdue += model.told;
      }),
      { numRuns: 50 },
    );
    expect(overdue).toBeGreaterThan(100);
  });

  it("show that an upstream hangs long before the timeout", () => {
    const share = (lossIsElapsedSeconds: boolean) => {
      let now = 0;
      const router = createRouter({ upstreams, seed: 3, timeoutMs: 30_000, lossIsElapsedSeconds, clockSeconds: () => now });
      let hung = 0;
      for (let i = 0; i < 1500; i++) {
        now += 0.01;
        const ticket = router.choose();
        const hangs = i >= 1000 && ticket.upstream === "a";
        if (hangs) hung++;
        else ticket.done(ticket.upstream === "a" ? 0.01 : 0.02);
      }
      expect(sums(router)).toMatchObject({ timedOut: 0, forgotten: 0, open: hung });
      return hung / 500;
    };
    expect(share(false)).toBeGreaterThan(0.9);
    expect(share(true)).toBeLessThan(0.4);
  });

  it("are forgotten by the router's clock, whatever the time of day", () => {
    let now = 0;
    const router = createRouter({ upstreams, seed: 1, timeoutMs: 1000 * TIMEOUT_S, clockSeconds: () => now });
    const tickets = [router.choose(), router.choose()];
    now = TIMEOUT_S;
    router.choose();
    expect(sums(router)).toMatchObject({ chosen: 3, forgotten: 2, open: 1 });
    tickets[0]!.done(1);
    expect(sums(router)).toMatchObject({ late: 1 });
  });
});

describe("tickets", () => {
  const one = (options = {}) => {
    const router = createRouter({ upstreams, timeoutMs: 1000 * TIMEOUT_S, seed: 1, ...options });
    const ticket = router.choose();
    return { router, ticket, recent: () => router.explain().upstreams.find(({ upstream }) => upstream === ticket.upstream)!.recent };
  };

  it.each([
    ["the penalty, if little time has passed", 2, 1, 2],
    ["the time waited, if that is more", 2, 3, 3],
    ["the timeout, if no penalty is stated", undefined, 1, TIMEOUT_S],
    ["the time waited, without a penalty", 0, 1.5, 1.5],
  ])("a failure costs %s", (_, penalty, waited, cost) => {
    const { ticket, recent } = one(penalty === undefined ? {} : { penalty });
    vi.advanceTimersByTime(1000 * waited);
    ticket.failed();
    expect(recent()).toMatchObject({ count: 1, p50: cost, failureShare: 1 });
  });

  it("that are abandoned, refused or forgotten leave policy and losses as they were", () => {
    const { router, ticket, recent } = one();
    const more = [router.choose(), router.choose(), router.choose()];
    const before = router.snapshot().routes;
    ticket.abandoned();
    more[0]!.done(Number.NaN);
    more[1]!.done(1e301);
    vi.advanceTimersByTime(1000 * TIMEOUT_S);
    more[2]!.done(1);
    expect(router.snapshot().routes).toEqual(before);
    expect(recent()).toBeNull();
    expect(sums(router)).toMatchObject({ abandoned: 1, refused: 2, forgotten: 1, late: 1, open: 0 });
  });

  it("share one timer, however many there are, and have none when all are closed", () => {
    const router = createRouter({ upstreams, timeoutMs: 1000 * TIMEOUT_S, seed: 1 });
    const tickets = Array.from({ length: 1000 }, () => router.choose());
    expect(vi.getTimerCount()).toBe(1);
    for (const ticket of tickets) ticket.done(0.1);
    vi.advanceTimersByTime(1000 * TIMEOUT_S);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("of a closed router are forgotten, and there are no new ones", async () => {
    const { router, ticket } = one();
    await router.close();
    expect(() => router.choose()).toThrow(expect.objectContaining({ name: "RouterError", code: "ERR_CLOSED" }));
    ticket.done(1);
    expect(sums(router)).toMatchObject({ chosen: 1, forgotten: 1, late: 1 });
    expect(vi.getTimerCount()).toBe(0);
    await router.close();
  });

  it("close the router when a block ends", async () => {
    const { router } = one();
    await router[Symbol.asyncDispose]();
    expect(() => router.choose()).toThrow(expect.objectContaining({ code: "ERR_CLOSED" }));
  });

  it("are drawn by the seed", () => {
    const draws = (seed?: number) => {
      const router = createRouter({ upstreams, ...(seed === undefined ? {} : { seed }) });
      return Array.from({ length: 60 }, () => router.choose().upstream).join("");
    };
    expect(draws(3)).toBe(draws(3));
    // Equal with probability 3^-60.
    expect(draws(3)).not.toBe(draws(4));
    expect(draws()).not.toBe(draws());
  });

  it("throw the policy's error when it has played its last round", () => {
    const router = createRouter({ upstreams, policy: { policy: "moss", horizon: 2 } });
    router.choose().done(1);
    router.choose().done(1);
    expect(() => router.choose()).toThrow(expect.objectContaining({ name: "TsallisError", code: "ERR_HORIZON" }));
    expect(sums(router)).toMatchObject({ chosen: 2, done: 2 });
  });
});
