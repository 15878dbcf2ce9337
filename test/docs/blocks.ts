/** One fenced block of a Markdown document. */
export interface Block {
  /** "README.md:12", the line of its opening fence. */
  readonly at: string;
  readonly language: string;
  readonly text: string;
  /** What it must print: the text of the output block that follows it, with only blank lines between. */
  readonly output: string | undefined;
  /** The reason in a comment `<!-- not run: reason -->` before it. */
  readonly notRun: string | undefined;
}

const PROGRAMS = ["ts", "js", "sh"];
const OUTPUTS = ["text", "json", "jsonl"];

/** The blocks of a document, in order. A block that is the output of the one before belongs to that one and is not listed. */
export function blocksOf(path: string, markdown: string): Block[] {
  const lines = markdown.split("\n");
  const blocks: Block[] = [];
  let between: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = /^(\s*)(`{3,})\s*([\w-]*)\s*$/.exec(lines[i]!);
    if (fence === null) {
      between.push(lines[i]!);
      continue;
    }
    const [, indent, ticks, language] = fence as unknown as [string, string, string, string];
    const at = `${path}:${i + 1}`;
    const end = lines.findIndex((line, j) => j > i && line.trim() === ticks);
    if (end < 0) throw new Error(`${at}: the block has no end`);
    const text = lines
      .slice(i + 1, end)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join("\n");
    const before = blocks.at(-1);
    const follows = between.every((line) => line.trim() === "");
    if (before !== undefined && follows && before.output === undefined && PROGRAMS.includes(before.language) && OUTPUTS.includes(language)) {
      blocks[blocks.length - 1] = { ...before, output: text };
    } else {
      const notRun = /<!-- not run: (.+?) -->\s*$/.exec(between.join("\n"))?.[1];
      blocks.push({ at, language, text, output: undefined, notRun });
    }
    between = [];
    i = end;
  }
  return blocks;
}
