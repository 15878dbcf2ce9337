// What the status of an answer says about the upstream, through each door. The clock is the test's own.
import { afterEach, describe, expect, it } from "vitest";
import type { RouterOptions } from "../src/routerOptions.js";
import { closeAll, DOORS, recent, routed } from "./doors.js";
import { jitter } from "./jitter.js";
import { answer, type Behaviour } from "./standIn.js";
import { sums } from "./sums.js";

afterEach(closeAll);

let time = 0;

/** Two upstreams with a clock that only their answers move. */
async function timed(first: Behaviour, second: Behaviour, options: Partial<RouterOptions> = {}) {
  time = 0;
  const made = await routed(first, { clock: () => time, ...options });
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
  ])("Retry-After in %s on a %i keeps an upstream at its probe share until then", async (_, status, value) => {
    const { router, servers, told } = await timed(after(0.01), after(0.05), { penalty: 0 });
    for (let i = 0; i < 200; i++) await door(router, "/");
    expect(router.explain().favourite).toBe(servers[0]!.url);
    const before = told()[0]!.probability!;
    servers[0]!.behaviour = (request, response) => answer("later", status, { "retry-after": value() })(request, response);
    while (told()[0]!.failed === 0) await door(router, "/");
    const { restSeconds, probability } = told()[0]!;
    // A date has no fractions of a second, and the wall clock goes on; only a machine that stands still for 8 seconds would see less.
    expect(restSeconds > 1 && restSeconds <= 10).toBe(true);
    expect(probability).toBeCloseTo(1 / 400, 12);
    expect(router.explain().why).toContain(`because ${servers[0]!.url} has asked to be left alone for another ${Math.ceil(restSeconds)} s`);
    expect(JSON.parse(JSON.stringify(router.explain()))).toEqual(router.explain());
    time += restSeconds - 0.001;
    expect(told()[0]!.probability).toBeCloseTo(1 / 400, 12);
    time += 0.002;
    expect(told()[0]!.restSeconds).toBe(0);
    expect(told()[0]!.probability).toBeCloseTo(before, 1);
    expect(router.explain().regime.changes).toBe(0);
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
