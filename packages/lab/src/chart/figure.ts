import type { Readings } from "./readings.js";
import type { SvgElement } from "./svgDocument.js";

/** A figure with its title and caption. */
export interface Figure {
  /** The name of its file, without the extension. */
  readonly name: string;
  readonly title: string;
  /** A description of the figure, in a few sentences. */
  readonly caption: string;
  readonly svg: SvgElement;
  /** The values behind it, for the page's cursor. */
  readonly readings?: Readings;
}

/** A policy in a figure. Its position in the document decides its look, which is the same in all figures. */
export interface Series {
  readonly index: number;
  readonly label: string;
}
