import type { SvgElement } from "./svgDocument.js";

/** A picture with the words that belong to it. */
export interface Figure {
  /** The file's name, without its ending. */
  readonly name: string;
  readonly title: string;
  /** What is drawn, in a few sentences. */
  readonly caption: string;
  readonly svg: SvgElement;
}

/** A policy in a figure: its place in the document decides how it looks, the same in all figures. */
export interface Series {
  readonly index: number;
  readonly label: string;
}
