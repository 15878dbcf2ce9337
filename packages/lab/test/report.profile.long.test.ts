import { describe, expect, it } from "vitest";
import { toldTo } from "../src/analysis/toldTo.js";
import { profileCsv } from "../src/export/profileCsv.js";
import { renderFigures, renderReport } from "../src/report/page/renderReport.js";
import { experimentOf, growing, reportOf, type Story } from "./reports.js";

const { heavy, "left tail": leftTail } = experimentOf().environments;
const environments = { mild: heavy!, "<odd>": heavy!, late: heavy!, "left tail": leftTail! };

/** Final regret by policy and environment; the same at every seed. */
const TABLE: Record<string, Record<string, number>> = {
  HTINF: { mild: 10, "<odd>": 12, late: 70, "left tail": 5 },
  OptTINF: { mild: 11, "<odd>": 10, late: 10, "left tail": 5000 },
  uniform: { mild: 2000, "<odd>": 20, late: 30, "left tail": 10 },
};
const told: Story = ({ policy, environment }, round) => ({ regret: (TABLE[policy]![environment]! * round) / 10_000 });
const report = reportOf(experimentOf({ environments, seeds: [1, 2] }), told);
const page = renderReport(report);
const across = page.slice(page.indexOf('<h2 id="Across">'), page.indexOf('<section aria-labelledby="mild">'));
const tables = across.split("<table>").slice(1);

/** The words of a table's rows. */
const rowsOf = (table: string) =>
  [...table.matchAll(/<tr class="s\d+-row">(.*?)<\/tr>/g)].map(([, row]) =>
    [...row!.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) =>
      cell!
        .replace(/<svg.*?<\/svg>|<[^>]*>/g, "")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .trim(),
    ),
  );

