// At high rates, requests between two rounds are drawn from the probabilities of a moment ago. The tests have their own clock.
import { stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { createRouter, type RouterOptions, type Ticket } from "../src/index.js";
import { LastRound } from "../src/model/lastRound.js";
import { defaultRoundsPerSecond, RoundLimit } from "../src/model/roundLimit.js";

let time = 0;
const names = ["a", "b", "c"];
const make = (options: Partial<RouterOptions> = {}) => {
  time = 0;
  return createRouter({ upstreams: names, seed: 3, timeoutMs: 5000, lossIsElapsedSeconds: true, clockSeconds: () => time, ...options });
};

/** Sends requests at a rate, each of which takes a time of its own, about the given seconds. */
function send(router: ReturnType<typeof make>, requests: number, perSecond: number, seconds: Readonly<Record<string, number>>): Ticket[] {
  const noise = stream(1, "noise");
  const open: { ticket: Ticket; end: number; seconds: number }[] = [];
  const tickets = Array.from({ length: requests }, () => {
    time += 1 / perSecond;
    open.sort((x, y) => x.end - y.end);
    while (open.length > 0 && open[0]!.end <= time) {
      const { ticket, seconds: taken } = open.shift()!;
      ticket.done(taken);
    }
    const ticket = router.choose();
    const taken = seconds[ticket.upstream]! * (0.5 + noise.uniform());
    open.push({ ticket, end: time + taken, seconds: taken });
    return ticket;
  });
  for (const { ticket, seconds: taken } of open) ticket.done(taken);
  return tickets;
}

describe("the limit of rounds", () => {
  it("saves up the rounds of a second, and refills by the rate", () => {
    const limit = new RoundLimit(4);
    expect(Array.from({ length: 6 }, () => limit.take(0))).toEqual([true, true, true, true, false, false]);
    expect([limit.take(0.2), limit.take(0.25), limit.take(0.26)]).toEqual([false, true, false]);
    expect(Array.from({ length: 6 }, () => limit.take(100))).toEqual([true, true, true, true, false, false]);
    const none = new RoundLimit(Number.POSITIVE_INFINITY);
    expect(Array.from({ length: 1000 }, () => none.take(0)).every(Boolean)).toBe(true);
  });
});

describe("the limit by default", () => {
  /** How many rounds 5,000 requests at once are. */
  const rounds = (router: ReturnType<typeof make>) => {
    const before = router.explain().rounds;
    for (let i = 0; i < 5000; i++) router.choose().done(0.01);
    return router.explain().rounds - before;
  };

  it("is 1,000 rounds per second, or 200 for each URL if that is more, also when upstreams come and go; names have none", () => {
    expect([1, 5, 6, 20].map(defaultRoundsPerSecond)).toEqual([1000, 1000, 1200, 4000]);
    const urls = (count: number) => Array.from({ length: count }, (_, i) => `http://u${i}.example`);
    expect(rounds(make({ upstreams: urls(3) }))).toBe(1000);
    const router = make({ upstreams: urls(9) });
    expect(rounds(router)).toBe(1800);
    router.add("http://more.example");
    time += 10;
    expect(rounds(router)).toBe(2000);
    expect(rounds(make({ upstreams: urls(9), roundsPerSecond: 40 }))).toBe(40);
    expect(rounds(make())).toBe(5000);
  });
});

describe("at high rates", () => {
  const seconds = { a: 0.02, b: 0.03, c: 0.04 };

  it("below the limit every request is a round, as without one", () => {
    const [limited, unlimited] = [{ roundsPerSecond: 200 }, { roundsPerSecond: Number.POSITIVE_INFINITY }].map((options) => {
      const router = make(options);
      const tickets = send(router, 2000, 150, seconds);
      return { rounds: router.explain().rounds, choices: tickets.map(({ upstream, probability }) => [upstream, probability]) };
    });
    expect(limited).toEqual(unlimited);
    expect(limited!.rounds).toBe(2000);
  });

  it("above it the policy plays as many rounds as allowed, all requests are counted, and the best still gets most", () => {
    const router = make({ roundsPerSecond: 100 });
    const tickets = send(router, 8000, 800, seconds);
    const { rounds, upstreams } = router.explain();
    // Ten seconds of 100, and those of one second that were saved up.
    expect(Math.abs(rounds - 1100)).toBeLessThan(10);
    expect(upstreams.map(({ done, open }) => [done, open]).reduce((sum, [done, open]) => sum + done! + open!, 0)).toBe(8000);
    expect(tickets.slice(-2000).filter(({ upstream }) => upstream === "a").length).toBeGreaterThan(1000);
  });

  it("the probability that a request carries is the one that it was drawn with, and what has filled since is left out", () => {
    /** Probabilities that were taken with some loads; the requests in flight are 3, 0 and 5 now. */
    const last = (probabilities: number[], loads: number[]) => {
      const upstreams = loads.map((inFlight) => ({ inFlight }));
      const round = new LastRound(upstreams);
      round.take(Float64Array.from(probabilities), new Float64Array(3), 1);
      for (const [arm, inFlight] of [3, 0, 5].entries()) upstreams[arm]!.inFlight = inFlight;
      return round;
    };
    /** How often each arm is drawn by 1,000 uniforms at equal distances, and the probabilities that the draws carry. */
    const drawn = (round: LastRound) => {
      const counts = [0, 0, 0];
      const carried = [0, 0, 0];
      for (let i = 0; i < 1000; i++) {
        const { arm, probability } = round.draw({ uniform: () => (i + 0.5) / 1000, open: () => 1 }, 1.0039)!;
        counts[arm]!++;
        carried[arm] = probability;
      }
      return { counts, carried };
    };
    expect(drawn(last([0.5, 0.2, 0.3], [3, 0, 5]))).toEqual({ counts: [500, 200, 300], carried: [0.5, 0.2, 0.3] });
    expect(drawn(last([0.2, 0.2, 0.6], [2, 0, 5]))).toEqual({ counts: [0, 250, 750], carried: [0, 0.2 / 0.8, 0.6 / 0.8] });
    expect(last([0.6, 0.1, 0.3], [2, 0, 5]).draw(stream(1, "draw"), 1)).toBeNull();
    // They are too old after 4 ms.
    expect(last([0.5, 0.2, 0.3], [3, 0, 5]).draw(stream(1, "draw"), 1.0041)).toBeNull();
  });

  it("between two rounds, a ticket's probability is that of explain() before it while nothing is filled", () => {
    const router = make({ roundsPerSecond: 1 });
    send(router, 300, 300, seconds);
    time += 1;
    // A round, and there is none left for the next request.
    router.choose();
    const before = router.explain();
    const ticket = router.choose();
    expect(ticket.probability).toBe(before.upstreams[names.indexOf(ticket.upstream)]!.probability);
    expect(router.explain().rounds).toBe(before.rounds);
  });

  it("failures are learned from every request: an upstream that goes down is left within a few", () => {
    const router = make({ roundsPerSecond: 1 });
    send(router, 300, 300, seconds);
    let failed = 0;
    for (let i = 0; i < 300; i++) {
      time += 1e-4;
      const ticket = router.choose();
      if (ticket.upstream === "a") {
        failed++;
        ticket.failed();
      } else ticket.done(0.03);
    }
    expect(failed).toBeLessThan(30);
  });
});
