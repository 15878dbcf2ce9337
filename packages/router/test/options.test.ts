import { readFileSync } from "node:fs";
import { TsallisError } from "tsallis";
import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import { DEFAULT_DETECT, DEFAULT_HALF_LIFE } from "../src/policySpec.js";
import { RouterError } from "../src/routerError.js";
import type { RouterOptions } from "../src/routerOptions.js";

const upstreams = ["a", "b"];
const make = (options: Record<string, unknown>) => createRouter({ upstreams, ...options } as RouterOptions);

function refusal(options: Record<string, unknown>): RouterError {
  try {
    make(options);
  } catch (error) {
    expect(error).toBeInstanceOf(RouterError);
    return error as RouterError;
  }
  throw new Error("was accepted");
}

describe("bad options", () => {
  it.each([
    ["nothing for upstreams", { upstreams: undefined }, "ERR_UPSTREAMS", "upstreams"],
    ["no upstream for a saved state", { upstreams: [], state: { snapshot: {} } }, "ERR_UPSTREAMS", "upstreams"],
    ["an object without a protocol", { upstreams: [{ hostname: "a.example" }] }, "ERR_UPSTREAMS", "upstreams[0]"],
    ["an object with a bad port", { upstreams: { protocol: "http:", hostname: "a.example", port: "x" } }, "ERR_UPSTREAMS", "upstreams"],
    ["an empty string", { upstreams: "" }, "ERR_UPSTREAMS", "upstreams"],
    ["a single bad URL", { upstreams: "http://" }, "ERR_UPSTREAMS", "upstreams"],
    ["an object that is no URL", { upstreams: { href: "http://a.example" } }, "ERR_UPSTREAMS", "upstreams"],
    ["a URL of another protocol", { upstreams: [new URL("ftp://a.example")] }, "ERR_UPSTREAMS", "upstreams[0]"],
    ["a URL object twice", { upstreams: ["http://a.example", new URL("http://a.example")] }, "ERR_UPSTREAMS", "upstreams"],
    ["a URL object with a query", { upstreams: [new URL("http://a.example/?x")] }, "ERR_UPSTREAMS", "upstreams[0]"],
    ["an empty name", { upstreams: ["a", " "] }, "ERR_UPSTREAMS", "upstreams[1]"],
    ["a number", { upstreams: ["a", 1] }, "ERR_UPSTREAMS", "upstreams[1]"],
    ["a name twice", { upstreams: ["a", "b", "a"] }, "ERR_UPSTREAMS", "upstreams"],
    ["a URL twice, spelt otherwise", { upstreams: ["http://a.example", "HTTP://A.example:80/"] }, "ERR_UPSTREAMS", "upstreams"],
    ["a base path twice, spelt otherwise", { upstreams: ["http://a.example/x/", "http://a.example/y/../x"] }, "ERR_UPSTREAMS", "upstreams"],
    ["a URL among names", { upstreams: ["a", "http://a.example"] }, "ERR_UPSTREAMS", "upstreams"],
    ["a bad URL", { upstreams: ["http://a.example", "http://[broken"] }, "ERR_UPSTREAMS", "upstreams[1]"],
    ["a URL with a query", { upstreams: ["http://a.example", "http://b.example/?x=1"] }, "ERR_UPSTREAMS", "upstreams[1]"],
    ["a URL with a user", { upstreams: ["http://a.example", "http://me:secret@b.example"] }, "ERR_UPSTREAMS", "upstreams[1]"],
    ["an unknown option", { timeOut: 1 }, "ERR_OPTION", "timeOut"],
    ["a timeout of 0", { timeoutMs: 0 }, "ERR_OPTION", "timeoutMs"],
    ["a negative timeout", { timeoutMs: -1 }, "ERR_OPTION", "timeoutMs"],
    ["a timeout that is NaN", { timeout: Number.NaN }, "ERR_OPTION", "timeout"],
    ["a timeout above a quarter of an hour", { timeoutMs: 900_001 }, "ERR_OPTION", "timeoutMs"],
    ["a timeout by another name", { timeout: 5 }, "ERR_OPTION", "timeout"],
    ["a timeout that is a string", { timeout: "5" }, "ERR_OPTION", "timeout"],
    ["a negative penalty", { penalty: -1 }, "ERR_OPTION", "penalty"],
    ["a penalty that is NaN", { penalty: Number.NaN }, "ERR_OPTION", "penalty"],
    ["an endless penalty", { penalty: Number.POSITIVE_INFINITY }, "ERR_OPTION", "penalty"],
    ["a negative longest ejection", { maxEjectionTimeMs: -1 }, "ERR_OPTION", "maxEjectionTimeMs"],
    ["an ejection longer than a day", { maxEjectionTimeMs: 86_400_001 }, "ERR_OPTION", "maxEjectionTimeMs"],
    ["an ejection of more than all", { maxEjectionPercent: 101 }, "ERR_OPTION", "maxEjectionPercent"],
    ["a share of ejections that is NaN", { maxEjectionPercent: Number.NaN }, "ERR_OPTION", "maxEjectionPercent"],
    ["an unknown loss", { loss: "latency" }, "ERR_OPTION", "loss"],
    ["a word for true", { lossIsElapsedSeconds: "yes" }, "ERR_OPTION", "lossIsElapsedSeconds"],
    ["a time for a clock", { clockSeconds: 5 }, "ERR_OPTION", "clockSeconds"],
    ["a seed of -1", { seed: -1 }, "ERR_OPTION", "seed"],
    ["a seed of 1.5", { seed: 1.5 }, "ERR_OPTION", "seed"],
    ["no policy", { policy: "htinf" }, "ERR_OPTION", "policy"],
    ["forgetting true", { forgetting: true }, "ERR_OPTION", "forgetting"],
    ["a half-life of 0", { forgetting: { halfLife: 0 } }, "ERR_OPTION", "forgetting"],
    ["a half-life that is NaN", { forgetting: { halfLife: Number.NaN } }, "ERR_OPTION", "forgetting"],
    ["a half-life of 0 s", { forgetting: { halfLifeSeconds: 0 } }, "ERR_OPTION", "forgetting"],
    ["a half-life in rounds and seconds", { forgetting: { halfLife: 10, halfLifeSeconds: 10 } }, "ERR_OPTION", "forgetting"],
    ["seconds for a policy without it", { policy: { policy: "ucb1" }, forgetting: { halfLifeSeconds: 10 } }, "ERR_FORGETTING", "forgetting"],
    ["an unknown option of forgetting", { forgetting: { halfLife: 10, rounds: 1 } }, "ERR_OPTION", "forgetting"],
    ["forgetting for a policy without it", { policy: { policy: "ucb1" }, forgetting: { halfLife: 10 } }, "ERR_FORGETTING", "forgetting"],
    ["two half-lives", { policy: { policy: "matched-tinf", halfLife: 5 }, forgetting: { halfLife: 10 } }, "ERR_FORGETTING", "forgetting"],
    ["a half-life and none", { policy: { policy: "matched-tinf", halfLife: 5 }, forgetting: false }, "ERR_FORGETTING", "forgetting"],
    ["an empty file name", { state: "" }, "ERR_OPTION", "state.file"],
    ["an unknown option of the state", { state: { file: "x", every: 1 } }, "ERR_OPTION", "state.every"],
    ["an interval of 0", { state: { file: "x", intervalMs: 0 } }, "ERR_OPTION", "state.intervalMs"],
    ["another word for damaged", { state: { file: "x", damaged: "ignore" } }, "ERR_OPTION", "state.damaged"],
    ["a file and a snapshot", { state: { file: "x", snapshot: {} } }, "ERR_OPTION", "state.file"],
    ["a folder that is not there", { state: "no-such-folder/state.json" }, "ERR_STATE_WRITE", "state.file"],
    ["a failure rule that is no function", { failure: [500] }, "ERR_OPTION", "failure"],
    ["a route that is no function", { route: "reads" }, "ERR_OPTION", "route"],
    ["a negative cost", { cost: { a: -1 } }, "ERR_OPTION", "cost"],
    ["a cost of something else", { cost: { c: 1 } }, "ERR_OPTION", "cost"],
    ["a cost for all", { cost: 3 }, "ERR_OPTION", "cost"],
    ["retries of names", { retry: {} }, "ERR_NOT_HTTP", "retry"],
    ["an unknown option of retry", { upstreams: "http://a", retry: { times: 2 } }, "ERR_OPTION", "retry.times"],
    ["one attempt", { upstreams: "http://a", retry: { attempts: 1 } }, "ERR_OPTION", "retry.attempts"],
    ["a retry of successes", { upstreams: "http://a", retry: { when: [200] } }, "ERR_OPTION", "retry.when"],
    ["a retry of nothing", { upstreams: "http://a", retry: { when: [] } }, "ERR_OPTION", "retry.when"],
    ["a budget of 10 %", { upstreams: "http://a", retry: { budget: 10 } }, "ERR_OPTION", "retry.budget"],
    ["a clock that is no function", { clockSeconds: 5 }, "ERR_OPTION", "clockSeconds"],
    ["a pool that is a number", { pool: 10 }, "ERR_OPTION", "pool"],
  ])("%s", (_, options, code, parameter) => {
    const error = refusal(options);
    expect([error.code, error.parameter]).toEqual([code, parameter]);
    expect(error.message).toContain(parameter.replace(/\[.*/, ""));
  });

  it.each([undefined, null, 3, []])("%s for options", (options) => {
    expect(() => createRouter(options as never)).toThrow(expect.objectContaining({ name: "RouterError", code: "ERR_OPTION", parameter: "options" }));
  });

  it.each([
    [{ policy: { policy: "no-such" } }, "ERR_UNKNOWN_NAME", "policy.policy"],
    [{ policy: { policy: "no-such" }, forgetting: { halfLife: 5 } }, "ERR_UNKNOWN_NAME", "policy.policy"],
    [{ policy: { policy: "htinf", alpha: 3, sigma: 1 } }, "ERR_PARAMETER", "policy.alpha"],
    [{ policy: { policy: "matched-tinf", halfLife: Number.NaN } }, "ERR_PARAMETER", "policy.halfLife"],
    [{ policy: {} }, "ERR_MISSING", "policy.policy"],
  ])("the library's own error for %j", (options, code, parameter) => {
    expect(() => make(options)).toThrow(TsallisError);
    expect(() => make(options)).toThrow(expect.objectContaining({ code, parameter }));
  });
});

it("the reference states the actual default half-life", () => {
  expect(readFileSync(new URL("../../../docs/reference/router.md", import.meta.url), "utf8")).toContain(`| \`{ halfLife: ${DEFAULT_HALF_LIFE} }\` |`);
});

describe("the policy", () => {
  const spec = (options: Record<string, unknown>) => make(options).explain().policy;

  it("is the library's default, which forgets and watches for changes", () => {
    expect(spec({})).toEqual({ policy: "matched-tinf", halfLife: DEFAULT_HALF_LIFE, detect: DEFAULT_DETECT });
  });

  it.each([
    [{ forgetting: false }, { policy: "matched-tinf" }],
    [{ forgetting: { halfLife: 50 } }, { policy: "matched-tinf", halfLife: 50, detect: DEFAULT_DETECT }],
    [{ policy: { policy: "matched-tinf", detect: 0.5 } }, { policy: "matched-tinf", halfLife: DEFAULT_HALF_LIFE, detect: 0.5 }],
    [{ policy: { policy: "matched-tinf", halfLife: 9 } }, { policy: "matched-tinf", halfLife: 9 }],
    [{ policy: { policy: "opttinf" } }, { policy: "opttinf", halfLife: DEFAULT_HALF_LIFE }],
    [{ policy: { policy: "ucb1" } }, { policy: "ucb1" }],
    [{ policy: { policy: "ucb1" }, forgetting: false }, { policy: "ucb1" }],
  ])("%j gives %j", (options, wanted) => {
    expect(spec(options)).toEqual(wanted);
  });
});

it.each([null, 3, ["a"], { only: "a" }])("bad options of a choice are refused, and nothing is counted: %j", (options) => {
  const router = make({});
  expect(() => router.choose(options as never)).toThrow(expect.objectContaining({ name: "RouterError", code: "ERR_OPTION" }));
  expect(router.explain().rounds).toBe(0);
});

describe("upstreams", () => {
  it("that are names can only be used with tickets", async () => {
    const router = make({});
    expect(upstreams).toContain(router.choose().upstream);
    expect(() => router.dispatcher()).toThrow(expect.objectContaining({ code: "ERR_NOT_HTTP" }));
    await expect(router.fetch("/")).rejects.toMatchObject({ code: "ERR_NOT_HTTP" });
  });

  it("keep the given spelling", () => {
    const spelt = ["HTTP://A.example:80/", "http://b.example/base/", "https://a.example"];
    expect(
      createRouter({ upstreams: spelt })
        .explain()
        .upstreams.map(({ upstream }) => upstream),
    ).toEqual(spelt);
  });

  it.each<[RouterOptions["upstreams"], string[]]>([
    ["a", ["a"]],
    [["a"], ["a"]],
    ["HTTP://A.example", ["HTTP://A.example"]],
    [new URL("http://a.example:80/"), ["http://a.example"]],
    [
      [new URL("https://a.example:8443/base/"), "http://b.example/"],
      ["https://a.example:8443/base", "http://b.example/"],
    ],
  ])("may be a single one, and URL objects: %j", (given, names) => {
    const told = createRouter({ upstreams: given }).explain();
    expect(told.upstreams.map(({ upstream }) => upstream)).toEqual(names);
  });

  it.each(["matched-tinf", "htinf", "opttinf", "uniform", "ucb1"])(
    "may be a single one under the policy %s, and there is nothing to choose",
    (policy) => {
      const spec = policy === "htinf" ? { policy, alpha: 1.5, sigma: 1 } : { policy };
      const router = createRouter({ upstreams: "only", policy: spec, seed: 1 });
      for (let i = 0; i < 50; i++) router.choose().done(i);
      expect(router.explain()).toMatchObject({ rounds: 50, why: "only is the only upstream.", alarms: policy === "matched-tinf" ? 0 : null });
      expect(createRouter({ upstreams: "only", policy: spec, state: { snapshot: router.snapshot() } }).explain()).toEqual(router.explain());
    },
  );

  it.each(["items", "", "http://a.example/x", undefined])("refuse the path %j before anything is chosen", async (path) => {
    const router = createRouter({ upstreams: ["http://a.example", "http://b.example"] });
    await expect(router.fetch(path as string)).rejects.toMatchObject({ code: "ERR_PATH" });
    expect(router.explain().rounds).toBe(0);
    await router.close();
  });
});
