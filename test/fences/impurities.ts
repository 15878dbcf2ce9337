import ts from "typescript";

/** These are exact by IEEE 754 or by ECMAScript, so the same on every engine. All other functions of Math are only approximate. */
const EXACT = "abs sqrt floor ceil round trunc min max sign imul clz32 fround PI E LN2 LN10 LOG2E LOG10E SQRT2 SQRT1_2".split(" ");

/** Clocks, the environment and randomness. */
const OUTSIDE =
  "Date performance process globalThis window self crypto console Intl require module eval Function setTimeout setInterval queueMicrotask fetch".split(
    " ",
  );

/** Methods whose result depends on the user's language. */
const LOCAL = /^(?:toLocale\w+|localeCompare)$/;

/** Everything that makes a source file of the core depend on its engine, clock or environment, one line each. It reads the syntax tree, so comments and strings do not count. */
export function impurities(source: string): string[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = impurity(node);
    if (what !== undefined) found.push(`${what} (line ${file.getLineAndCharacterOfPosition(node.getStart()).line + 1})`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function impurity(node: ts.Node): string | undefined {
  if (node.kind === ts.SyntaxKind.AsteriskAsteriskToken || node.kind === ts.SyntaxKind.AsteriskAsteriskEqualsToken) return "the ** operator";
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return "a dynamic import";
  if (ts.isPropertyAccessExpression(node) && LOCAL.test(node.name.text)) return node.name.text;
  if (!ts.isIdentifier(node) || isMemberName(node)) return undefined;
  if (node.text === "Math") return impurityOfMath(node.parent);
  return OUTSIDE.includes(node.text) ? node.text : undefined;
}

/** A dot and a known member must follow `Math`: anything else (`Math["exp"]`, `const { exp } = Math`) would hide what is used. */
function impurityOfMath(parent: ts.Node): string | undefined {
  if (!ts.isPropertyAccessExpression(parent)) return "Math without a member";
  return EXACT.includes(parent.name.text) ? undefined : `Math.${parent.name.text}`;
}

/** The `process` in `queue.process` or `{ process: 1 }` is a member of something else. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name === node;
  return (ts.isTypeElement(parent) || ts.isClassElement(parent)) && parent.name === node;
}
