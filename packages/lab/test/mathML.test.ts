import { BOUNDS } from "tsallis";
import { describe, expect, it } from "vitest";
import { mathML } from "../src/format/mathML.js";

/** The text of the markup, without the annotations. */
const shown = (markup: string) => markup.replace(/<annotation.*?<\/annotation>|<[^>]*>/g, "");
const inner = (source: string) => /<semantics><mrow>(.*?)<\/mrow><annotation/.exec(mathML(source))![1];

describe("formulas as MathML", () => {
  it.each([
    ["K^(1-1/alpha)", "<msup><mrow><mi>K</mi></mrow><mrow><mn>1</mn><mo>−</mo><mn>1</mn><mo>/</mo><mi>α</mi></mrow></msup>"],
    ["(T+1)/Delta_i", "<mfrac><mrow><mi>T</mi><mo>+</mo><mn>1</mn></mrow><mrow><msub><mi>Δ</mi><mi>i</mi></msub></mrow></mfrac>"],
    ["sqrt(K T)", "<msqrt><mi>K</mi><mi>T</mi></msqrt>"],
    [
      "2/min_i Delta_i",
      '<mfrac><mrow><mn>2</mn></mrow><mrow><munder><mi>min</mi><mi>i</mi></munder><mspace width="0.17em"/><msub><mi>Δ</mi><mi>i</mi></msub></mrow></mfrac>',
    ],
    ["8 2^alpha", "<mn>8</mn><mo>·</mo><msup><mrow><mn>2</mn></mrow><mrow><mi>α</mi></mrow></msup>"],
    ["ln T", '<mi>ln</mi><mspace width="0.17em"/><mi>T</mi>'],
    ["G(r)", '<mi>G</mi><mo stretchy="false">(</mo><mi>r</mi><mo stretchy="false">)</mo>'],
  ])("%s", (source, markup) => {
    expect(inner(source)).toBe(markup);
  });

  it("a factor after a fraction in one line does not look like part of it", () => {
    expect(shown(mathML("T^(1 - 2/3 (1-1/alpha))"))).toBe("T1−2/3·(1−1/α)");
  });

  it.each(
    BOUNDS.flatMap(({ id, formula }) => [...new Set([formula.printed, formula.corrected])].flatMap((text) => (text === null ? [] : [[id, text]]))),
  )("%s: %s: every number, sign and letter is there, brackets fit, and the plain text beside it is the source", (_id, source) => {
    const markup = mathML(source!);
    const open = [...markup.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)].reduce<string[]>((stack, [, closing, name, alone]) => {
      if (alone) return stack;
      if (closing) expect(stack.pop()).toBe(name);
      else stack.push(name!);
      return stack;
    }, []);
    expect(open).toEqual([]);
    const plain = [...markup.matchAll(/<annotation encoding="text\/plain">(.*?)<\/annotation>/g)].map(([, text]) => text!.replaceAll("&gt;", ">"));
    expect(plain.join(" ").replace(/\s/g, "")).toBe(source!.replace(/\s/g, ""));
    const letters = source!
      .replace(/sum_i/g, "∑i")
      .replace(/sqrt|[\s^/_(){}]/g, "")
      .replace(/alpha/g, "α")
      .replace(/sigma/g, "σ")
      .replace(/Delta/g, "Δ")
      .replace(/zeta/g, "ζ")
      .replace(/>=/g, "≥")
      .replace(/!=/g, "≠")
      .replace(/-/g, "−");
    expect(
      shown(markup)
        .replaceAll("&gt;", ">")
        .replace(/[\s\u00a0·/(){}]/g, ""),
    ).toBe(letters);
  });
});
