// Requests that the others overtake do not tell how busy an upstream is. The tests have their own clock, so nothing here depends on time.
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { completeOptions } from "../src/completeOptions.js";
import { createRouter } from "../src/createRouter.js";
import { Desk } from "../src/desk.js";
import { Ledger } from "../src/ledger.js";
import type { OpenTicket } from "../src/openTicket.js";
import type { Router } from "../src/router.js";
import type { RouterOptions } from "../src/routerOptions.js";

let time = 0;
const desks: Desk[] = [];

afterEach(() => {
  for (const desk of desks.splice(0)) desk.clear();
  time = 0;
});

function deskOf(options: Partial<RouterOptions> = {}): Desk {
  const completed = completeOptions({ upstreams: ["a", "b"], seed: 1, waiting: true, timeout: 900, clock: () => time, ...options });
  const desk = new Desk(new Ledger(completed, null as unknown as Router));
  desks.push(desk);
  return desk;
}

/** Requests to one upstream, one after the other. */
function succeed(desk: Desk, times: number, seconds: number): void {
  for (let i = 0; i < times; i++) {
    const ticket = desk.choose("default", ["b"]);
    time += seconds;
    ticket.done(seconds);
  }
}

/** Looks at the open tickets, as before each choice, and leaves nothing behind. */
function look(desk: Desk): void {
  desk.choose("default", ["a"]).abandoned();
}

describe("a request that still waits", () => {
  it("is stuck when more than 16 successes have overtaken it and it waits more than 3 times as long as they", () => {
    const desk = deskOf();
    const hanging = desk.choose("default", ["b"]);
    const { known } = hanging;
    succeed(desk, 16, 0.1);
    look(desk);
    expect([known.peak, known.inFlight, hanging.stuck]).toEqual([expect.closeTo(0.1, 12), 1, false]);
    succeed(desk, 1, 0.1);
    look(desk);
    expect([known.record.open, known.inFlight, hanging.stuck]).toEqual([1, 0, true]);
    hanging.failed();
    expect([known.record.open, known.stuck, known.inFlight]).toEqual([0, 0, 0]);
  });

  it("is stuck too under a policy that learns nothing from those that wait", () => {
    const desk = deskOf({ policy: { policy: "htinf", alpha: 1.5, sigma: 1 } });
    const hanging = desk.choose("default", ["b"]);
    expect([hanging.route.foresees, hanging.route.policy.isSettled]).toEqual([true, undefined]);
    succeed(desk, 17, 0.1);
    look(desk);
    expect([hanging.known.record.open, hanging.known.inFlight, hanging.stuck]).toEqual([1, 0, true]);
    expect(hanging.known.record.overdue).toBe(0);
  });

  it("is not stuck, however many have overtaken it, while a success lately took a third as long", () => {
    const desk = deskOf();
    succeed(desk, 1, 10);
    const hanging = desk.choose("default", ["b"]);
    const { known } = hanging;
    // The peak fades to 10 (63/64)^i, and the wait grows to 0.2 i.
    let i = 0;
    for (; !hanging.stuck && i < 500; i++) {
      succeed(desk, 1, 0.2);
      look(desk);
    }
    const first = [...Array(500).keys()].find((n) => 0.2 * n > 3 * 10 * (63 / 64) ** n);
    expect(i).toBe(first);
    expect(i).toBeGreaterThan(40);
    expect(known.inFlight).toBe(0);
  });

  it("is not stuck where nobody is answered: a hang is load", () => {
    const desk = deskOf();
    succeed(desk, 50, 0.1);
    const hanging = Array.from({ length: 20 }, () => desk.choose("default", ["b"]));
    time += 100;
    look(desk);
    expect([hanging[0]!.known.inFlight, hanging.some(({ stuck }) => stuck)]).toEqual([20, false]);
  });

  it("property: leaves the load once and comes back to balance, however it ends, and whatever upstreams come and go", () => {
    const endings = ["done", "failed", "abandoned", "ignored", "refused"] as const;
    // Mostly the newest succeeds, so that the old ones are overtaken; these end in any way.
    const end = fc.oneof(
      { weight: 20, arbitrary: fc.constant({ which: -1, ending: "done" as const }) },
      { weight: 3, arbitrary: fc.constant({ which: null, ending: "done" as const }) },
      { weight: 2, arbitrary: fc.record({ which: fc.nat(10), ending: fc.constantFrom(...endings) }) },
    );
    const step = fc.record({
      milliseconds: fc.integer({ min: 0, max: 100 }),
      end,
      rearrange: fc.nat(60).map((n) => n === 0),
    });
    const ended: Record<string, number> = {};
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
        time = 0;
        const desk = deskOf({ timeout: 8 });
        const { ledger } = desk;
        let open: OpenTicket[] = [];
        const everyone = new Set(ledger.upstreams);
        const balances = () => {
          for (const each of ledger.upstreams) everyone.add(each);
          for (const ticket of open) if (!ticket.isOpen && ticket.stuck) ended.forgotten = (ended.forgotten ?? 0) + 1;
          open = open.filter(({ isOpen }) => isOpen);
          for (const each of everyone) {
            const own = open.filter(({ known }) => known === each);
            const stuck = own.filter((ticket) => ticket.stuck).length;
            expect([each.record.open, each.stuck, each.inFlight]).toEqual([own.length, stuck, own.length - stuck]);
          }
        };
        for (const {
          milliseconds,
          end: { which, ending },
          rearrange,
        } of steps) {
          if (rearrange) {
            const [first, second] = ledger.upstreams.map(({ upstream }) => upstream);
            desk.rearrange([second!, first!], [1, null]);
          }
          open.push(desk.choose());
          time += milliseconds / 1000;
          balances();
          const ticket = which === null ? undefined : open.at(which);
          if (ticket === undefined) continue;
          if (ending === "done") ticket.done(ticket.seconds());
          else if (ending === "refused") ticket.done(Number.NaN);
          else ticket[ending]();
          if (ticket.stuck) ended[ending] = (ended[ending] ?? 0) + 1;
          // A second end changes nothing.
          ticket.abandoned();
          open.splice(open.indexOf(ticket), 1);
          balances();
        }
        desk.clear();
        balances();
        for (const each of everyone) expect([each.record.open, each.stuck]).toEqual([0, 0]);
      }),
      { numRuns: 60 },
    );
    for (const way of [...endings, "forgotten"]) expect([way, (ended[way] ?? 0) > 0]).toEqual([way, true]);
  });
});

describe("a server with a limit", () => {
  /** Fills both upstreams again and again. Above 16 requests a refuses, or its requests are abandoned, which teaches nothing. */
  function filled(refuses: boolean): Router {
    const router = createRouter({ upstreams: ["a", "b"], seed: 1, waiting: true, timeout: 900, clock: () => time });
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
