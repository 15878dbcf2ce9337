import { describe, expect, test } from "vitest";
import { builtIn, builtInNames } from "../src/document/builtIn.js";
import { completeExperiment } from "../src/document/completeExperiment.js";
import type { Experiment } from "../src/document/experiment.js";
import { parseExperiment } from "../src/document/parseExperiment.js";
import { runsOf } from "../src/document/runs.js";
import { executeRun } from "../src/run/executeRun.js";

const read = (name: string) => parseExperiment(builtIn(name)!).value as Record<string, unknown>;

/** The document at a size for tests: short runs, two seeds, two values of every axis. */
function reduced(name: string): Experiment {
  const experiment = completeExperiment(read(name), { seeds: 2, horizon: 300 });
  const sweep = experiment.sweep.map(({ path, values }) => ({ path, values: path === "horizon" ? [100, 200] : [values[0]!, values.at(-1)!] }));
  return { ...experiment, sweep };
}

test("every built-in document is there", () => {
  expect(builtInNames()).toEqual(
    expect.arrayContaining([
      "anatomy",
      "assumptions-broken",
      "delay",
      "lee-2020",
      "lee-lim-2022",
      "lower-bound",
      "rare-gains",
      "rewards",
      "scale",
      "showdown",
      "table-1",
      "theorem-ada2tinf",
      "theorem-adatinf",
      "theorem-htinf",
      "theorem-opttinf",
      "theorem-signed-tinf",
      "zimmert-seldin-2019",
    ]),
  );
  expect(builtIn("none")).toBeUndefined();
  expect(builtIn("../package")).toBeUndefined();
});

describe.each(builtInNames())("%s", (name) => {
  test("is named as its file, and makes a claim of one line", () => {
    const { name: own, claim } = completeExperiment(read(name));
    expect(own).toBe(name);
    expect(claim).toMatch(/^[^\n]{30,250}\.$/);
  });

  test("runs at reduced size without a failure", () => {
    const experiment = reduced(name);
    const failed = runsOf(experiment)
      .map((run) => executeRun(experiment, run, () => {}))
      .filter(({ status }) => status === "failed");
    expect(failed).toEqual([]);
  });
});
