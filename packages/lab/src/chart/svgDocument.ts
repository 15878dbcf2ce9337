/**
 * The part of the browser's document that Observable Plot uses: elements that can be nested and serialised. It makes figures possible without a
 * browser.
 */
export class SvgElement {
  readonly namespaceURI = "http://www.w3.org/2000/svg";
  readonly attributes = new Map<string, string>();
  readonly childNodes: (SvgElement | string)[] = [];
  parentNode: SvgElement | null = null;
  readonly style = {
    setProperty: (name: string, value: unknown): void => this.setAttribute("style", `${this.getAttribute("style") ?? ""}${name}:${value};`),
  };

  constructor(
    readonly ownerDocument: object,
    readonly tagName: string,
  ) {}

  get children(): SvgElement[] {
    return this.childNodes.filter((child) => typeof child !== "string");
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes.set(name, String(value));
  }

  setAttributeNS(_namespace: string, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  appendChild(child: SvgElement): SvgElement {
    return this.insertBefore(child, null);
  }

  insertBefore(child: SvgElement, next: SvgElement | null): SvgElement {
    if (child.parentNode !== null) child.parentNode.childNodes.splice(child.parentNode.childNodes.indexOf(child), 1);
    const at = next === null ? -1 : this.childNodes.indexOf(next);
    this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, child);
    child.parentNode = this;
    return child;
  }

  set textContent(text: string) {
    this.childNodes.splice(0, this.childNodes.length, String(text));
  }
}

/** A fresh document for one figure. */
export function svgDocument(): { readonly documentElement: SvgElement } {
  const document = {
    createElementNS: (_namespace: string, name: string) => new SvgElement(document, name),
    createElement: (name: string) => new SvgElement(document, name),
  } as { createElementNS: unknown; createElement: unknown; documentElement: SvgElement };
  document.documentElement = new SvgElement(document, "svg");
  return document;
}
