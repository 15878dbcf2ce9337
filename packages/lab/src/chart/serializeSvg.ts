import { escapeXml } from "../format/escapeXml.js";
import { LIGHT_VARIABLES } from "./palette.js";
import type { SvgElement } from "./svgDocument.js";

/** How attribute values are written, and which classes are left out. */
interface Manner {
  readonly ink: (value: string) => string;
  readonly omit: RegExp | null;
}

const IN_PAGE: Manner = { ink: (value) => value, omit: null };
const ALONE: Manner = { ink: (value) => value.replace(/var\(--(\w+)\)/g, (_, name: string) => LIGHT_VARIABLES[name]!), omit: /\binterval\b/ };

/** A figure for the page: its colours are the page's variables, and `label` describes it for people who cannot see it. */
export function inlineSvg(svg: SvgElement, label: string): string {
  return `<svg role="img" aria-label="${escapeXml(label)}"${attributes(svg, IN_PAGE)}>${inside(svg, IN_PAGE)}</svg>`;
}

/** A figure as a file of its own: light colours on white. The page switches between bands; the file has those of the runs. */
export function standaloneSvg(svg: SvgElement, label: string): string {
  const ground = `<rect width="${svg.getAttribute("width")}" height="${svg.getAttribute("height")}" fill="${LIGHT_VARIABLES.paper}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img"${attributes(svg, ALONE)}><title>${escapeXml(label)}</title>${ground}${inside(svg, ALONE)}</svg>\n`;
}

function element(node: SvgElement | string, manner: Manner): string {
  if (typeof node === "string") return escapeXml(node);
  if (node.tagName === "style" || manner.omit?.test(node.getAttribute("class") ?? "")) return "";
  const content = inside(node, manner);
  return `<${node.tagName}${attributes(node, manner)}${content === "" ? "/>" : `>${content}</${node.tagName}>`}`;
}

function inside(node: SvgElement, manner: Manner): string {
  return node.childNodes.map((child) => element(child, manner)).join("");
}

/**
 * Plot's own names for its groups are left out, because screen readers read the figure's label. Coordinates keep two decimal digits, which all
 * JavaScript engines agree on.
 */
function attributes(node: SvgElement, manner: Manner): string {
  const kept = [...node.attributes].filter(([name]) => !name.startsWith("aria-"));
  return kept.map(([name, value]) => ` ${name}="${escapeXml(name === "class" ? value : manner.ink(short(value)))}"`).join("");
}

function short(value: string): string {
  return value.replace(/\d+\.\d{3,}/g, (digits) => String(Number(Number(digits).toFixed(2))));
}
