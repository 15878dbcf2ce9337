import { describe, expect, it } from "vitest";
import { analyse } from "../src/analysis/analysis.js";
import { pgfPicture } from "../src/chart/pgfPicture.js";
import { SvgElement, svgDocument } from "../src/chart/svgDocument.js";
import { escapeLatex } from "../src/format/escapeLatex.js";
import { drawReport } from "../src/report/figures/drawReport.js";
import { renderFigures, renderLatexFigures } from "../src/report/page/renderReport.js";
import { makeOutcome } from "./outcomes.js";

function element(name: string, attributes: Record<string, string | number>, ...children: (SvgElement | string)[]): SvgElement {
  const made = new SvgElement(svgDocument(), name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  for (const child of children) {
    if (typeof child === "string") made.textContent = child;
    else made.appendChild(child);
  }
  return made;
}

describe("a figure for LaTeX", () => {
  it("draws lines, shapes and text where the SVG has them", () => {
    const svg = element(
      "svg",
      { width: 440, height: 200 },
      element(
        "g",
        { transform: "translate(10,20)", stroke: "#ff0000" },
        element("line", { x1: 0, x2: 5, y1: 1, y2: 2 }),
        element("path", { d: "M0,0h3v4Z", fill: "#00ff00", transform: "translate(1,1)" }),
        element("circle", { cx: 7, cy: 8, r: 2, fill: "none" }),
      ),
      element("text", { y: "0.5em", "font-size": 10, "text-anchor": "end", transform: "translate(40,50)" }, "10² & more"),
      element("path", { class: "interval", d: "M0,0L999,999" }),
    );
    const text = pgfPicture(svg, "a\ntitle");
    expect(text.split("\n")[0]).toBe("% a title");
    expect(text).toContain("\\tsM10,21;\\tsL15,22;");
    expect(text).toContain("\\tsM11,21;\\tsL14,21;\\tsL14,25;\\pgfpathclose");
    expect(text).toContain("\\pgfpathcircle{\\pgfpointxy{17}{28}}{2\\tsu}");
    expect(text).toMatch(/\\pgftext\[right,base,at=\{\\pgfpointxy\{40\}\{55\}\}\]\{\\tsF\{10\}\\color\{tsc\w\}10\\textsuperscript\{2\} \\& more\}/);
    expect(text).toContain("{HTML}{FF0000}");
    expect(text).not.toContain("999");
  });

  it("exists for every figure of a report, of straight lines and known signs only, without its title", () => {
    const { frozen, results } = makeOutcome();
    const report = drawReport(analyse(frozen, results));
    const [figures, pictures] = [renderFigures(report), renderLatexFigures(report)];
    expect(pictures.size).toBe(figures.size);
    for (const [name, svg] of figures) {
      const pgf = pictures.get(name.replace(".svg", ".pgf"))!;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII
      expect([name, pgf.match(/[^\u0000-\u007f]/g)]).toEqual([name, null]);
      expect(pgf).not.toMatch(/NaN|undefined|Infinity|var\(/);
      for (const [, d] of svg.matchAll(/ d="([^"]*)"/g)) expect(d!.replace(/[-\d.,e ]/g, "")).toMatch(/^[MLhvHVZ]*$/);
      expect(pgf.split("\n").slice(1).join("\n")).not.toContain(escapeLatex(/<title>([^<]*)/.exec(svg)![1]!));
    }
  });
});