describe("across environments", () => {
  it("ratios to the best are summed up by policy, from the smallest median to the largest", () => {
    expect(rowsOf(tables[0]!)).toEqual([
      ["OptTINF", "nothing", "1.00", "1.10", "mild", "0 %", "– nowhere", "3", "3"],
      ["HTINF", "alpha, sigma", "1.20", "7.00", "late", "0 %", "– nowhere", "2", "2"],
      ["uniform", "nothing", "3.00", "200", "mild", "100 %", "mild", "0", "1"],
    ]);
  });

  it("environments that break truncated non-negativity are kept apart", () => {
    expect(rowsOf(tables[2]!)).toEqual([
      ["HTINF", "alpha, sigma", "1.00", "1.00", "left tail", "0 %", "– nowhere", "1", "1"],
      ["uniform", "nothing", "2.00", "2.00", "left tail", "0 %", "– nowhere", "0", "1"],
      ["OptTINF", "nothing", "1,000", "1,000", "left tail", "100 %", "left tail", "0", "0"],
    ]);
  });

  it("every ratio is there, said by number and by shade", () => {
    expect(tables).toHaveLength(3);
    expect(rowsOf(tables[1]!)).toEqual([
      ["OptTINF", "1.10", "1", "1", "1000"],
      ["HTINF", "1", "1.20", "7.0", "1"],
      ["uniform", "200", "2.0", "3.0", "2.0"],
    ]);
    expect([...tables[1]!.matchAll(/<td class="([^"]*)"/g)].map(([, shade]) => shade)).toEqual([
      "close",
      "first",
      "first",
      "apart far",
      "first",
      "close",
      "",
      "apart first",
      "far",
      "near",
      "",
      "apart near",
    ]);
  });

  it("the headline names who comes closest, and who does without being told anything", () => {
    const finding = (text: string) => text.match(/<li><span class="verdict none">overall<\/span>.*?<\/li>/)![0].replace(/<[^>]*>/g, "");
    expect(finding(page)).toBe(
      "overall 3 environments: OptTINF, which needs to know nothing, comes closest to the best: 1.00 times its regret in the median environment, 1.10 times at worst (mild).",
    );
    const other = renderReport(
      reportOf(experimentOf({ environments, seeds: [1, 2] }), (run, round) => ({ regret: (run.policy === "HTINF" ? 1 : 2) * round })),
    );
    expect(finding(other)).toContain("HTINF, which needs to know alpha and sigma, comes closest");
    expect(finding(other)).toContain("Of the policies that need no parameters, OptTINF comes closest: 2.00 times");
  });

  it("a staircase for each policy rises at its ratios", () => {
    const figure = renderFigures(report).get("profile.svg")!;
    const path = figure.match(/class="series s1"[^>]*><path d="([^"]*)"/)![1]!;
    const corners = path
      .split(/[ML]/)
      .slice(1)
      .map((corner) => corner.split(",").map(Number) as [number, number]);
    // From (1, 0) up to 2/3 at 1, on to 1.1, up to 1, and on to the end of the axis, 100.
    const [left, bottom] = corners[0]!;
    const [right, top] = corners.at(-1)!;
    const share = (y: number) => (bottom - y) / (bottom - top);
    const ratio = (x: number) => 100 ** ((x - left) / (right - left));
    const expected = [
      [1, 0],
      [1, 0],
      [1, 1 / 3],
      [1, 1 / 3],
      [1, 2 / 3],
      [1.1, 2 / 3],
      [1.1, 1],
      [100, 1],
    ];
    expect(corners).toHaveLength(expected.length);
    for (const [index, [x, y]] of corners.entries()) {
      expect(ratio(x)).toBeCloseTo(expected[index]![0]!, 2);
      expect(share(y)).toBeCloseTo(expected[index]![1]!, 2);
    }
    expect(across).toContain("Ratios beyond 100 are not drawn.");
  });

  it("who does better than the policy that was picked has a ratio below 1, in every place", () => {
    // At one seed HTINF has a tenth of its regret, at the other OptTINF has: each is picked for the seed at which it is not so.
    const lucky: Story = ({ policy, seed }, round) => ({ regret: (policy === "HTINF") === (seed === 1) ? round / 10 : round });
    const luckyReport = reportOf(experimentOf({ environments, seeds: [1, 2] }), lucky);
    const text = renderReport(luckyReport);
    const [first, last] = text.slice(text.indexOf('<h2 id="Across">')).split("<table>").slice(1);
    expect(rowsOf(first!)[0]!.slice(0, 5)).toEqual(["HTINF", "alpha, sigma", "0.550", "0.550", "mild"]);
    expect(rowsOf(last!)[0]).toEqual(["HTINF", "0.55", "0.55", "0.55", "0.55"]);
    expect(last).toContain('<td class="first">0.55</td>');
    expect(text).toContain("A ratio may therefore be below 1.");
    const ticks = [
      ...renderFigures(luckyReport)
        .get("profile.svg")!
        .matchAll(/>([0-9.]+)<\/text>/g),
    ].map(([, tick]) => tick);
    expect(ticks).toEqual(expect.arrayContaining(["1", "2"]));
    const [corner] = renderFigures(luckyReport)
      .get("profile.svg")!
      .match(/class="series s0"[^>]*><path d="M([0-9.]+)/)!
      .slice(1);
    expect(Number(corner)).toBeCloseTo(46, 0);
  });

  it("says so where there is one seed only, on which the best policy is then picked", () => {
    const words = "With one seed there is no other half, so the best policy is picked on that seed, and luck counts.";
    expect(page).not.toContain(words);
    expect(renderReport(reportOf(experimentOf({ environments, seeds: [7] }), told))).toContain(words);
  });

  it("links lead to the environments, and names are escaped", () => {
    const ids = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id));
    const targets = [...across.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThanOrEqual(10);
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
    expect(across).not.toContain("<odd>");
  });

  it("there is nothing to sum up with two environments", () => {
    expect(renderReport(reportOf(experimentOf())).includes('id="Across"')).toBe(false);
    expect(renderFigures(reportOf(experimentOf())).has("profile.svg")).toBe(false);
    const { late: _late, ...two } = environments;
    expect(reportOf(experimentOf({ environments: two })).analysis.profiles).toBe(null);
  });

  it("environments that not every policy has been played in are left out, and so are sweeps", () => {
    const whole = experimentOf({ environments: { ...environments, last: heavy! }, seeds: [1] });
    const { sound } = reportOf(whole, growing, ({ environment, policy }) => !(environment === "mild" && policy === "uniform")).analysis.profiles!;
    expect([...sound[0]!.ratios.keys()]).toEqual(["<odd>", "late", "last"]);
    const sweep = [{ path: "environments.late.alpha", values: [1.3, 1.5] }];
    const swept = reportOf(experimentOf({ environments: { ...environments, last: heavy! }, seeds: [1], sweep }));
    expect([...swept.analysis.profiles!.sound[0]!.ratios.keys()]).toEqual(["mild", "<odd>", "last"]);
  });

  it("a policy that never completes is infinitely far, and the page stays sound", () => {
    const hopeless = reportOf(experimentOf({ environments, seeds: [1, 2] }), (run, round, index) =>
      run.policy === "HTINF" ? new Error("no") : growing(run, round, index),
    );
    const shown = renderReport(hopeless);
    expect(shown.match(/NaN|Infinity|undefined|>null</)?.[0]).toBe(undefined);
    expect(rowsOf(shown.slice(shown.indexOf('<h2 id="Across">'))).find(([policy]) => policy === "HTINF")).toEqual([
      "HTINF",
      "alpha, sigma",
      "∞",
      "∞",
      "mild",
      "– not known",
      "– nowhere",
      "0",
      "0",
    ]);
    expect(profileCsv(hopeless.analysis.profiles!)).toContain("\r\nHTINF,mild,,,\r\n");
  });
});

