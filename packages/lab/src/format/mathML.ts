import { escapeXml } from "./escapeXml.js";

const GREEK: Readonly<Record<string, string>> = { alpha: "α", sigma: "σ", Delta: "Δ", zeta: "ζ" };
const SIGNS: Readonly<Record<string, string>> = { "-": "−", ">=": "≥", "!=": "≠" };
const LETTERS = /^[A-Zrvi]$/;

/** Between two marks the text of a formula may be broken into lines; a mark carries the position in the source at which it stands. */
const MARK = /<!--(\d+)-->/;

/**
 * A formula of the theorems, such as `30 sigma K^(1-1/alpha) (T+1)^(1/alpha)`, as MathML that loads nothing and breaks into lines before a plus. Each
 * part carries the source as its text, which readers show that know no MathML. Words stay words.
 */
export function mathML(source: string): string {
  const pieces = `<!--0-->${new Formula(source).whole().replaceAll(LINEAR, "")}`.split(MARK).slice(1);
  const parts: string[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const plain = escapeXml(source.slice(Number(pieces[at]), Number(pieces[at + 2] ?? source.length)).trim());
    parts.push(
      `<math displaystyle="true" alttext="${plain}"><semantics><mrow>${pieces[at + 1]}</mrow><annotation encoding="text/plain">${plain}</annotation></semantics></math>`,
    );
  }
  return parts.join(" ");
}

/** One factor, and whether it is in brackets that a fraction, a root or a power makes needless. */
interface Factor {
  readonly markup: string;
  readonly bare: string;
}

interface Token {
  readonly text: string;
  readonly at: number;
  /** Whether it follows the token before it without a space. */
  readonly close: boolean;
}

/** A reader of the notation of `formula` in the bounds: products by spaces, powers by `^`, indices by `_`, sums and least values over arms. */
class Formula {
  private readonly tokens: readonly Token[];
  private next = 0;

  constructor(source: string) {
    const found = source.matchAll(/(\s*)([A-Za-z]+(?:_[a-z])?|\d+(?:\.\d+)?|>=|!=|\S)/g);
    this.tokens = [...found].map((match) => ({ text: match[2]!, at: match.index + match[1]!.length, close: match[1] === "" }));
  }

  whole(): string {
    let markup = "";
    // A bracket that nobody opened is shown as it is.
    while (this.peek() !== undefined) markup += this.sequence(0, true) + (this.peek() === undefined ? "" : sign(this.take().text));
    return markup;
  }

  /** Factors and signs up to a closing bracket. `depth`: how many powers it is inside of; `breaks`: whether lines may break here. */
  private sequence(depth: number, breaks: boolean): string {
    let markup = "";
    let after: "factor" | "sign" = "sign";
    for (let token = this.tokens[this.next]; token !== undefined && !/[)}]/.test(token.text); token = this.tokens[this.next]) {
      const { text, at } = token;
      if (/^(?:[-+=,.;:]|>=|!=)$/.test(text)) {
        this.next++;
        // At the beginning of a line a plus would be taken for the sign of one number.
        markup += breaks && after === "factor" && text === "+" ? `<!--${at}--><mo form="infix">+</mo>` : sign(text);
        after = "sign";
      } else if (isWord(text)) {
        markup += `${breaks ? `<!--${at}-->` : ""}<mtext>${escapeXml(this.words())}</mtext>`;
        after = "sign";
      } else if (text === "{") {
        this.next++;
        markup += `<mo stretchy="false">{</mo>${this.sequence(depth, breaks)}${this.close()}`;
        after = "factor";
      } else {
        // What follows a fraction that is written in one line is not part of its denominator.
        if (after === "factor") markup += /^\d/.test(text) || markup.endsWith(LINEAR) ? "<mo>·</mo>" : /^(?:ln|min_i|sum_i)$/.test(text) ? SPACE : "";
        markup += this.quotient(depth);
        after = text === "sum_i" ? "sign" : "factor";
      }
    }
    return markup;
  }

  private quotient(depth: number): string {
    const over = this.power(depth);
    if (this.peek() !== "/") return over.markup;
    this.next++;
    const under = this.power(depth);
    return depth > 0 ? `${over.markup}<mo>/</mo>${under.markup}${LINEAR}` : `<mfrac><mrow>${over.bare}</mrow><mrow>${under.bare}</mrow></mfrac>`;
  }

  private power(depth: number): Factor {
    const base = this.factor(depth);
    if (this.peek() !== "^") return base;
    this.next++;
    const markup = `<msup><mrow>${base.markup}</mrow><mrow>${this.factor(depth + 1).bare}</mrow></msup>`;
    return { markup, bare: markup };
  }

  private factor(depth: number): Factor {
    const { text } = this.take();
    if (text === "(") {
      const bare = this.sequence(depth, false);
      return { markup: `<mo stretchy="false">(</mo>${bare}${this.close()}`, bare };
    }
    if (text === "sqrt") return same(`<msqrt>${this.factor(depth).bare}</msqrt>`);
    if (text === "sum_i") return same(`<munder><mo movablelimits="false">∑</mo><mi>i</mi></munder>`);
    if (text === "min_i") return same(`<munder><mi>min</mi><mi>i</mi></munder>${SPACE}${this.factor(depth).markup}`);
    if (text === "ln") return same(`<mi>ln</mi>${this.peek() === "(" ? "" : SPACE}${this.power(depth).markup}`);
    const symbol = /^\d/.test(text) ? `<mn>${text}</mn>` : identifier(text);
    // A name with a bracket right behind it is a function.
    return this.peek() === "(" && this.tokens[this.next]!.close && /^[A-Z]/.test(text) ? same(symbol + this.factor(depth).markup) : same(symbol);
  }

  /** Words, and the letters between them that are words too. */
  private words(): string {
    const found: string[] = [];
    for (let token = this.peek(); token !== undefined && isWord(token); token = this.peek()) found.push(this.take().text);
    return `\u00a0${found.join(" ")}\u00a0`;
  }

  private close(): string {
    return this.peek() === undefined ? "" : `<mo stretchy="false">${this.take().text}</mo>`;
  }

  private peek(): string | undefined {
    return this.tokens[this.next]?.text;
  }

  private take(): Token {
    return this.tokens[this.next++] ?? { text: "", at: 0, close: true };
  }
}

/** Marks the end of a fraction that is written in one line. */
const LINEAR = "<!--/-->";
const SPACE = '<mspace width="0.17em"/>';

function same(markup: string): Factor {
  return { markup, bare: markup };
}

function sign(text: string): string {
  return `<mo>${escapeXml(SIGNS[text] ?? text)}</mo>`;
}

function identifier(text: string): string {
  const [name, index] = text.split("_") as [string, string?];
  const letter = `<mi>${escapeXml(GREEK[name] ?? name)}</mi>`;
  return index === undefined ? letter : `<msub>${letter}<mi>${escapeXml(index)}</mi></msub>`;
}

function isWord(text: string): boolean {
  const [name] = text.split("_") as [string];
  return /^[A-Za-z]/.test(text) && !LETTERS.test(name) && !(name in GREEK) && !/^(?:ln|sqrt|sum_i|min_i)$/.test(text);
}
