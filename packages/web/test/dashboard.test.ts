import type { BanditSummary, BanditView } from "@tsallis/service/client";
import { describe, expect, it } from "vitest";
import { curlOf } from "../dashboard/src/actions/curlOf.js";
import { byTrouble, troubleOf } from "../dashboard/src/pages/trouble.js";
import { around, banditAddress, parseRoute } from "../dashboard/src/route/route.js";
import { drawnArms } from "../dashboard/src/sections/drawnArms.js";
import { lifeSign } from "../dashboard/src/sections/lifeSign.js";
import { isDrawable, trafficOf } from "../dashboard/src/sections/trafficOf.js";
import { emptyHistory, sampleHistory, sampleList, sampleView } from "./samples.js";

const NOW = Date.UTC(2026, 10, 16, 12);

describe("addresses", () => {
  it.each([
    ["checkout", {}],
    ["a.b:c", { segment: "mobile & more?", decision: "order-1" }],
    ["checkout", { period: "7d", to: "2026-11-16T15:09:00.000Z" }],
    ["<img src=x>/#?%", { segment: "50 %" }],
  ] as const)("%s with %o comes back from its address", (name, own) => {
    expect(parseRoute(banditAddress(name, own))).toEqual({ page: "bandit", name, segment: "", decision: "", period: "1h", to: "", ...own });
  });

  it.each(["", "#", "#/", "#/b/", "#/b/%", "#main", "#/x/y"])("%s is the list", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "list" });
  });
});

it("a period or a moment that does not exist is the usual one", () => {
  expect(parseRoute("#/b/x?period=2y&to=yesterday")).toMatchObject({ period: "1h", to: "" });
});

it("a link to a moment has it in its middle, or ends now", () => {
  expect(around("2026-11-16T11:00:00.000Z", NOW)).toEqual({ period: "15m", to: "2026-11-16T11:07:30.000Z" });
  expect(around("2026-11-16T11:59:00.000Z", NOW)).toEqual({ period: "15m", to: "" });
});

describe("trouble", () => {
  const { counters } = sampleList(NOW).bandits[1]!;
  const bandit = (own: Partial<BanditSummary>): BanditSummary => ({ ...sampleList(NOW).bandits[1]!, lastEvent: new Date(NOW).toISOString(), ...own });
  it.each([
    ["good", "running", {}],
    ["bad", "no feedback", { counters: { ...counters, answered: 0 } }],
    ["off", "no feedback yet", { counters: { ...counters, answered: 0, expired: 0 } }],
    ["warn", "running, with alarms", { alarms: ["DRIFT"] }],
    ["warn", "silent", { lastEvent: new Date(NOW - 3_600_001).toISOString() }],
    ["off", "new", { counters: { ...counters, decisions: 0, answered: 0, expired: 0 } }],
    ["warn", "paused", { state: "paused", counters: { ...counters, answered: 0 } }],
    ["off", "archived", { state: "archived" }],
    ["bad", "shut", { state: "shut" }],
  ] as const)("%s: %s", (level, word, own) => {
    expect(troubleOf(bandit(own as Partial<BanditSummary>), NOW)).toMatchObject({ level, word });
  });

  it("comes first in the list", () => {
    const names = byTrouble(sampleList(NOW).bandits, NOW).map(({ name }) => name);
    expect(names).toEqual(["damaged", "retry-delay", "search.ranking:v2", "checkout", "new-bandit", "checkout-2025"]);
  });
});

it.each([
  [
    "curl -X POST http://h:1/x/v1/bandits/a/expire -H 'content-type: application/json' -d '{}'",
    { method: "POST", path: "v1/bandits/a/expire", body: {} },
    false,
  ],
  [
    `curl -X PATCH http://h:1/x/v1/bandits/a -H "authorization: Bearer $TSALLIS_KEY" -H 'content-type: application/json' -d '{"arms":["it'\\''s","b"]}'`,
    { method: "PATCH", path: "v1/bandits/a", body: { arms: ["it's", "b"] } },
    true,
  ],
  ["curl -X GET 'http://h:1/x/v1/bandits/a/log?limit=9'", { method: "GET", path: "v1/bandits/a/log?limit=9" }, false],
] as const)("%s", (text, request, hasKey) => {
  expect(curlOf(request, "http://h:1/x/", hasKey)).toBe(text);
});

describe("the sign of life", () => {
  const { alive } = sampleHistory(NOW);
  const before = (seconds: number) => ({ ...alive, lastEvent: new Date(NOW - seconds * 1000).toISOString() });

  it.each([
    ["good", "Alive", "running", alive],
    ["warn", "Paused", "paused", alive],
    ["off", "Archived", "archived", alive],
    ["off", "New", "running", emptyHistory().alive],
    ["good", "Alive", "running", before(299)],
    ["warn", "Quiet", "running", before(301)],
    ["bad", "Silent", "running", before(3_601)],
    ["warn", "Feedback is missing", "running", { ...alive, answered: 0.7, expired: 0.3 }],
    ["bad", "No feedback", "running", { ...alive, answered: 0, expired: 1 }],
  ] as const)("%s, %s: %s %o", (level, word, state, its) => {
    expect(lifeSign(state, its, NOW)).toMatchObject({ level, word });
  });

  it.each([
    ["Decisions are made, and feedback arrives.", alive],
    ["Decisions are made. No feedback has come yet.", { ...alive, feedbackPerSecond: 0, answered: null, expired: null }],
    ["Decisions are made. No feedback came in the last minute.", { ...alive, feedbackPerSecond: 0 }],
    ["Feedback arrives. No decision was made in the last minute.", { ...alive, decisionsPerSecond: 0 }],
    ["Neither a decision nor feedback came in the last minute.", { ...alive, decisionsPerSecond: 0, feedbackPerSecond: 0 }],
    ["Nothing happened in the last minute.", { ...before(61), decisionsPerSecond: 0, feedbackPerSecond: 0 }],
  ])("%s", (sentence, its) => {
    expect(lifeSign("running", its, NOW)).toEqual({ level: "good", word: "Alive", sentence });
  });
});