describe("profile.csv", () => {
  it("has a line per policy and environment", () => {
    expect(profileCsv(report.analysis.profiles!).split("\r\n")).toEqual([
      "policy,environment,ratio,neverLearned,truncatedNonNegative",
      "OptTINF,mild,1.1,0,",
      "OptTINF,<odd>,1,0,",
      "OptTINF,late,1,0,",
      "HTINF,mild,1,0,",
      "HTINF,<odd>,1.2,0,",
      "HTINF,late,7,0,",
      "uniform,mild,200,1,",
      "uniform,<odd>,2,0,",
      "uniform,late,3,0,",
      "HTINF,left tail,1,0,fails",
      "uniform,left tail,2,0,fails",
      "OptTINF,left tail,1000,1,fails",
      "",
    ]);
  });
});

describe("many environments", () => {
  const many = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`world ${index}`, index < 29 ? heavy! : leftTail!]));
  const policies = Object.fromEntries(Array.from({ length: 29 }, (_, index) => [`policy ${index}`, { policy: "opttinf" }]));
  const large = reportOf(experimentOf({ environments: many, policies, checkpoints: 30, seeds: [1, 2] }));
  const shown = renderReport(large);

  it("the page stays below 8 MB, and each environment is folded", () => {
    expect(shown.length).toBeLessThan(8_000_000);
    expect(shown.match(/<details id="world-\d+">/g)).toHaveLength(31);
    expect(shown.match(/<figure/g)).toHaveLength(32);
    expect([...renderFigures(large).keys()]).toHaveLength(32);
    expect(shown.includes("<summary>The best policy in each environment</summary>")).toBe(true);
  });

  it("most lines of the profile stay in the background", () => {
    expect(
      renderFigures(large)
        .get("profile.svg")!
        .match(/stroke-opacity="0\.25"/g),
    ).toHaveLength(21);
  });
});

it("what a policy is told is what it needs to know", () => {
  const words = ["htinf", "adatinf", "epsilon-greedy", "explore-then-commit", "uniform", "omd-lb-ht", "nobody", "constructor"].map((policy) =>
    toldTo({ policy }),
  );
  expect(words).toEqual(["alpha, sigma", "horizon", "d", "rounds", "nothing", "alpha, sigma, horizon", "nothing", "nothing"]);
});
