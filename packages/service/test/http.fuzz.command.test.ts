import { createService } from "@tsallis/service";
import fc from "fast-check";
import { LARGEST_LOSS, type Parameter, POLICIES } from "tsallis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { soak } from "../../../test/soak.js";
import { type Answer, Answers } from "./answers.js";
import { type Live, live } from "./live.js";

let service: Live;
let answers: Answers;
beforeAll(async () => {
  // A clock that stands still: nothing expires by itself.
  service = await live({ now: () => 1.8e12 });
  answers = await Answers.of(service.url);
  await answers.put("shop", { arms: ["a", "b", "c"], seed: 7, holdout: 0.1, segments: ["s"] });
  await answers.decide("shop", { id: "open" });
  await answers.decide("shop", { id: "answered", segment: "s" });
  await answers.feedback("shop", "answered", { loss: 1 });
});
afterAll(() => service.close());

/** What must not move where a request is refused: the heads of all logs, and all counts. */
async function state(): Promise<string> {
  return (await answers.ask("GET", "/v1/bandits")).text;
}

/** Asks; nothing may break, and what is refused may change nothing. Returns the status. */
async function harmless(ask: () => Promise<Answer>): Promise<number> {
  const before = await state();
  const { status, text } = await ask();
  expect(status, text).toBeLessThan(500);
  if (status >= 400) expect(await state()).toBe(before);
  return status;
}

const runs = (bounded: number) => ({ numRuns: soak(bounded, 20 * bounded) });

/** Text that is hard on parsers, patterns and stores. */
const HOSTILE_TEXT = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff a",
  "\u{10ffff}",
  "\u202e",
  "__proto__",
  "constructor",
  "toString",
  ".",
  "..",
  "../..",
  "a/b",
  "a\\b",
  "a b",
  "%2e%2e",
  "%00",
  "a\nb",
  "*",
  "'; DROP TABLE event; --",
  '"',
  "<img src=x onerror=alert(1)>",
  "decisions:batch",
  "é".repeat(65),
  "x".repeat(129),
  "x".repeat(60_000),
];
const HOSTILE_NUMBERS = [-1, -0, 0.5, 1e-320, 2 ** 31, 2 ** 53, 2 ** 63, 1e300, -1e300, 1.000001e300, Number.MAX_VALUE, -Number.MAX_VALUE];

const text = fc.oneof(fc.constantFrom(...HOSTILE_TEXT), fc.string({ unit: "binary" }));
const number = fc.oneof(fc.constantFrom(...HOSTILE_NUMBERS), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
const nested = fc
  .tuple(fc.integer({ min: 1, max: 5_000 }), fc.boolean())
  .map(([deep, isList]) => Raw.of(isList ? `${"[".repeat(deep)}${"]".repeat(deep)}` : `${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`));
const long = fc
  .tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom<unknown>(1, "a", null, {}, []))
  .map(([length, item]) => new Array(length).fill(item));
const poisoned = fc
  .constantFrom(
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"isAdmin":true}}}',
    '{"a":{"__proto__":null}}',
    '{"\\u005f_proto__":1}',
  )
  .map((json) => Raw.of(json));
const unparsable = fc
  .constantFrom("NaN", "1e999", "-1e999", "Infinity", "undefined", "'a'", "01", "+1", ".5", "1.", "/* */ 1", "[1,]", "\ufeff1", "tru", "")
  .map((json) => Raw.of(json));
const value: fc.Arbitrary<unknown> = fc.oneof(text, number, fc.constantFrom(null, true, false), fc.jsonValue(), nested, long, poisoned, unparsable);

/** JSON, or nearly, that `JSON.stringify` does not write. */
class Raw {
  private constructor(readonly json: string) {}

  static of(json: string): Raw {
    return new Raw(json);
  }
}