const names = (count: number) => Array.from({ length: count }, (_, i) => `arm-${i}`);

/** Figures of arms whose probabilities are as 1, 2, 3 and so on. */
function armsWithProbabilities(arms: readonly string[]): BanditView["arms"] {
  const sum = (arms.length * (arms.length + 1)) / 2;
  return arms.map((name, i) => ({ ...sampleView(NOW).arms[0]!, name, probability: (i + 1) / sum }));
}

describe("the traffic", () => {
  it("is that of all arms, if there are colours for them", () => {
    const history = sampleHistory(NOW, { arms: names(8) });
    const { of, areas } = trafficOf(history, drawnArms(history), []);
    expect([of, areas.map(({ name }) => name)]).toEqual(["probabilities", names(8)]);
  });

  it("is that of the busiest arms and of the others together", () => {
    const history = sampleHistory(NOW, { arms: names(12), shares: true });
    const { of, areas, times } = trafficOf(history, drawnArms(history), armsWithProbabilities(names(12)));
    expect([of, areas.length, areas.at(-1)!.name]).toEqual(["shares", 8, "5 others"]);
    expect(areas.map(({ name }) => name)).toContain("arm-11");
    expect(areas.map(({ name }) => name)).not.toContain("arm-0");
    times.forEach((_, i) => {
      const values = areas.map(({ values: its }) => its[i]!);
      if (history.points[i]!.shares === null) expect(new Set(values)).toEqual(new Set([null]));
      else expect(values.reduce((sum, value) => sum! + value!, 0)).toBeCloseTo(1, 12);
    });
  });

  it("keeps probabilities where no decision was made, and shows no shares there", () => {
    const history = sampleHistory(NOW);
    expect(history.points[7]!.probabilities).toBeNull();
    const { areas } = trafficOf(history, drawnArms(history), []);
    expect(areas[0]!.values[7]).toBe(areas[0]!.values[6]);
    expect(areas[0]!.values[6]).toBe(history.points[6]!.probabilities![0]);
  });

  it("is nothing where nothing happened", () => {
    const history = emptyHistory();
    expect(trafficOf(history, drawnArms(history), armsWithProbabilities(history.arms))).toMatchObject({ of: "shares", times: [] });
  });

  it("has straight lines between the probabilities that the log has, and none over a pause", () => {
    const point = (second: number, first: number | null) => ({
      ...sampleHistory(NOW).points[0]!,
      at: new Date(NOW + 1000 * second).toISOString(),
      probabilities: first === null ? null : [first, 1 - first],
    });
    const points = [point(0, null), point(1, 0.5), point(3, 0.5), point(6, 0.5), point(11, 1), point(12, 1), point(40, 0)];
    const history = { arms: ["a", "b"], points, to: points.at(-1)!.at };
    const [a, b] = trafficOf(history, drawnArms(history), []).areas;
    expect(a!.values).toEqual([null, 0.5, expect.closeTo(0.6, 12), 0.75, 1, 1, 0]);
    expect(b!.values).toEqual([null, 0.5, expect.closeTo(0.4, 12), 0.25, 0, 0, 1]);
  });

  it.each([
    [0, 0, false],
    [1, 5, false],
    [2, 0.9, false],
    [2, 1, true],
    [120, 119, true],
  ])("of %i points in %f s can be drawn: %s", (count, seconds, drawable) => {
    const { points, ...history } = sampleHistory(NOW);
    const at = (i: number) => new Date(NOW + (1000 * seconds * i) / Math.max(1, count - 1)).toISOString();
    const all = { ...history, points: points.slice(0, count).map((point, i) => ({ ...point, at: at(i) })) };
    expect(isDrawable(trafficOf(all, drawnArms(all), []))).toBe(drawable);
  });

  it("ends with the probabilities of now, by the arms' names", () => {
    const history = sampleHistory(NOW, { arms: names(3) });
    const { areas, times } = trafficOf(history, drawnArms(history), armsWithProbabilities(names(3)).reverse());
    expect([times.length, times.at(-1)]).toEqual([history.points.length + 1, NOW / 1000]);
    expect(areas.map(({ values }) => values.at(-1))).toEqual([1 / 6, 2 / 6, 3 / 6]);
  });

  it.each([
    ["an arm is new", armsWithProbabilities(names(2))],
    ["the policy does not tell", armsWithProbabilities(names(3)).map((arm) => ({ ...arm, probability: null }))],
  ])("does without them where %s", (_, present) => {
    const history = sampleHistory(NOW, { arms: names(3) });
    expect(trafficOf(history, drawnArms(history), present).times.length).toBe(history.points.length);
  });

  it("does without them where the last point is of the same moment", () => {
    const history = sampleHistory(NOW, { arms: names(3) });
    const { times } = trafficOf({ ...history, to: history.points.at(-1)!.at }, drawnArms(history), armsWithProbabilities(names(3)));
    expect(times.length).toBe(history.points.length);
  });
});
