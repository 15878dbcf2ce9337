import { describe, expect, it } from "vitest";
import { rankings } from "../src/analysis/ranking.js";
import { summarise } from "../src/analysis/summarise.js";
import type { Run } from "../src/document/run.js";
import { rankingCsv } from "../src/export/rankingCsv.js";
import { escapeLatex, rankingLatex } from "../src/export/rankingLatex.js";
import { guaranteeOf } from "../src/theory/guaranteeOf.js";
import { DOCUMENT, makeOutcome } from "./outcomes.js";

function rank(factorOf: (run: Run) => number | null, document: object = DOCUMENT) {
  const { frozen, runs, results } = makeOutcome(document, factorOf);
  return rankings(frozen, runs, results, summarise(frozen, runs, results, guaranteeOf(frozen.experiment)));
}

describe("ranking", () => {
  const factors: Readonly<Record<string, number>> = { htinf: 2, adatinf: 1, uniform: 3 };
  const found = rank(({ policy, seed }) => factors[policy]! * (policy === "htinf" && seed <= 5 ? 0.1 : 1));

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

  it("tells how often each beats the next at the same seed", () => {
    const [first, second, last] = found[0]!.entries;
    // In 5 of 20 seeds htinf has a twentieth of its regret, else twice that of adatinf.
    expect(first!.beatsNext!.estimate).toBe(0.75);
    expect(first!.beatsNext!.low).toBeGreaterThan(0.5);
    expect(second!.beatsNext!.estimate).toBe(1);
    expect(last!.beatsNext).toBeNull();
    expect(last!.note).toBe("no bound is known for this policy");
    expect(first!.bound).toBeGreaterThan(0);
  });

  it("puts a policy whose every run failed last, and ties in the document's order", () => {
    const [ranking] = rank(({ policy }) => (policy === "htinf" ? null : 1));
    expect(ranking!.entries.map(({ policy }) => policy)).toEqual(["adatinf", "uniform", "htinf"]);
    expect(ranking!.entries[0]!.beatsNext!.estimate).toBe(0.5);
    expect(ranking!.entries[1]!.beatsNext).toBeNull();
    expect(ranking!.entries[2]).toMatchObject({ final: null, failed: 20, seeds: 0 });
    expect(rankingLatex([ranking!])).toContain("every run failed");
  });

  it("in a sweep is one per value, and for an environment that no axis touches one without", () => {
    const document = { ...DOCUMENT, sweep: { path: "environments.turning.period", values: [100, 50] } };
    expect(rank(() => 1, document).map(({ environment, sweep }) => [environment, sweep?.value])).toEqual([
      ["steady", undefined],
      ["turning", 100],
      ["turning", 50],
    ]);
  });

  it("as CSV has a line per entry", () => {
    const lines = rankingCsv(found).split("\r\n");
    expect(lines.length).toBe(8);
    const [header, first] = lines.map((line) => line.split(","));
    expect(header!.length).toBe(20);
    expect(first!.slice(0, 8)).toEqual(["steady", "", "", "10000", "1", "adatinf", "20", "0"]);
    expect(Number(first![8])).toBe(found[0]!.entries[0]!.final!.mean);
    expect([header![14], header![15]]).toEqual(["neverLearned", "beatsNext"]);
    expect([Number(first![14]), first![15]]).toEqual([found[0]!.entries[0]!.neverLearned, "0.75"]);
  });

  it("as LaTeX is escaped, balanced, and has nine columns in each line", () => {
    expect(escapeLatex("50% of_{x} & $y$ #1 \\ ~ ^ <a>\n")).toBe(
      "50\\% of\\_\\{x\\} \\& \\$y\\$ \\#1 \\textbackslash{} \\textasciitilde{} \\textasciicircum{} \\textless{}a\\textgreater{} ",
    );
    const text = rankingLatex(found);
    expect(text.match(/\\begin\{tabular\}/g)!.length).toBe(2);
    expect(text.match(/\\(top|bottom)rule/g)!.length).toBe(4);
    const lines = text.split("\n").filter((line) => line.startsWith(" & policy") || /^\d/.test(line));
    expect(lines.length).toBe(8);
    for (const line of lines) expect(line.split(" & ").length).toBe(9);
    expect(text).toContain("uniform$^{*}$");
    expect(text).toContain("no proved bound here");
  });
});