function written(given: unknown): string {
  if (given instanceof Raw) return given.json;
  if (Array.isArray(given)) return `[${given.map(written).join(",")}]`;
  if (typeof given !== "object" || given === null) return JSON.stringify(given);
  return `{${Object.entries(given).map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`)}}`;
}

/** The places in a value: paths of keys. */
function places(given: unknown, path: readonly string[] = []): string[][] {
  const inner = typeof given === "object" && given !== null ? Object.entries(given).flatMap(([key, each]) => places(each, [...path, key])) : [];
  return [[...path], ...inner];
}

function replaced(given: unknown, [key, ...rest]: readonly string[], by: (old: unknown) => unknown): unknown {
  if (key === undefined) return by(given);
  const copy = Array.isArray(given) ? [...given] : { ...(given as object) };
  Reflect.set(copy, key, replaced(Reflect.get(given as object, key), rest, by));
  return copy;
}

/** A valid body with something wrong, or at least odd, in one place: another value, a key that is gone, one more, one twice. */
function mutated(body: object): fc.Arbitrary<string> {
  const anywhere = fc.constantFrom(...places(body));
  const exchanged = fc.tuple(anywhere, value).map(([place, by]) => written(replaced(body, place, () => by)));
  const inObject = (change: (entries: string[]) => string[]) => (old: unknown) =>
    typeof old === "object" && old !== null && !Array.isArray(old)
      ? Raw.of(`{${change(Object.entries(old).map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`)).join(",")}}`)
      : old;
  const added = fc.tuple(anywhere, text, value).map(([place, key, inner]) =>
    written(
      replaced(
        body,
        place,
        inObject((entries) => [...entries, `${JSON.stringify(key)}:${written(inner)}`]),
      ),
    ),
  );
  const removed = anywhere.map((place) =>
    written(
      replaced(
        body,
        place,
        inObject((entries) => entries.slice(1)),
      ),
    ),
  );
  const twice = fc.tuple(anywhere, value).map(([place, inner]) =>
    written(
      replaced(
        body,
        place,
        inObject((entries) => [...entries, ...entries.slice(0, 1).map((entry) => entry.replace(/:.*/s, `:${written(inner)}`))]),
      ),
    ),
  );
  const cut = fc.tuple(fc.integer({ min: 0, max: 200 }), fc.string({ unit: "binary", maxLength: 3 })).map(([at, more]) => {
    const whole = JSON.stringify(body);
    return whole.slice(0, at % whole.length) + more + whole.slice((at % whole.length) + 1);
  });
  return fc.oneof(exchanged, added, removed, twice, cut);
}

/** Every route that takes a body, with one that it would take. */
const BODIES: readonly { method: string; path: string; body: object }[] = [
  {
    method: "PUT",
    path: "/v1/bandits/new",
    body: {
      arms: ["a", "b"],
      policy: { policy: "htinf", alpha: 1.5, sigma: 1 },
      seed: 1,
      windowSeconds: 60,
      expired: 3,
      holdout: 0.1,
      segments: ["s"],
    },
  },
  { method: "PATCH", path: "/v1/bandits/shop", body: { arms: ["a", "d"], windowSeconds: 10, expired: "ignore", holdout: 0, state: "running" } },
  { method: "POST", path: "/v1/bandits/shop/decisions", body: { id: "x", segment: "s" } },
  { method: "POST", path: "/v1/bandits/shop/decisions:batch", body: { decisions: [{ id: "x" }, { segment: "s" }, {}] } },
  { method: "POST", path: "/v1/bandits/shop/decisions/open/feedback", body: { loss: 1 } },
  {
    method: "POST",
    path: "/v1/bandits/shop/feedback",
    body: {
      feedback: [
        { id: "open", loss: 1 },
        { id: "answered", reward: 2 },
      ],
    },
  },
];
const JSON_TYPE = { "content-type": "application/json" };

describe.each(BODIES)("$method $path", ({ method, path, body }) => {
  test("bodies that are nearly right: no 5xx, and a refusal changes nothing", async () => {
    const statuses = new Map<number, number>();
    const play = async (sent: string) => {
      // What lasts would refuse all that follow: an archived bandit does for ever.
      fc.pre(!sent.includes("archived"));
      const status = await harmless(() => answers.exact(method, path, JSON_TYPE, Buffer.from(sent, "utf8")));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    await fc.assert(fc.asyncProperty(mutated(body), play), runs(100));
    // It was not refused for one reason only.
    expect(statuses.get(400) ?? 0, "not JSON").toBeGreaterThan(3);
    expect(statuses.get(422) ?? 0, "another shape").toBeGreaterThan(20);
  });

  test("any JSON at all: no 5xx, and a refusal changes nothing", async () => {
    const play = async (sent: unknown) =>
      harmless(() => answers.exact(method, path, JSON_TYPE, Buffer.from(written(sent), "utf8"))).then(() => undefined);
    await fc.assert(fc.asyncProperty(value, play), runs(30));
  });

  test("any bytes at all are refused, and change nothing", async () => {
    const play = async (bytes: Uint8Array) => {
      // A byte that no UTF-8 has.
      const status = await harmless(() => answers.exact(method, path, JSON_TYPE, Buffer.concat([Buffer.from(bytes), Buffer.from([0xff])])));
      expect(status).toBe(400);
    };
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), play), runs(20));
  });
});

