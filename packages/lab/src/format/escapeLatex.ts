const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "−": "$-$",
  "×": "$\\times$",
  "·": "$\\cdot$",
  "≤": "$\\le$",
  "≥": "$\\ge$",
  "∞": "$\\infty$",
};

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Escapes text for LaTeX, with the signs that figures use. */
export function escapeLatex(text: string): string {
  return text
    .replace(/[\\~^<>−×·≤≥∞]|[&%$#_{}]/g, (sign) => ESCAPES[sign] ?? `\\${sign}`)
    .replace(
      /⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
      (power) => `\\textsuperscript{${[...power].map((digit) => (digit === "⁻" ? "-" : SUPERSCRIPTS.indexOf(digit))).join("")}}`,
    )
    .replace(/\s+/g, " ");
}
