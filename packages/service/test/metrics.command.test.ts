import Database from "libsql";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { read as readRepository } from "../../../test/repository.js";
import { Answers } from "./answers.js";
import { type Live, live } from "./live.js";
import { type Family, parsePrometheus } from "./prometheus.js";

let service: Live;
let answers: Answers;
beforeAll(async () => {
  service = await live({}, [{ role: "admin" }, { role: "read", scopes: ["team-a.*"] }, { role: "decide" }]);
  answers = await Answers.of(service.url, service.keys[0]!.key);
  for (const name of ["team-a.1", "team-b.1"]) await answers.put(name, { arms: ["a", "b:x._-"], seed: 3 });
  await answers.put("team-a.wide", { arms: Array.from({ length: 21 }, (_, i) => `a${i}`) });
  for (const name of ["team-a.1", "team-b.1", "team-a.wide"]) {
    for (const id of ["1", "2", "3"]) await answers.decide(name, { id });
    await answers.feedback(name, "1", { loss: 1 });
    await answers.feedback(name, "1", { loss: 1 });
    await answers.refused(409, "ERR_FEEDBACK_DIFFERS", "POST", `/v1/bandits/${name}/decisions/1/feedback`, { body: { loss: 2 } });
    await answers.refused(404, "ERR_UNKNOWN_DECISION", "POST", `/v1/bandits/${name}/decisions/none/feedback`, { body: { loss: 2 } });
  }
  await answers.expect(200, "POST", "/v1/bandits/team-b.1/decisions:batch", { body: { decisions: [{}, {}] } });
});
afterAll(() => service.close());

async function read(key?: string): Promise<Map<string, Family>> {
  const { status, text, headers } = await answers.ask("GET", "/metrics", { key });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return parsePrometheus(text);
}

function values(family: Family | undefined, labels: Readonly<Record<string, string>>): number[] {
  return [...family!.samples.values()]
    .filter((sample) => Object.entries(labels).every(([name, value]) => sample.labels[name] === value))
    .map(({ value }) => value);
}