describe("addresses", () => {
  const part = fc.oneof(
    fc.constantFrom("v1", "bandits", "shop", "decisions", "decisions:batch", "open", "feedback", "log", "history", "metrics", "healthz"),
    text.map((each) => encodeURIComponent(Buffer.from(each).toString())),
    fc.constantFrom(
      "%",
      "%2",
      "%zz",
      "%2e",
      "%2E%2e",
      "%2F",
      "%5c",
      "%00",
      "%c0%ae",
      "%ff",
      "..;",
      ";x",
      "::",
      ":name",
      "*",
      "~",
      "shop%00",
      "SHOP",
      "%73hop",
    ),
  );
  const query = fc.array(
    fc.tuple(
      fc.oneof(fc.constantFrom("after", "limit", "points", "segment", "__proto__", "segment[]", "after%00"), part),
      fc.oneof(number.map(String), part),
    ),
    { maxLength: 4 },
  );
  const method = fc.constantFrom("GET", "GET", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND");

  test("any path and any query: no 5xx, and a refusal changes nothing", async () => {
    const statuses = new Set<number>();
    const play = async (how: string, parts: string[], pairs: [string, string][], isBandit: boolean) => {
      const path = `/${(isBandit ? ["v1", "bandits", "shop", ...parts] : parts).join("/")}`.slice(0, 12_000);
      const asked = pairs
        .map(([key, each]) => `${key}=${each}`)
        .join("&")
        .slice(0, 2_000);
      statuses.add(await harmless(() => answers.exact(how, pairs.length > 0 ? `${path}?${asked}` : path)));
    };
    await fc.assert(fc.asyncProperty(method, fc.array(part, { maxLength: 6 }), query, fc.boolean(), play), runs(300));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 404, 422]));
  });

  test("queries of the routes that read: a number is a number, and nobody else's key is read", async () => {
    for (const path of ["/v1/bandits/shop/log?after=", "/v1/bandits/shop/log?limit=", "/v1/bandits/shop/history?points="]) {
      for (const wrong of ["-1", "1.5", "NaN", "1e300", "9007199254740993", "a", "1&limit=0", "null", "[]", "1&unknown=2"]) {
        await answers.refused(422, "ERR_BODY", "GET", path + wrong);
      }
    }
    await answers.refused(422, "ERR_BODY", "GET", "/v1/bandits/shop?segment=a&segment=b");
    await answers.refused(422, "ERR_BODY", "GET", "/v1/bandits/shop?segment=%00");
    await answers.refused(422, "ERR_BODY", "GET", "/v1/bandits/shop?__proto__=1");
  });
});

test("any headers: no 5xx, and a refusal changes nothing", async () => {
  const names = fc.constantFrom(
    ...[
      "accept",
      "accept-encoding",
      "authorization",
      "content-encoding",
      "content-type",
      "cookie",
      "expect",
      "forwarded",
      "from",
      "if-match",
      "if-none-match",
    ],
    ...[
      "range",
      "origin",
      "referer",
      "te",
      "transfer-encoding",
      "upgrade",
      "via",
      "x-forwarded-for",
      "x-forwarded-host",
      "x-http-method-override",
      "x-anything",
    ],
  );
  const values = fc.oneof(
    fc.constantFrom(
      "",
      "*/*",
      "gzip",
      "application/json",
      "text/plain",
      "application/json; charset=utf-16",
      "chunked, chunked",
      "bytes=0-",
      "Bearer x",
      "null",
      "127.0.0.1",
      "h2c",
      "PUT",
    ),
    fc.string({ unit: "grapheme-ascii", maxLength: 200 }),
  );
  // An expectation makes Node's client wait for leave to send.
  const play = async (route: (typeof BODIES)[number], headers: Record<string, string>) => {
    await harmless(() => answers.exact(route.method, route.path, { ...JSON_TYPE, ...headers }, "{}"));
  };
  const some = fc.dictionary(names, values, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...BODIES),
      some.filter((headers) => !("transfer-encoding" in headers)),
      play,
    ),
    runs(150),
  );
});

