import ts from "typescript";

/** The error codes in the strings of a source file, as in `new TsallisError("ERR_ARM", ...)`. The keys of a table and comments do not count. */
export function codesIn(source: string): string[] {
  const file = ts.createSourceFile("source.ts", source, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) found.push(...(node.text.match(/\bERR_[A-Z_]+\b/g) ?? []));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
