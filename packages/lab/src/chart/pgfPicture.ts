import { escapeLatex } from "../format/escapeLatex.js";
import { LIGHT_VARIABLES } from "./palette.js";
import type { SvgElement } from "./svgDocument.js";

/** What an element inherits from those around it. Lengths are in pixels of the SVG. */
interface Style {
  readonly x: number;
  readonly y: number;
  readonly fill: string;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly fillOpacity: number;
  readonly dashes: string | null;
  readonly anchor: string;
  readonly fontSize: number;
  readonly bold: boolean;
}

const INITIAL: Style = {
  ...{ x: 0, y: 0, fill: "var(--ink)", stroke: "none", strokeWidth: 1, fillOpacity: 1 },
  ...{ dashes: null, anchor: "middle", fontSize: 12, bold: false },
};

/** Text grows with the picture up to this size, so that a picture over two columns does not shout. */
const LARGEST_TEXT_PT = 9;

/**
 * A figure for LaTeX, drawn by the commands of the package pgf: as wide as \linewidth is where it stands, so it fits one column in `figure` and two in
 * `figure*`. Its text is in the sans serif typeface of the document. It has no title inside; the document has a caption.
 */
export function pgfPicture(svg: SvgElement, comment: string): string {
  const [width, height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
  const colours = new Map<string, string>();
  const body = [...drawn(svg, INITIAL, colours)];
  return [
    `% ${comment.replace(/\s+/g, " ")}`,
    "% needs \\usepackage{pgf}; \\input it where the picture goes",
    "\\begingroup",
    `\\newdimen\\tsu\\tsu=\\dimexpr\\linewidth/${width}\\relax`,
    "\\def\\tsM#1,#2;{\\pgfpathmoveto{\\pgfpointxy{#1}{#2}}}\\def\\tsL#1,#2;{\\pgfpathlineto{\\pgfpointxy{#1}{#2}}}",
    `\\def\\tsF#1{\\sffamily\\dimen0=#1\\tsu\\ifdim\\dimen0>${LARGEST_TEXT_PT}pt\\dimen0=${LARGEST_TEXT_PT}pt\\fi\\fontsize{\\dimen0}{1.2\\dimen0}\\selectfont}`,
    ...[...colours].map(([colour, name]) => `\\definecolor{${name}}{HTML}{${colour.slice(1).toUpperCase()}}`),
    "\\begin{pgfpicture}",
    "\\pgfsetxvec{\\pgfpoint{\\tsu}{0pt}}\\pgfsetyvec{\\pgfpoint{0pt}{-\\tsu}}\\pgfsetroundjoin",
    `\\pgfpathrectanglecorners{\\pgfpointxy{0}{0}}{\\pgfpointxy{${width}}{${height}}}\\pgfusepath{use as bounding box}`,
    ...body,
    "\\end{pgfpicture}",
    "\\endgroup",
    "",
  ].join("\n");
}

function* drawn(node: SvgElement, outer: Style, colours: Map<string, string>): Generator<string> {
  const given = node.getAttribute("class") ?? "";
  // The page switches between bands; a file has those of the runs.
  if (/\binterval\b/.test(given) || node.tagName === "style" || node.tagName === "title") return;
  const style = styleOf(node, outer);
  const path = pathOf(node);
  if (path !== null) yield* painted(path, style, colours);
  if (node.tagName === "text") yield* texts(node, style, colours);
  else for (const child of node.children) yield* drawn(child, style, colours);
}

function styleOf(node: SvgElement, outer: Style): Style {
  const number = (name: string, otherwise: number) => Number(node.getAttribute(name) ?? otherwise);
  const [, dx = "0", dy = "0"] = /translate\(([-\d.e]+)[, ]+([-\d.e]+)\)/.exec(node.getAttribute("transform") ?? "") ?? [];
  return {
    x: outer.x + Number(dx),
    y: outer.y + Number(dy),
    fill: node.getAttribute("fill") ?? outer.fill,
    stroke: node.getAttribute("stroke") ?? outer.stroke,
    strokeWidth: number("stroke-width", outer.strokeWidth),
    fillOpacity: number("fill-opacity", outer.fillOpacity),
    dashes: node.getAttribute("stroke-dasharray") ?? outer.dashes,
    anchor: node.getAttribute("text-anchor") ?? outer.anchor,
    fontSize: number("font-size", outer.fontSize),
    bold: outer.bold || Number(node.getAttribute("font-weight") ?? 400) > 500,
  };
}

/** A part of a path: where it moves or draws to, or null where it closes. */
type Step =
  | { readonly command: "tsM" | "tsL"; readonly x: number; readonly y: number }
  | null
  | { readonly radius: number; readonly x: number; readonly y: number };

function pathOf(node: SvgElement): Step[] | null {
  const at = (name: string) => Number(node.getAttribute(name) ?? 0);
  if (node.tagName === "line") {
    return [
      { command: "tsM", x: at("x1"), y: at("y1") },
      { command: "tsL", x: at("x2"), y: at("y2") },
    ];
  }
  if (node.tagName === "rect") return stepsOf(`M${at("x")},${at("y")}h${at("width")}v${at("height")}h${-at("width")}Z`);
  if (node.tagName === "circle") return [{ radius: at("r"), x: at("cx"), y: at("cy") }];
  return node.tagName === "path" ? stepsOf(node.getAttribute("d") ?? "") : null;
}

/** The figures have straight lines only. */
function stepsOf(d: string): Step[] {
  let [x, y] = [0, 0];
  return [...d.matchAll(/([MLhvHVZz])([^MLhvHVZz]*)/g)].map(([, letter, rest]): Step => {
    if (letter === "Z" || letter === "z") return null;
    const [a = 0, b = 0] = rest!.trim().split(/[ ,]+/).map(Number);
    if (letter === "h") x += a;
    else if (letter === "v") y += a;
    else if (letter === "H") x = a;
    else if (letter === "V") y = a;
    else [x, y] = [a, b];
    return { command: letter === "M" ? "tsM" : "tsL", x, y };
  });
}

function* painted(steps: readonly Step[], style: Style, colours: Map<string, string>): Generator<string> {
  const closed = steps.includes(null) || steps.some((step) => step !== null && "radius" in step);
  const [fills, strokes] = [style.fill !== "none" && closed, style.stroke !== "none"];
  if (steps.length === 0 || !(fills || strokes)) return;
  yield "\\begin{pgfscope}";
  if (fills) yield `\\pgfsetfillcolor{${nameOf(style.fill, colours)}}\\pgfsetfillopacity{${style.fillOpacity}}`;
  if (strokes) yield `\\pgfsetstrokecolor{${nameOf(style.stroke, colours)}}\\pgfsetlinewidth{${style.strokeWidth}\\tsu}`;
  if (strokes && style.dashes !== null && style.dashes !== "none") {
    yield `\\pgfsetdash{${style.dashes
      .split(/[ ,]+/)
      .map((length) => `{${length}\\tsu}`)
      .join("")}}{0pt}`;
  }
  for (let from = 0; from < steps.length; from += PER_LINE) {
    yield steps
      .slice(from, from + PER_LINE)
      .map((step) => {
        if (step === null) return "\\pgfpathclose";
        const [x, y] = [digits(step.x + style.x), digits(step.y + style.y)];
        return "radius" in step ? `\\pgfpathcircle{\\pgfpointxy{${x}}{${y}}}{${digits(step.radius)}\\tsu}` : `\\${step.command}${x},${y};`;
      })
      .join("");
  }
  yield `\\pgfusepath{${[...(fills ? ["fill"] : []), ...(strokes ? ["stroke"] : [])].join(",")}}`;
  yield "\\end{pgfscope}";
}

/** A line of TeX must not be too long. */
const PER_LINE = 20;

function* texts(node: SvgElement, style: Style, colours: Map<string, string>): Generator<string> {
  const em = /^(-?[\d.]+)em$/.exec(node.getAttribute("y") ?? "")?.[1];
  const lines = node.childNodes.map((child) =>
    typeof child === "string" ? child : child.childNodes.filter((each) => typeof each === "string").join(""),
  );
  const text = escapeLatex(lines.join(" "));
  if (text.trim() === "" || style.fill === "none") return;
  const at = `\\pgfpointxy{${digits(style.x)}}{${digits(style.y + Number(em ?? 0) * style.fontSize)}}`;
  const side = { start: "left,", end: "right,", middle: "" }[style.anchor] ?? "";
  yield `\\pgftext[${side}base,at={${at}}]{\\tsF{${style.fontSize}}${style.bold ? "\\bfseries" : ""}\\color{${nameOf(style.fill, colours)}}${text}}`;
}

function nameOf(colour: string, colours: Map<string, string>): string {
  const hex = colour.replace(/var\(--(\w+)\)/g, (_, name: string) => LIGHT_VARIABLES[name]!);
  const full = /^#[0-9a-f]{3}$/i.test(hex) ? `#${[...hex.slice(1)].map((digit) => digit + digit).join("")}` : hex;
  const name = colours.get(full) ?? `tsc${String.fromCharCode(97 + colours.size)}`;
  colours.set(full, name);
  return name;
}

/** Two decimal digits, which all JavaScript engines agree on. */
function digits(value: number): string {
  return String(Number(value.toFixed(2)));
}