describe("policies", () => {
  const EXTREME = [0, 1, 1.5, 2, 1e-300, 5e-324, 1e-9, 1e9, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER, 1e300, Number.MAX_VALUE];
  const given = (parameter: Parameter): fc.Arbitrary<unknown> =>
    parameter.type === "name" ? fc.constantFrom(...parameter.names) : fc.constantFrom(...EXTREME, "default" in parameter ? parameter.default : 1.5);
  const spec = fc
    .constantFrom(...Object.entries(POLICIES))
    .chain(([policy, { parameters }]) =>
      fc
        .record(Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, given(parameter)])), { requiredKeys: [] })
        .map((options) => ({ policy, ...options })),
    );
  const LOSSES = [0, 1, -1, LARGEST_LOSS, -LARGEST_LOSS, 5e-324, 1e150, -1e150];

  test("with extreme parameters and extreme losses: no 5xx, and every log that was written replays", async () => {
    const there = await live();
    let created = 0;
    try {
      const asked = await Answers.of(there.url);
      const play = async (policy: object, arms: number, losses: number[]) => {
        const name = `b${created}`;
        const { status, text: told } = await asked.ask("PUT", `/v1/bandits/${name}`, {
          body: { arms: Array.from({ length: arms }, (_, i) => `a${i}`), policy, seed: 1 },
        });
        expect([201, 422], told).toContain(status);
        if (status === 422) return;
        created++;
        for (const loss of losses) {
          const { decisions } = await asked.expect(200, "POST", `/v1/bandits/${name}/decisions:batch`, { body: { decisions: [{}, {}, {}] } });
          const made = (decisions as { id?: string }[]).filter(({ id }) => id !== undefined);
          if (made.length === 0) continue;
          await asked.expect(200, "POST", `/v1/bandits/${name}/feedback`, { body: { feedback: made.map(({ id }) => ({ id, loss })) } });
          await asked.expect(200, "GET", `/v1/bandits/${name}/decisions/${made[0]!.id}`);
        }
        await asked.view(name);
        await asked.expect(200, "GET", `/v1/bandits/${name}/history`);
      };
      const some = fc.array(fc.constantFrom(...LOSSES), { minLength: 1, maxLength: 4 });
      await fc.assert(fc.asyncProperty(spec, fc.constantFrom(2, 3, 50), some, play), runs(150));
      expect(created).toBeGreaterThan(30);
      await asked.expect(200, "GET", "/metrics");
      // What is read while the first one still has the file is what a killed one would leave.
      const second = createService({ store: there.file, port: 0 });
      try {
        const again = await Answers.of((await second.listen()).replace(/\/$/, ""));
        const { bandits } = await again.expect(200, "GET", "/v1/bandits");
        expect(bandits).toHaveLength(created);
        expect((bandits as { state: string }[]).filter(({ state: found }) => found === "shut")).toEqual([]);
      } finally {
        await second.close();
      }
    } finally {
      await there.close();
    }
    expect(there.events.filter(({ event }) => event === "problem")).toEqual([]);
  });
});

test("large bodies are refused in a moment: nobody else has to wait", async () => {
  const MiB = 1024 * 1024;
  const filled = (item: string, before: string, after: string) => {
    const count = Math.floor((MiB - before.length - after.length) / (item.length + 1));
    return `${before}${new Array(count).fill(item).join(",")}${after}`;
  };
  const bodies = [
    filled("1", '{"arms":[', "]}"),
    filled('"a"', '{"arms":[', "]}"),
    filled("{}", '{"arms":[', "]}"),
    filled("[]", '{"arms":["a","b"],"policy":[', "]}"),
    filled('"k":1', "{", "}"),
    `{"arms":${"[".repeat(MiB / 2 - 10)}${"]".repeat(MiB / 2 - 10)}}`,
    `{${Array.from({ length: 60_000 }, (_, i) => `"k${i}":1`).join(",")}}`,
    JSON.stringify({ arms: ["a", "b"], policy: { policy: "htinf", ...Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1])) } }),
    JSON.stringify({ arms: new Array(10_000).fill("a") }),
    JSON.stringify({ arms: ["a", "b"], seed: 1, policy: { policy: "x".repeat(MiB - 100) } }),
  ];
  for (const body of bodies) {
    const start = performance.now();
    const { status, text: told } = await answers.ask("PUT", "/v1/bandits/large", { body });
    // Some took minutes: every item was compared with every other one.
    expect(performance.now() - start, told.slice(0, 200)).toBeLessThan(20_000);
    expect([status, told.length < 1_500]).toEqual([422, true]);
  }
});

test("nothing of all this was a problem to the service, or polluted it", async () => {
  expect(service.events.filter(({ event, status }) => event === "problem" || Number(status) >= 500)).toEqual([]);
  expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  // It still does its work.
  await answers.expect(200, "PATCH", "/v1/bandits/shop", { body: { state: "running" } });
  const { id } = await answers.decide("shop");
  await answers.feedback("shop", id, { loss: 1 });
});
