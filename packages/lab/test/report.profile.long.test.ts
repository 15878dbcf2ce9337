import { describe, expect, it } from "vitest";
import { requiredParameters } from "../src/analysis/requiredParameters.js";
import { profileCsv } from "../src/export/profileCsv.js";
import { renderFigures, renderReport } from "../src/report/page/renderReport.js";
import { experimentOf, growing, reportOf, type Story } from "./reports.js";

const { heavy, "left tail": leftTail } = experimentOf().environments;
const environments = { mild: heavy!, "<odd>": heavy!, late: heavy!, "left tail": leftTail! };

/** Final regret by policy and environment; the same at every seed. Uniform play's is 32,000 / 9 where the tail is heavy, and 2000 where it is left. */
const TABLE: Record<string, Record<string, number>> = {
  HTINF: { mild: 400, "<odd>": 480, late: 2400, "left tail": 200 },
  OptTINF: { mild: 440, "<odd>": 400, late: 160, "left tail": 200_000 },
  uniform: { mild: 80_000, "<odd>": 800, late: 480, "left tail": 400 },
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
  it("shares and ratios to the best are summed up by policy, from the smallest mean share to the largest", () => {
    expect(rowsOf(tables[0]!)).toEqual([
      ["OptTINF", "nothing", "0.0938", "0 %", "– nowhere", "1.05", "1.10", "mild", "3", "3"],
      ["HTINF", "alpha, sigma", "0.307", "33.3 %", "late", "1.20", "15.0", "late", "2", "2"],
      ["uniform", "nothing", "7.62", "33.3 %", "mild", "3.00", "200", "mild", "0", "1"],
    ]);
  });

  it("environments that break truncated non-negativity are kept apart", () => {
    expect(rowsOf(tables[2]!)).toEqual([
      ["HTINF", "alpha, sigma", "0.100", "0 %", "– nowhere", "1.00", "1.00", "left tail", "1", "1"],
      ["uniform", "nothing", "0.200", "0 %", "– nowhere", "2.00", "2.00", "left tail", "0", "1"],
      ["OptTINF", "nothing", "100", "100 %", "left tail", "1,000", "1,000", "left tail", "0", "0"],
    ]);
  });

  it("every share is there, and how close it is to the best is said by shade", () => {
    expect(tables).toHaveLength(4);
    expect(rowsOf(tables[1]!)).toEqual([
      ["OptTINF", "0.12", "0.11", "0.04", "100"],
      ["HTINF", "0.11", "0.14", "0.67", "0.10"],
      ["uniform", "23", "0.23", "0.14", "0.20"],
    ]);
    expect([...tables[1]!.matchAll(/<td class="([^"]*)"/g)].map(([, shade]) => shade)).toEqual([
      "close",
      "first",
      "first",
      "apart far",
      "first",
      "close",
      "far",
      "apart first",
      "far",
      "near",
      "",
      "apart near",
    ]);
  });

  it("the headline names the policy with the least regret, and the one among those that need no parameters", () => {
    const finding = (text: string) =>
      text
        .match(/<li><span class="verdict none">overall<\/span>.*?<\/li>/)![0]
        .replace(/<[^>]*>/g, "")
        .replaceAll("&#39;", "'");
    expect(finding(page)).toBe(
      "overall 3 environments: OptTINF, which needs to know nothing, has the least regret: 0.0938 of uniform play's on average, with 0 % of its runs stuck; where that share is above 0.05, 1.05 times the best policy's regret in the median environment, 1.10 times at worst (mild).",
    );
    const other = renderReport(
      reportOf(experimentOf({ environments, seeds: [1, 2] }), (run, round) => ({ regret: (run.policy === "HTINF" ? 1 : 2) * round })),
    );
    expect(finding(other)).toContain(
      "HTINF, which needs to know alpha and sigma, has the least regret: 2.81 of uniform play's on average, with 100 % of its runs stuck",
    );
    expect(finding(other)).toContain("Of the policies that need no parameters, OptTINF has the least: 5.63 of");
  });

  it("a staircase for each policy rises at its ratios", () => {
    const figure = renderFigures(report).get("profile.svg")!;
    const path = figure.match(/class="series s1"[^>]*><path d="([^"]*)"/)![1]!;
    const corners = path
      .split(/[ML]/)
      .slice(1)
      .map((corner) => corner.split(",").map(Number) as [number, number]);
    // From (1, 0) up to 1/3 at 1, where its share is small, up to 2/3 at 1, on to 1.1, up to 1, and on to the end of the axis, 100.
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
    expect(rowsOf(first!)[0]!.slice(0, 8)).toEqual(["HTINF", "alpha, sigma", "1.55", "50 %", "mild", "0.550", "0.550", "mild"]);
    expect(rowsOf(last!)[0]).toEqual(["HTINF", "1.55", "1.55", "1.55", "2.7"]);
    expect(last).toContain('<td class="first">1.55</td>');
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
    expect([...sound[0]!.cells.keys()]).toEqual(["<odd>", "late", "last"]);
    const sweep = [{ path: "environments.late.alpha", values: [1.3, 1.5] }];
    const swept = reportOf(experimentOf({ environments: { ...environments, last: heavy! }, seeds: [1], sweep }));
    expect([...swept.analysis.profiles!.sound[0]!.cells.keys()]).toEqual(["mild", "<odd>", "last"]);
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
      "– not known",
      "– nowhere",
      "∞",
      "∞",
      "mild",
      "0",
      "0",
    ]);
    expect(profileCsv(hopeless.analysis.profiles!)).toContain("\r\nHTINF,mild,,,,\r\n");
  });
});

describe("profile.csv", () => {
  it("has a line per policy and environment", () => {
    expect(profileCsv(report.analysis.profiles!).split("\r\n")).toEqual([
      "policy,environment,share,stuck,ratio,truncatedNonNegative",
      "OptTINF,mild,0.12375,0,1.1,",
      "OptTINF,<odd>,0.1125,0,1,",
      "OptTINF,late,0.045,0,,",
      "HTINF,mild,0.1125,0,1,",
      "HTINF,<odd>,0.135,0,1.2,",
      "HTINF,late,0.6749999999999999,1,15,",
      "uniform,mild,22.5,1,200,",
      "uniform,<odd>,0.225,0,2,",
      "uniform,late,0.135,0,3,",
      "HTINF,left tail,0.09999999999999999,0,1,fails",
      "uniform,left tail,0.19999999999999998,0,2,fails",
      "OptTINF,left tail,99.99999999999999,1,1000,fails",
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
    requiredParameters({ policy }),
  );
  expect(words).toEqual(["alpha, sigma", "horizon", "d", "rounds", "nothing", "alpha, sigma, horizon", "nothing", "nothing"]);
});
