import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import { BUCKETS } from "../src/model/upstreamRecord.js";
import type { RouterOptions } from "../src/routerOptions.js";

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A reader of Prometheus' text format 0.0.4, written from the format's description and not from our writer: HELP and TYPE lines, labels with escapes, one value. */
function parse(text: string): { types: Map<string, string>; samples: Sample[] } {
  expect(text.endsWith("\n")).toBe(true);
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (comment !== null) {
      const [, kind, name, rest] = comment as unknown as [string, string, string, string];
      if (kind === "HELP") {
        expect(helped.has(name)).toBe(false);
        helped.add(name);
      } else {
        expect([types.has(name), ["counter", "gauge", "summary", "histogram", "untyped"].includes(rest)]).toEqual([false, true]);
        types.set(name, rest);
      }
      continue;
    }
    const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (sample === null) throw new Error(`not a sample: ${line}`);
    const labels: Record<string, string> = {};
    let rest = sample[2] ?? "";
    while (rest !== "") {
      const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/.exec(rest);
      if (label === null) throw new Error(`not a label: ${rest}`);
      labels[label[1]!] = label[2]!.replace(/\\(["\\n])/g, (_, character) => (character === "n" ? "\n" : character));
      rest = rest.slice(label[0].length);
    }
    const family = [sample[1]!, sample[1]!.replace(/_(?:bucket|sum|count)$/, "")].find((name) => types.has(name));
    // The lines of a family come together, below its TYPE.
    expect([...types.keys()].at(-1)).toBe(family);
    expect(helped.has(family!)).toBe(true);
    const value = Number(sample[3]);
    expect(Number.isNaN(value)).toBe(false);
    samples.push({ name: sample[1]!, labels, value });
  }
  expect(new Set(samples.map(({ name, labels }) => JSON.stringify([name, labels]))).size).toBe(samples.length);
  return { types, samples };
}

it("metrics() says in Prometheus' format what explain() says, whatever the names of the upstreams", () => {
  const upstreams = ['quo"te', "back\\slash\\", "new\nline", 'brace},x="', "ordinary"];
  const router = createRouter({ upstreams, seed: 2, policy: { policy: "uniform" }, penalty: 4, lossIsElapsedSeconds: true });
  const learned: Record<string, number[]> = Object.fromEntries(upstreams.map((upstream) => [upstream, []]));
  for (let i = 0; i < 300; i++) {
    const ticket = router.choose();
    const loss = [0.001, i / 1e4, i / 100, i][i % 4]!;
    if (i % 7 === 0) ticket.abandoned();
    else if (i % 11 === 0) {
      ticket.failed();
      learned[ticket.upstream]!.push(4);
    } else if (i % 13 === 0) ticket.done(Number.NaN);
    else if (i % 17 !== 0) {
      ticket.done(loss);
      learned[ticket.upstream]!.push(loss);
    }
    if (i % 5 === 0 && i % 17 !== 0) ticket.done(1);
  }
  const { types, samples } = parse(router.metrics());
  const value = (name: string, labels: Record<string, string>) => {
    const found = samples.filter((sample) => sample.name === name && JSON.stringify(sample.labels) === JSON.stringify(labels));
    return found[0]?.value;
  };
  for (const told of router.explain().upstreams) {
    const { upstream } = told;
    expect(value("tsallis_router_chosen_total", { upstream })).toBe(told.chosen);
    expect(value("tsallis_router_open", { upstream })).toBe(told.open);
    expect(value("tsallis_router_probability", { upstream })).toBe(told.probability);
    expect(value("tsallis_router_repeated_total", { upstream })).toBe(told.repeated);
    expect(value("tsallis_router_late_total", { upstream })).toBe(told.late);
    expect(value("tsallis_router_overdue_total", { upstream })).toBe(told.overdue);
    expect(value("tsallis_router_skipped_total", { upstream })).toBe(told.skipped);
    expect(value("tsallis_router_failure_rate", { upstream })).toBe(told.failureRate);
    expect(value("tsallis_router_load_factor", { upstream })).toBe(told.load!.factor);
    const outcomes = {
      done: "done",
      failed: "failed",
      timed_out: "timedOut",
      abandoned: "abandoned",
      ignored: "ignored",
      refused: "refused",
      forgotten: "forgotten",
    } as const;
    for (const [outcome, key] of Object.entries(outcomes)) expect(value("tsallis_router_closed_total", { upstream, outcome })).toBe(told[key]);
    const losses = learned[upstream]!;
    const bounds = samples.filter(({ name, labels }) => name === "tsallis_router_loss_seconds_bucket" && labels.upstream === upstream);
    expect(bounds.map(({ labels }) => labels.le)).toEqual([...BUCKETS.map(String), "+Inf"]);
    for (const { labels, value: count } of bounds)
      expect(count).toBe(losses.filter((loss) => loss <= Number(labels.le!.replace("+Inf", "Infinity"))).length);
    expect(value("tsallis_router_loss_seconds_count", { upstream })).toBe(told.done + told.failed);
    expect(value("tsallis_router_loss_seconds_sum", { upstream })).toBeCloseTo(told.recent!.mean * told.recent!.count, 9);
  }
  expect(value("tsallis_router_alarms_total", {})).toBe(0);
  const kinds = [...types.values()];
  expect([kinds.filter((kind) => kind === "counter").length, kinds.filter((kind) => kind === "gauge").length, kinds.at(-1)]).toEqual([
    7,
    4,
    "histogram",
  ]);
});

it.each<[string, RouterOptions, boolean]>([
  ["names", { upstreams: ["a", "b"] }, false],
  ["names, losses in seconds", { upstreams: ["a", "b"], lossIsElapsedSeconds: true }, true],
  ["URLs", { upstreams: ["http://a", "http://b"] }, true],
  ["URLs with a loss function", { upstreams: ["http://a", "http://b"], loss: () => 0 }, false],
])("the name of the losses says seconds only if they are seconds: %s", (_, options, inSeconds) => {
  const { types, samples } = parse(createRouter(options).metrics());
  expect(types.get(inSeconds ? "tsallis_router_loss_seconds" : "tsallis_router_loss")).toBe(inSeconds ? "histogram" : "summary");
  expect(samples.some(({ name }) => name.endsWith("_bucket"))).toBe(inSeconds);
  expect(types.has("tsallis_router_load_factor")).toBe(inSeconds);
  expect([types.has("tsallis_router_loss"), types.has("tsallis_router_loss_seconds")]).toEqual([!inSeconds, inSeconds]);
});

it("the reference names the actual buckets", () => {
  const text = BUCKETS.join(", ").replace(/, ([^,]*)$/, " and $1");
  expect(readFileSync(new URL("../../../docs/reference/router.md", import.meta.url), "utf8")).toContain(`buckets \`le\` of ${text} seconds`);
});