test("every metric that the alert rules of the example name exists, with the labels that they name", async () => {
  interface Rule {
    readonly alert: string;
    readonly expr: string;
    readonly for: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly summary: string; readonly remedy: string };
  }
  const { groups } = parse(readRepository("examples/service/alerts.yaml")) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const families = await read();
  const labelsOf = (family: string) => new Set([...families.get(family)!.samples.values()].flatMap(({ labels }) => Object.keys(labels)));
  const described = /family\("(\w+)"/g;
  const all = [...readRepository("packages/service/src/http/metrics.ts").matchAll(described)].map(([, name]) => name!);
  expect([...families.keys()].sort()).toEqual(all.sort());
  for (const { alert, expr, labels, annotations } of rules) {
    const named = [...expr.matchAll(/\btsallis_\w+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ""));
    if (alert !== "TsallisDown") expect(named.length, alert).toBeGreaterThan(0);
    for (const name of named) expect([...families.keys()], alert).toContain(name);
    for (const [, name, label] of expr.matchAll(/(tsallis_\w+)\{(\w+)=/g))
      expect(labelsOf(name!.replace(/_(?:bucket|sum|count)$/, "")), alert).toContain(label);
    expect(["page", "ticket"], alert).toContain(labels.severity);
    expect(annotations, alert).toEqual({ summary: expect.stringMatching(/./), remedy: expect.stringMatching(/./) });
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  // Each kind of figure that an operator must not miss has a rule.
  for (const name of ["shut", "store_errors_total", "queue_events", "snapshot_age_seconds", "event_loop_lag_seconds"])
    expect(
      rules.some(({ expr }) => expr.includes(`tsallis_${name}`)),
      name,
    ).toBe(true);
});

test("of a store that fails, of snapshots and of the queue", async () => {
  const own = await live();
  onTestFinished(() => own.close());
  const there = await Answers.of(own.url);
  await there.put("b", { arms: ["a", "b"] });
  const figures = async () => {
    const families = parsePrometheus((await there.ask("GET", "/metrics")).text);
    const of = (name: string, labels = {}) => values(families.get(name), labels);
    return {
      ages: of("tsallis_snapshot_age_seconds"),
      waiting: of("tsallis_queue_events"),
      errors: of("tsallis_store_errors_total"),
      lags: of("tsallis_event_loop_lag_seconds"),
    };
  };
  expect(await figures()).toMatchObject({ ages: [0], waiting: [0], errors: [0] });
  await there.decide("b", { id: "x" });
  const { ages, lags } = await figures();
  expect(ages[0]).toBeGreaterThanOrEqual(0);
  expect(lags).toHaveLength(3);
  expect([...lags].sort((a, b) => a - b)).toEqual(lags);
  const other = new Database(own.file);
  other.exec("ALTER TABLE event RENAME TO gone");
  await there.refused(503, "ERR_STORE", "POST", "/v1/bandits/b/decisions", { body: { id: "y" } });
  expect((await figures()).errors[0]).toBeGreaterThan(0);
  other.exec("ALTER TABLE gone RENAME TO event");
  other.close();
});

test("are Prometheus' text, and right", async () => {
  const families = await read();
  expect([...families.keys()].sort()).toEqual([
    "tsallis_alarm",
    "tsallis_batch_events",
    "tsallis_commit_seconds",
    "tsallis_decisions_total",
    "tsallis_event_loop_lag_seconds",
    "tsallis_feedback_total",
    "tsallis_http_seconds",
    "tsallis_lost_races_total",
    "tsallis_open_decisions",
    "tsallis_outcomes_total",
    "tsallis_probability",
    "tsallis_queue_events",
    "tsallis_shut",
    "tsallis_snapshot_age_seconds",
    "tsallis_store_errors_total",
  ]);
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  expect(values(families.get("tsallis_decisions_total"), { bandit: "team-a.1" })).toHaveLength(2);
  expect(sum(values(families.get("tsallis_decisions_total"), { bandit: "team-a.1" }))).toBe(3);
  expect(values(families.get("tsallis_decisions_total"), { bandit: "team-b.1", arm: "b:x._-" })).toHaveLength(1);
  expect(values(families.get("tsallis_outcomes_total"), { bandit: "team-a.1" })).toEqual([1, 0]);
  expect(values(families.get("tsallis_open_decisions"), { bandit: "team-b.1" })).toEqual([4]);
  const statuses = [...families.get("tsallis_feedback_total")!.samples.values()].filter(({ labels }) => labels.bandit === "team-a.1");
  expect(Object.fromEntries(statuses.map(({ labels, value }) => [labels.status, value]))).toEqual({ applied: 1, repeated: 1, refused: 2 });
  expect(sum(values(families.get("tsallis_probability"), { bandit: "team-a.1" }))).toBeCloseTo(1, 12);
  // Many arms would be many series.
  expect(values(families.get("tsallis_probability"), { bandit: "team-a.wide" })).toEqual([]);
  // Routes, as the document names them but for the braces; never addresses.
  const routes = new Set([...families.get("tsallis_http_seconds")!.samples.values()].map(({ labels }) => labels.route!));
  const known = [...Object.keys(answers.document.paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ":$1")), "none"];
  expect([...routes].filter((route) => !known.includes(route))).toEqual([]);
  expect([...routes]).toContain("/v1/bandits/:name/decisions:batch");
});

test("show no bandit outside the scope of the key", async () => {
  const seen = [...(await read(service.keys[1]!.key)).values()].flatMap(({ samples }) => [...samples.values()].map(({ labels }) => labels.bandit));
  expect(new Set(seen)).toEqual(new Set(["team-a.1", "team-a.wide", undefined]));
  await answers.refused(403, "ERR_ROLE", "GET", "/metrics", { key: service.keys[2]!.key });
});

test("need a key, unless --open-metrics says otherwise; nothing else is opened by that", async () => {
  await (await Answers.of(service.url)).refused(401, "ERR_KEY", "GET", "/metrics");
  const open = await live({ openMetrics: true }, [{ role: "admin" }]);
  onTestFinished(() => open.close());
  const there = await Answers.of(open.url);
  parsePrometheus((await there.ask("GET", "/metrics")).text);
  expect(there.document.paths["/metrics"]!.get!.security).toBeUndefined();
  await there.refused(401, "ERR_KEY", "GET", "/v1/bandits");
});

test("addresses that nobody serves make no new series", async () => {
  const count = async () => [...(await read()).values()].reduce((sum, { samples }) => sum + samples.size, 0);
  await answers.ask("GET", "/first");
  await answers.ask("GET", "/v1/bandits/nobody");
  await read();
  const before = await count();
  for (let i = 0; i < 50; i++) {
    await answers.ask("GET", `/nothing-${i}`);
    await answers.ask("GET", `/v1/bandits/nobody-${i}`);
  }
  expect(await count()).toBe(before);
});

test.each([
  ["a line that does not end", "# HELP a_total b\n# TYPE a_total counter\na_total 1"],
  ["a sample of no family", "a_total 1\n"],
  ["a sample twice", '# HELP a b\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
  ["a quotation mark in a label", '# HELP a b\n# TYPE a gauge\na{x="1"2"} 1\n'],
  ["a backslash in a label", '# HELP a b\n# TYPE a gauge\na{x="\\d"} 1\n'],
  ["no number", "# HELP a b\n# TYPE a gauge\na undefined\n"],
  ["a histogram that shrinks", '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n'],
])("the parser of these tests refuses %s", (_what, text) => {
  expect(() => parsePrometheus(text)).toThrow();
});
