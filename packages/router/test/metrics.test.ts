import { expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
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
    const family = [sample[1]!, sample[1]!.replace(/_(?:sum|count)$/, "")].find((name) => types.has(name));
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
  const router = createRouter({ upstreams, seed: 2, policy: { policy: "uniform" }, penalty: 4, waiting: true });
  for (let i = 0; i < 300; i++) {
    const ticket = router.choose();
    if (i % 7 === 0) ticket.abandoned();
    else if (i % 11 === 0) ticket.failed();
    else if (i % 13 === 0) ticket.done(Number.NaN);
    else if (i % 17 !== 0) ticket.done(i / 100);
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
    const outcomes = {
      done: "done",
      failed: "failed",
      timed_out: "timedOut",
      abandoned: "abandoned",
      refused: "refused",
      forgotten: "forgotten",
    } as const;
    for (const [outcome, key] of Object.entries(outcomes)) expect(value("tsallis_router_closed_total", { upstream, outcome })).toBe(told[key]);
    expect(value("tsallis_router_loss_seconds", { upstream, quantile: "0.5" })).toBe(told.recent!.p50);
    expect(value("tsallis_router_loss_seconds", { upstream, quantile: "0.99" })).toBe(told.recent!.p99);
    expect(value("tsallis_router_loss_seconds_count", { upstream })).toBe(told.done + told.failed);
    expect(value("tsallis_router_loss_seconds_sum", { upstream })).toBeCloseTo(told.recent!.mean * told.recent!.count, 9);
  }
  expect(value("tsallis_router_regime_changes_total", {})).toBe(0);
  const kinds = [...types.values()];
  expect([kinds.filter((kind) => kind === "counter").length, kinds.filter((kind) => kind === "gauge").length, kinds.at(-1)]).toEqual([
    7,
    2,
    "summary",
  ]);
});

it.each<[string, RouterOptions, boolean]>([
  ["names", { upstreams: ["a", "b"] }, false],
  ["names, waiting", { upstreams: ["a", "b"], waiting: true }, true],
  ["URLs", { upstreams: ["http://a", "http://b"] }, true],
  ["URLs with a loss function", { upstreams: ["http://a", "http://b"], loss: () => 0 }, false],
])("the name of the losses says seconds only if they are seconds: %s", (_, options, inSeconds) => {
  const { types } = parse(createRouter(options).metrics());
  expect([types.has("tsallis_router_loss"), types.has("tsallis_router_loss_seconds")]).toEqual([!inSeconds, inSeconds]);
});
