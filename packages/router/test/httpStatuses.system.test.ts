// What the status of an answer says about the upstream, through each door. The clock is the test's own.
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/until.js";
import { createRouter } from "../src/createRouter.js";
import type { RouterOptions } from "../src/routerOptions.js";
import { closeAll, DOORS, recent, routed } from "./doors.js";
import { jitter } from "./jitter.js";
import { answer, type Behaviour, hang, standIns } from "./standIn.js";
import { sums } from "./sums.js";

afterEach(closeAll);

let time = 0;

/** Two upstreams with a clock that only their answers move. */
async function timed(first: Behaviour, second: Behaviour, options: Partial<RouterOptions> = {}) {
  time = 0;
  const made = await routed(first, { clockSeconds: () => time, ...options });
  made.servers[1]!.behaviour = second;
  return { ...made, told: () => made.router.explain().upstreams };
}

/** Answers after so many seconds of the test's clock, more or less. */
function after(seconds: number, status = 200, headers: Record<string, string> = {}): Behaviour {
  const noise = jitter(1);
  return (request, response) => {
    time += seconds * noise();
    answer("x", status, headers)(request, response);
  };
}

describe.each(Object.entries(DOORS))("through %s", (_name, door) => {
  it("a fast 404 does not attract, unless the option failure says that it is an answer", async () => {
    const share = async (options: Partial<RouterOptions>) => {
      const { router, servers, told } = await timed(after(0.002, 404), after(0.05), options);
      for (let i = 0; i < 300; i++) await door(router, "/");
      expect(sums(router)).toMatchObject({ chosen: 300, failed: 0, open: 0 });
      const [missing] = told();
      expect([missing!.ignored, missing!.done]).toEqual(options.failure ? [0, missing!.chosen] : [missing!.chosen, 0]);
      return servers[0]!.requests.length / 300;
    };
    expect(await share({})).toBeLessThan(0.65);
    expect(await share({ failure: () => false })).toBeGreaterThan(0.8);
  });

  it.each([408, 425, 429, 503])("a fast %i repels", async (status) => {
    const { router, servers } = await timed(after(0.002, status), after(0.05));
    for (let i = 0; i < 300; i++) await door(router, "/");
    expect(router.explain().upstreams[0]).toMatchObject({ failed: servers[0]!.requests.length, done: 0 });
    expect(servers[0]!.requests.length).toBeLessThan(30);
  });

  it.each([
    ["seconds", 429, () => "10"],
    ["seconds", 503, () => " 10 "],
    ["a date", 429, () => new Date(Date.now() + 10_000).toUTCString()],
  ])("Retry-After in %s on a %i costs as much as a failure until then", async (_, status, value) => {
    const { router, servers, told } = await timed(after(0.01), after(0.05));
    for (let i = 0; i < 200; i++) await door(router, "/");
    expect(router.explain().favourite).toBe(servers[0]!.url);
    const before = told()[0]!.probability!;
    servers[0]!.behaviour = (request, response) => answer("later", status, { "retry-after": value() })(request, response);
    while (told()[0]!.failed === 0) await door(router, "/");
    const { restSeconds, probability } = told()[0]!;
    // A date has no fractions of a second, and the wall clock goes on; only a machine that stands still for 8 seconds would see less.
    expect(restSeconds > 1 && restSeconds <= 10).toBe(true);
    expect(probability).toBeCloseTo(1 / 400, 6);
    expect(router.explain().why).toContain(`because ${servers[0]!.url} has asked to be left alone for another ${Math.ceil(restSeconds)} s`);
    expect(JSON.parse(JSON.stringify(router.explain()))).toEqual(router.explain());
    time += restSeconds - 0.001;
    expect(told()[0]!.probability).toBeCloseTo(1 / 400, 6);
    time += 0.002;
    expect(told()[0]!.restSeconds).toBe(0);
    servers[0]!.behaviour = after(0.01);
    while (told()[0]!.failureRate > 0) await door(router, "/");
    expect(told()[0]!.probability).toBeCloseTo(before, 1);
    expect(router.explain().alarms).toBe(0);
  });

  it("a Retry-After of a day is cut to maxEjectionTimeMs, ended by the first success, and has no force while the other upstream fails", async () => {
    const { router, servers, told } = await timed(answer("later", 503, { "retry-after": "86400" }), after(0.01));
    while (told()[0]!.failed === 0) await door(router, "/");
    expect(told()[0]!.restSeconds).toBe(300);
    servers[0]!.behaviour = after(0.01);
    for (let i = 0; i < 200; i++) await door(router, "/");
    await servers[1]!.stop();
    let failed = 0;
    for (let i = 0; i < 200; i++) await door(router, "/").catch(() => failed++);
    expect(failed).toBeLessThanOrEqual(10);
    expect(told()[0]!.restSeconds).toBe(0);
  });

  it("maxEjectionTimeMs bounds a Retry-After, and maxEjectionPercent how many are left alone", async () => {
    const later = answer("later", 503, { "retry-after": "99" });
    const { router, told } = await timed(later, after(0.01), { maxEjectionTimeMs: 2000 });
    while (told()[0]!.failed === 0) await door(router, "/");
    expect(told()[0]!.restSeconds).toBe(2);
    const probabilities = async (maxEjectionPercent: number) => {
      const servers = await standIns(later, later, after(0.01));
      const three = createRouter({ upstreams: servers.map(({ url }) => url), seed: 1, penalty: 5, maxEjectionPercent, clockSeconds: () => time });
      onTestFinished(() => three.close());
      while (three.explain().upstreams.filter(({ restSeconds }) => restSeconds > 0).length < 2) await door(three, "/");
      return three.explain().upstreams.map(({ probability }) => probability!);
    };
    // One failure each costs nothing yet, so that only the rest can tell them from the third.
    expect((await probabilities(100))[2]).toBeGreaterThan(0.99);
    expect((await probabilities(50))[2]).toBeLessThan(0.99);
  });

  it("a success of a request that was sent before the Retry-After does not end it", async () => {
    const { router, servers, told } = await timed(hang, after(0.01));
    const waiting: ServerResponse[] = [];
    servers[0]!.behaviour = (_request, response) => waiting.push(response);
    const early: Promise<unknown>[] = [];
    while (waiting.length < 2) {
      early.push(door(router, "/"));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    waiting[0]!.writeHead(429, { "retry-after": "99" }).end();
    await until("asked", () => told()[0]!.restSeconds > 0);
    for (const response of waiting.slice(1)) response.end("ok");
    await Promise.all(early);
    expect(told()[0]!.done).toBeGreaterThan(0);
    expect(told()[0]!.restSeconds).toBeGreaterThan(0);
  });

  it.each([
    [500, "10"],
    [404, "10"],
    [429, "soon"],
    [429, "in 2099"],
    [429, "10, 20"],
    [429, "-5"],
    [503, "0"],
    [429, new Date(0).toUTCString()],
  ])("a %i with Retry-After %s asks for nothing", async (status, value) => {
    const { router, told } = await timed(answer("x", status, { "retry-after": value }), answer("x", status, { "retry-after": value }));
    await door(router, "/");
    expect(told().map(({ restSeconds }) => restSeconds)).toEqual([0, 0]);
  });

  it("if all ask to be left alone, none is", async () => {
    const { router, told } = await timed(answer("x", 429, { "retry-after": "99" }), answer("x", 429, { "retry-after": "99" }), { penalty: 0 });
    while (told().some(({ restSeconds }) => restSeconds === 0)) await door(router, "/");
    expect(told().map(({ probability }) => probability)).toEqual([0.5, 0.5]);
    expect(told().map(({ restSeconds }) => restSeconds)).toEqual([99, 99]);
  });

  it("if all ask to be left alone, the reason is another one", async () => {
    const { router, servers, told } = await timed(after(0.01), after(0.03), { penalty: 0 });
    for (let i = 0; i < 200; i++) await door(router, "/");
    for (const server of servers) server.behaviour = answer("x", 429, { "retry-after": "99" });
    while (told().some(({ restSeconds }) => restSeconds === 0)) await door(router, "/");
    for (let i = 0; i < 60; i++) router.choose({ except: [servers[1]!.url] });
    expect(router.explain()).toMatchObject({ favourite: servers[1]!.url, why: expect.stringContaining("because of load") });
  });

  it("the option failure gets status and headers, and decides", async () => {
    const seen: unknown[] = [];
    const failure: RouterOptions["failure"] = ({ status, headers }) => {
      seen.push([status, headers["x-mark"]]);
      return headers["x-mark"] === "bad";
    };
    const { router, servers } = await routed(answer("no", 500, { "X-Mark": "good" }), { failure, penalty: 12 });
    expect(await door(router, "/")).toMatchObject({ status: 500, text: "no" });
    expect(sums(router)).toMatchObject({ done: 1, failed: 0 });
    expect(recent(router)).toMatchObject([{ count: 1, failureShare: 0 }]);
    for (const server of servers) server.behaviour = answer("yes", 200, { "X-Mark": "bad" });
    expect(await door(router, "/")).toMatchObject({ status: 200, text: "yes" });
    expect(sums(router)).toMatchObject({ done: 1, failed: 1 });
    expect(seen).toEqual([
      [500, "good"],
      [200, "bad"],
    ]);
  });

  it.each(["first-byte", "total"] as const)(
    "the option failure that throws is a counted refusal, and the caller still gets the answer, with the loss %s",
    async (loss) => {
      const { router } = await routed(answer("fine"), {
        loss,
        failure: () => {
          throw new Error("planted");
        },
      });
      expect(await door(router, "/")).toMatchObject({ status: 200, text: "fine" });
      expect(sums(router)).toMatchObject({ chosen: 1, refused: 1, done: 0, failed: 0, ignored: 0, open: 0, repeated: 0 });
      expect(recent(router)).toEqual([]);
    },
  );
});
