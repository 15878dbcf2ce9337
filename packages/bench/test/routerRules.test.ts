import { createRouter } from "@tsallis/router";
import { type Rng, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { ewmaProbes } from "../src/router/rules/ewmaProbes.js";
import { lastTenMean } from "../src/router/rules/lastTenMean.js";
import { leastTime } from "../src/router/rules/leastTime.js";
import { peakEwma } from "../src/router/rules/peakEwma.js";
import { peakEwmaOverAll } from "../src/router/rules/peakEwmaOverAll.js";
import { prequal } from "../src/router/rules/prequal.js";
import { roundRobin } from "../src/router/rules/roundRobin.js";
import { smallest } from "../src/router/rules/smallest.js";
import { tsallisRule } from "../src/router/rules/tsallisRule.js";
import { twoChoices } from "../src/router/rules/twoChoices.js";
import { ucb1 } from "../src/router/rules/ucb1.js";
import { viemRank } from "../src/router/rules/viemRank.js";

/** Draws the given numbers one after the other, and then repeats the last one for ever. */
function drawing(...numbers: number[]): Rng {
  const next = () => (numbers.length > 1 ? numbers.shift()! : numbers[0]!);
  return { uniform: next, open: next };
}

describe("smallest", () => {
  it("is the first, the last or one in between", () => {
    expect(
      [
        [1, 2, 3],
        [3, 1, 2],
        [3, 2, 1],
      ].map((values) => smallest(Float64Array.of(...values), drawing(Number.NaN))),
    ).toEqual([0, 1, 2]);
  });

  it("breaks ties at random, all equally likely: 0.4 takes the second of two (below 1/2), not the third of three (above 1/3)", () => {
    expect(smallest(Float64Array.of(5, 1, 1, 1), drawing(0.4))).toBe(2);
    expect(smallest(Float64Array.of(5, 1, 1, 1), drawing(0.6, 0.3))).toBe(3);
    expect(smallest(Float64Array.of(5, 1, 1, 1), drawing(0.6, 0.4))).toBe(1);
    expect(smallest(Float64Array.of(5, 5, 1, 7), drawing(0.9))).toBe(2);
  });
});

describe("round robin", () => {
  it("takes turns", () => {
    const rule = roundRobin({ upstreams: 3 });
    expect([0, 1, 2, 3, 4].map((request) => rule.choose(request, request))).toEqual([0, 1, 2, 0, 1]);
  });
});

describe("last-10 mean", () => {
  it("first tries upstreams without an answer, then takes the smallest mean", () => {
    const rule = lastTenMean({ upstreams: 2, rng: drawing(0.9) });
    rule.answered(0, 0, 100, 100, false);
    expect(rule.choose(1, 100)).toBe(1);
    rule.answered(1, 1, 300, 150, false);
    expect(rule.choose(2, 300)).toBe(0);
    rule.answered(2, 0, 400, 201, false); // the mean is 150.5
    expect(rule.choose(3, 400)).toBe(1);
  });

  it("forgets the eleventh-newest latency", () => {
    const rule = lastTenMean({ upstreams: 2, rng: drawing(0.9) });
    rule.answered(0, 1, 0, 150, false);
    for (let i = 0; i < 10; i++) rule.answered(1 + i, 0, 0, i === 0 ? 1100 : 100, false);
    expect(rule.choose(11, 0)).toBe(1); // 200
    rule.answered(12, 0, 0, 100, false);
    expect(rule.choose(13, 0)).toBe(0); // 100; the mean of all eleven would be 190.9
  });

  it("a timeout counts as 1,000 seconds", () => {
    const rule = lastTenMean({ upstreams: 2, rng: drawing(0.9) });
    for (let i = 0; i < 9; i++) rule.answered(i, 0, 0, 100, false);
    rule.answered(9, 0, 5000, 5000, true); // the mean is 100,090, not 590
    rule.answered(10, 1, 0, 100_089, false);
    expect(rule.choose(11, 0)).toBe(1);
    rule.answered(12, 1, 0, 100_093, false); // 100,091
    expect(rule.choose(13, 0)).toBe(0);
  });
});

describe("ewma, 2 % probes", () => {
  it("moves by an eighth: 100 and then 180 gives 110", () => {
    for (const [other, chosen] of [
      [109.9, 1],
      [110.1, 0],
    ] as const) {
      const rule = ewmaProbes({ upstreams: 2, rng: drawing(0.5) });
      rule.answered(0, 0, 0, 100, false);
      rule.answered(1, 1, 0, other, false);
      rule.answered(2, 0, 0, 180, false);
      expect(rule.choose(3, 0)).toBe(chosen);
    }
  });

  it("probes any upstream if the draw is below 0.02", () => {
    const rule = ewmaProbes({ upstreams: 4, rng: drawing(0.0199, 0.8, 0.02) });
    for (let i = 0; i < 4; i++) rule.answered(i, i, 0, 100 + i, false);
    expect(rule.choose(4, 0)).toBe(3);
    expect(rule.choose(5, 0)).toBe(0);
  });
});

describe("least time", () => {
  it("multiplies the mean of the last 100 latencies by one more than the requests in flight, and tries what has none", () => {
    const rule = leastTime({ upstreams: 2, rng: drawing(0.9) });
    expect([rule.choose(0, 0), rule.choose(1, 0)]).toEqual([0, 0]); // both have 0, and 0.9 takes the first
    for (const request of [0, 1]) rule.answered(request, 0, 100, 100, false);
    expect(rule.choose(2, 100)).toBe(1);
    rule.answered(2, 1, 350, 250, false);
    expect([3, 4, 5].map((request) => rule.choose(request, 400))).toEqual([0, 0, 1]); // 100 250, 200 250, 300 250
  });

  it("forgets the latency before the last 100", () => {
    const rule = leastTime({ upstreams: 2, rng: drawing(0.9) });
    rule.answered(0, rule.choose(0, 0), 0, 10_000, false);
    rule.answered(1, rule.choose(1, 0), 0, 150, false);
    const busy: number[] = [];
    for (let [request, answered] = [2, 0]; answered < 100; request++) {
      if (rule.choose(request, 0) === 1) busy.push(request);
      else {
        rule.answered(request, 0, 0, 100, false);
        answered++;
      }
    }
    for (const request of busy) rule.answered(request, 1, 0, 150, false);
    expect(rule.choose(1000, 0)).toBe(0); // 100 against 150; the mean of all 101 would be 198
  });
});

describe("prequal", () => {
  /** Random numbers that probe 0, 1 and 2 each time. */
  const probing = (): Rng => {
    let i = 0;
    const next = () => ((i++ % 3) + 0.5) / 3;
    return { uniform: next, open: next };
  };

  it("sends a request to the cold upstream with the smallest latency, and avoids a hot one", () => {
    const rule = prequal({ upstreams: 3, rng: probing() });
    const first = [0, 1, 2].map((request) => rule.choose(request, 0));
    for (const [request, upstream] of first.entries()) rule.answered(request, upstream, 10, [100, 20, 50][upstream]!, false);
    // Later than a second: the old answers to probes are gone.
    const chosen = Array.from({ length: 12 }, (_, i) => rule.choose(10 + i, 5000 + i));
    expect(new Set(first).size).toBeGreaterThan(1);
    expect(chosen.filter((upstream) => upstream === 1).length).toBeGreaterThan(3);
    // As soon as it has more in flight than most, it is hot.
    expect(chosen.filter((upstream) => upstream !== 1).length).toBeGreaterThan(3);
  });

  it("takes any upstream while nothing has been answered, and a single one always", () => {
    const rule = prequal({ upstreams: 1, rng: probing() });
    expect([0, 1, 2].map((request) => rule.choose(request, 0))).toEqual([0, 0, 0]);
  });
});

describe("peak-ewma, two choices", () => {
  // Always draws the pair (0, 1); of equal costs, the first wins.
  const pair = () => peakEwma({ upstreams: 2, rng: drawing(0) });

  it("multiplies the estimate by one more than the requests in flight", () => {
    const rule = pair();
    expect([0, 1, 2, 3].map((request) => rule.choose(request, 0))).toEqual([0, 1, 0, 1]); // 30 30, 60 30, 60 60, 90 60
  });

  it("jumps to a peak, and fades when an upstream is looked at", () => {
    const rule = pair();
    expect([rule.choose(0, 0), rule.choose(1, 0)]).toEqual([0, 1]);
    rule.answered(0, 0, 200, 200, false);
    // 200 against 30 e^(-0.02) = 29.41 times 2, 3, ..., 7 = 58.8, 88.2, 117.6, 147.0, 176.4, 205.8.
    expect([2, 3, 4, 5, 6, 7].map((request) => rule.choose(request, 200))).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it("comes down by 1 - e^(-t / 10 s): 200, and then 100 ten seconds later, gives 136.79", () => {
    for (const [other, chosen] of [
      [136.7, 1],
      [136.8, 0],
    ] as const) {
      const rule = pair();
      expect([0, 1, 2, 3].map((request) => rule.choose(request, 0))).toEqual([0, 1, 0, 1]);
      rule.answered(0, 0, 200, 200, false);
      rule.answered(2, 0, 10_200, 100, false);
      rule.answered(1, 1, 10_200, other, false);
      rule.answered(3, 1, 10_200, other, false);
      expect(rule.choose(4, 10_200)).toBe(chosen);
    }
  });

  it("draws two different upstreams", () => {
    const seen = (first: number, other: number) => {
      const rule = peakEwma({ upstreams: 3, rng: drawing(first, other) });
      return rule.choose(0, 0);
    };
    expect([seen(0, 0), seen(0.4, 0.4), seen(0.9, 0.9)]).toEqual([0, 1, 2]);
    const rule = peakEwma({ upstreams: 3, rng: drawing(0.4, 0.9, 0.4, 0.9, 0.4, 0) });
    expect([0, 1, 2].map((request) => rule.choose(request, 0))).toEqual([1, 2, 0]); // pairs (1, 2), (1, 2), (1, 0)
  });
});

describe("two choices", () => {
  it("takes the one of two with fewer requests in flight, and the first of equal ones", () => {
    const rule = twoChoices({ upstreams: 2, rng: drawing(0) }); // always the pair (0, 1)
    expect([0, 1, 2, 3].map((request) => rule.choose(request, 0))).toEqual([0, 1, 0, 1]);
    for (const request of [1, 3]) rule.answered(request, 1, 10, 10, false);
    expect([4, 5, 6].map((request) => rule.choose(request, 10))).toEqual([1, 1, 0]);
  });

  it("looks at no third one", () => {
    const rule = twoChoices({ upstreams: 3, rng: drawing(0) });
    expect([0, 1, 2, 3].map((request) => rule.choose(request, 0))).toEqual([0, 1, 0, 1]);
  });
});

describe("peak-ewma over all", () => {
  it("takes the cheapest of all, by the costs of peak-EWMA", () => {
    const rule = peakEwmaOverAll({ upstreams: 3, rng: drawing(0.99) }); // of equal costs, the first wins
    expect([0, 1, 2].map((request) => rule.choose(request, 0))).toEqual([0, 1, 2]);
    for (const [request, latency] of [90, 200, 60].entries()) rule.answered(request, request, 0, latency, false);
    // 90, 200 and 60, times one more than the requests in flight: 60; 90 before 120; 120 before 180; 180 (the first) and 180; then 200.
    expect([3, 4, 5, 6, 7, 8].map((request) => rule.choose(request, 0))).toEqual([2, 0, 2, 0, 2, 1]);
  });
});

describe("viem rank", () => {
  it("ranks when all pings are back, and pings again 4 s later", () => {
    const pings = [500, 300, 100, 1500, 0, 0];
    const sent: [number, number][] = [];
    const rule = viemRank({
      upstreams: 2,
      ping(upstream, at) {
        sent.push([upstream, at]);
        return pings.shift()!;
      },
    });
    expect([0, 499].map((now) => rule.choose(0, now))).toEqual([0, 0]);
    // 0.3 (1 - 500/500) + 0.7 = 0.7 and 0.3 (1 - 300/500) + 0.7 = 0.82.
    expect([500, 5499].map((now) => rule.choose(0, now))).toEqual([1, 1]);
    // The second ping of 1 fails after a second: 0.3 (1 - 300/1000) + 0.7 = 0.91 and 0.3 (1 - 650/1000) + 0.7/2 = 0.455.
    expect(rule.choose(0, 5500)).toBe(0);
    expect(sent).toEqual([
      [0, 0],
      [1, 0],
      [0, 4500],
      [1, 4500],
      [0, 9500],
      [1, 9500],
    ]);
  });

  it("keeps ten rounds: a failure is forgotten with the eleventh", () => {
    let round = 0;
    const rule = viemRank({ upstreams: 2, ping: (upstream) => (upstream === 0 ? 400 : round++ === 0 ? Infinity : 300) });
    // Rounds end at 1,000, then every 4,400: the tenth at 40,600, the eleventh at 45,000. With the failure: 0.3 (1 - 370/1000) + 0.63 = 0.819 to 0.3 (1 - 400/1000) + 0.7 = 0.88.
    expect([1000, 44_999, 45_000].map((now) => rule.choose(0, now))).toEqual([0, 0, 1]);
  });

  it("an upstream whose pings all failed scores 0", () => {
    const rule = viemRank({ upstreams: 3, ping: (upstream) => (upstream === 2 ? 900 : Infinity) });
    expect(rule.choose(0, 1000)).toBe(2);
  });
});

describe("ucb1", () => {
  it("plays mean / timeout - sqrt(2 ln n / n_i)", () => {
    const rule = ucb1({ upstreams: 2, timeout: 1000, rng: stream(1) });
    expect([0, 1, 2].map((request) => rule.choose(request, 0))).toEqual([0, 1, 0]);
    rule.answered(0, 0, 0, 500, false);
    rule.answered(1, 1, 0, 900, false);
    expect(rule.choose(3, 0)).toBe(0); // equal widths: 0.5 against 0.9
    rule.answered(2, 0, 0, 500, false);
    rule.answered(3, 0, 0, 500, false);
    // n = 4: 0.5 - sqrt(2 ln 4 / 3) = -0.461 and 0.9 - sqrt(2 ln 4) = -0.765; in milliseconds the first would win.
    expect(rule.choose(4, 0)).toBe(1);
  });
});

describe("tsallis", () => {
  it("is a router on seconds, whatever the order of the answers; what fails has failed", () => {
    const rule = tsallisRule({ upstreams: 3, timeout: 5000, seed: 1 });
    const router = createRouter({ upstreams: ["0", "1", "2"], timeoutMs: 5000, lossIsElapsedSeconds: true, seed: 1, clockSeconds: () => 0 });
    for (let i = 0; i < 200; i++) {
      const [first, second] = [router.choose(), router.choose()];
      const [a, b] = [Number(first.upstream), Number(second.upstream)];
      expect([rule.choose(2 * i, 0), rule.choose(2 * i + 1, 0)]).toEqual([a, b]);
      if (b === 2) second.failed();
      else second.done(0.1 * (1 + b));
      first.done(0.1 * (1 + a));
      rule.answered(2 * i + 1, b, 0, b === 2 ? 5000 : 100 * (1 + b), b === 2);
      rule.answered(2 * i, a, 0, 100 * (1 + a), false);
    }
    expect(router.explain().upstreams[2]!.failed).toBeGreaterThan(0);
  });
});
