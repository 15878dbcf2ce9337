import { escapeXml } from "../format/escapeXml.js";
import { LIGHT_VARIABLES } from "./palette.js";
import type { SvgElement } from "./svgDocument.js";

/** What becomes of an attribute's value, and the classes that are left out. */
interface Manner {
  readonly ink: (value: string) => string;
  readonly omit: RegExp | null;
}

const IN_PAGE: Manner = { ink: (value) => value, omit: null };
const ALONE: Manner = { ink: (value) => value.replace(/var\(--(\w+)\)/g, (_, name: string) => LIGHT_VARIABLES[name]!), omit: /\binterval\b/ };

/** A figure for the page: its colours are the page's variables, `label` names it for those who can not see it. */
export function inlineSvg(svg: SvgElement, label: string): string {
  return `<svg role="img" aria-label="${escapeXml(label)}"${attributes(svg, IN_PAGE)}>${inside(svg, IN_PAGE)}</svg>`;
}

/** A figure as a file of its own: light colours on white, and of the bands that take turns in the page those of the runs. */
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

/** Plot's names for its groups are left out: screen readers read the figure's label. Coordinates keep two digits, fewer than engines agree on. */
function attributes(node: SvgElement, manner: Manner): string {
  const kept = [...node.attributes].filter(([name]) => !name.startsWith("aria-"));
  return kept.map(([name, value]) => ` ${name}="${escapeXml(name === "class" ? value : manner.ink(short(value)))}"`).join("");
}

function short(value: string): string {
  return value.replace(/\d+\.\d{3,}/g, (digits) => String(Number(Number(digits).toFixed(2))));
}
