import { describe, expect, it } from "vitest";
import { analyse } from "../src/analysis/analysis.js";
import type { Run } from "../src/document/run.js";
import { rankingCsv } from "../src/export/rankingCsv.js";
import { rankingLatex } from "../src/export/rankingLatex.js";
import { summaryJson } from "../src/export/summaryJson.js";
import { escapeLatex } from "../src/format/escapeLatex.js";
import { drawReport } from "../src/report/figures/drawReport.js";
import { renderReport } from "../src/report/page/renderReport.js";
import { DOCUMENT, makeOutcome } from "./outcomes.js";

function analysed(factorOf: (run: Run) => number | null, document: object = DOCUMENT) {
  const { frozen, results } = makeOutcome(document, factorOf);
  return analyse(frozen, results);
}

describe("ranking", () => {
  const factors: Readonly<Record<string, number>> = { htinf: 2, adatinf: 1, uniform: 3 };
  const analysis = analysed(({ policy, seed }) => factors[policy]! * (policy === "htinf" && seed <= 5 ? 0.1 : 1));
  const found = analysis.rankings;

  it("has no interval from one seed, in any format", () => {
    const alone = analysed(({ policy }) => factors[policy]!, { ...DOCUMENT, seeds: 1 }).rankings.slice(0, 1);
    const [head, first, second] = rankingCsv(alone)
      .split("\r\n")
      .map((text) => text.split(","));
    const named = (row: string[], name: string) => row[head!.indexOf(name)];
    expect([named(first!, "low"), named(first!, "high")]).toEqual(["", ""]);
    expect(Number(named(first!, "mean"))).toBeGreaterThan(0);
    expect([named(second!, "behindFirstLow"), named(second!, "behindFirstHigh")]).toEqual(["", ""]);
    expect(Number(named(second!, "behindFirst"))).toBeGreaterThan(0);
    expect(rankingLatex(alone)).toMatch(/^1 & adatinf & \$[\d.]+\$ & -- & /m);
    expect(rankingLatex(alone)).toMatch(/^2 & htinf .* & \$[\d.]+\$ & \S+ \\\\$/m);
  });

  it("is one per environment, from the least mean to the largest", () => {
    expect(found.map(({ environment, sweep, horizon }) => [environment, sweep, horizon])).toEqual([
      ["steady", null, 10_000],
      ["turning", null, 10_000],
    ]);
    expect(found[0]!.entries.map(({ rank: place, policy }) => [place, policy])).toEqual([
      [1, "adatinf"],
      [2, "htinf"],
      [3, "uniform"],
    ]);
  });

  it("tells how far each is behind the first at the same seeds, and whether that is beyond noise", () => {
    const [first, second, last] = found[0]!.entries;
    expect(first!.behindFirst).toBeNull();
    expect(first!.bound).toBeGreaterThan(0);
    // In 5 of 20 seeds htinf has a fifth of adatinf's regret, else twice as much.
    expect(second!.behindFirst!.comparison.probability.estimate).toBe(0.25);
    expect(second!.behindFirst!.comparison.meanDifference.estimate).toBeCloseTo(second!.final!.mean - first!.final!.mean, 9);
    expect(last!.behindFirst).toMatchObject({ clear: true, comparison: { probability: { estimate: 0 } } });
    expect(last!.behindFirst!.p).toBeLessThan(0.001);
    expect(last!.note).toBe("no bound is known for this policy");
  });

  it("is in summary.json, with the same numbers", () => {
    const { version, rows, verdicts } = summaryJson(analysis);
    expect(version).toBe(1);
    expect(rows).toBe(analysis.rows);
    const [steady] = verdicts.groups;
    expect(steady).toMatchObject({ environment: "steady", first: "adatinf", verdict: analysis.groups[0]!.lead!.verdict });
    expect(steady!.rivals.map(({ policy, p, clear, difference, firstBeatsIt }) => ({ policy, p, clear, difference, firstBeatsIt }))).toEqual(
      found[0]!.entries.slice(1).map(({ policy, behindFirst }) => ({
        policy,
        p: behindFirst!.p,
        clear: behindFirst!.clear,
        difference: behindFirst!.comparison.meanDifference,
        firstBeatsIt: 1 - behindFirst!.comparison.probability.estimate,
      })),
    );
    expect(JSON.parse(JSON.stringify(summaryJson(analysis)))).toEqual(summaryJson(analysis));
  });

  it("puts a policy whose every run failed last, and ties in the document's order", () => {
    const [ranking] = analysed(({ policy }) => (policy === "htinf" ? null : 1)).rankings;
    expect(ranking!.entries.map(({ policy }) => policy)).toEqual(["adatinf", "uniform", "htinf"]);
    expect(ranking!.entries[1]!.behindFirst).toMatchObject({ clear: false, comparison: { probability: { estimate: 0.5 } } });
    expect(ranking!.entries[2]).toMatchObject({ final: null, failed: 20, seeds: 0 });
    expect(rankingLatex([ranking!])).toContain("every run failed");
  });

  it("does not put a policy first that lacks the seeds on which others fared badly", () => {
    const { groups } = analysed(({ policy, seed }) => (policy === "htinf" ? (seed <= 10 ? 0.5 : null) : policy === "adatinf" ? 1 : 3));
    const { ranked, lead } = groups[0]!;
    expect(ranked.map(({ label, row }) => [label, row.seeds])).toEqual([
      ["adatinf", 20],
      ["uniform", 20],
      ["htinf", 10],
    ]);
    expect(lead!.first.label).toBe("adatinf");
    expect(lead!.verdict).toBe("open");
  });

  it("is neither clear nor alone where a policy shares no seed with the first", () => {
    const half: Readonly<Record<string, (seed: number) => boolean>> = { htinf: (seed) => seed <= 10, adatinf: (seed) => seed > 10 };
    const apart = analysed(({ policy, seed }) => (half[policy]?.(seed) ? 1 : null));
    expect(apart.groups[0]!.lead).toMatchObject({ verdict: "open", rivals: [] });
    const [steady] = summaryJson(apart).verdicts.groups;
    expect([steady!.first, ...steady!.uncompared].sort()).toEqual(["adatinf", "htinf"]);
    const page = renderReport(drawReport(apart));
    expect(page).toMatch(/no seed was completed by it and by (?:htinf|adatinf)\./);
    expect(page).not.toContain("no policy to compare it with");
  });

  it("in a sweep is one per value, and for an environment that no axis touches one without", () => {
    const document = { ...DOCUMENT, sweep: { path: "environments.turning.period", values: [100, 50] } };
    expect(analysed(() => 1, document).rankings.map(({ environment, sweep }) => [environment, sweep?.value])).toEqual([
      ["steady", undefined],
      ["turning", 100],
      ["turning", 50],
    ]);
  });

  it("as CSV has a line per entry", () => {
    const lines = rankingCsv(found).split("\r\n");
    expect(lines.length).toBe(8);
    const [header, first, second] = lines.map((line) => line.split(","));
    expect(header!.length).toBe(24);
    expect(first!.slice(0, 8)).toEqual(["steady", "", "", "10000", "1", "adatinf", "20", "0"]);
    expect(Number(first![8])).toBe(found[0]!.entries[0]!.final!.mean);
    expect(header!.slice(14, 22)).toEqual(["share", "stuck", "behindFirst", "behindFirstLow", "behindFirstHigh", "p", "verdict", "firstBeatsIt"]);
    const { share, stuck } = found[0]!.entries[0]!;
    expect([Number(first![14]), Number(first![15]), ...first!.slice(16, 22)]).toEqual([share, stuck, "", "", "", "", "", ""]);
    expect(Number(second![16])).toBe(found[0]!.entries[1]!.behindFirst!.comparison.meanDifference.estimate);
    expect(second![21]).toBe("0.75");
  });

  it("as LaTeX is escaped, balanced, and has ten columns in each line", () => {
    expect(escapeLatex("50% of_{x} & $y$ #1 \\ ~ ^ <a>\n")).toBe(
      "50\\% of\\_\\{x\\} \\& \\$y\\$ \\#1 \\textbackslash{} \\textasciitilde{} \\textasciicircum{} \\textless{}a\\textgreater{} ",
    );
    const text = rankingLatex(found);
    expect(text.match(/\\begin\{tabular\}/g)!.length).toBe(2);
    expect(text.match(/\\(top|bottom)rule/g)!.length).toBe(4);
    const lines = text.split("\n").filter((line) => line.startsWith(" & policy") || /^\d/.test(line));
    expect(lines.length).toBe(8);
    for (const line of lines) expect(line.split(" & ").length).toBe(10);
    expect(text).toContain("uniform$^{*}$");
    expect(text).toContain("no proved bound here");
    expect(text).toContain("more regret than the first beyond noise");
  });
});
