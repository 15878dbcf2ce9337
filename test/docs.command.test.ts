import { afterAll, describe, expect, it } from "vitest";
import { type Block, blocksOf } from "./docs/blocks.js";
import { runBlock } from "./docs/runBlock.js";
import { read, repositoryFiles } from "./repository.js";

const documents = repositoryFiles().filter((path) => path.endsWith(".md"));
const blocks = documents.flatMap((path) => blocksOf(path, read(path)));
const runnable = blocks.filter(({ language, notRun }) => ["ts", "js", "sh"].includes(language) && notRun === undefined);

/** Runs a block and compares its output with the document. */
async function check(block: Block): Promise<"ran" | "shown"> {
  const printed = await runBlock(block);
  if (block.output !== undefined) expect(printed?.trim()).toBe(block.output.trim());
  return printed === undefined ? "shown" : "ran";
}

describe("the documents", () => {
  const count = { ran: 0, shown: 0 };
  const optedOut = blocks.filter(({ notRun }) => notRun !== undefined);

  it.each(runnable.map((block) => [block.at, block] as const))("%s runs and prints what it says", async (_, block) => {
    count[await check(block)]++;
  });

  afterAll(() => {
    console.log(`documents: ${count.ran} blocks ran, ${count.shown} are commands for show, ${optedOut.length} opted out`);
    for (const { at, notRun } of optedOut) console.log(`documents: ${at} not run: ${notRun}`);
  });
});

describe("the check itself", () => {
  const fence = "```";
  const one = (markdown: string) => blocksOf("planted.md", markdown.replaceAll("~~~", fence))[0]!;

  it.each(["js", "ts"])("runs %s against the workspace's tsallis", async (language) => {
    const program = 'import { createPolicy } from "tsallis";\nconsole.log(createPolicy({ policy: "uniform" }, 4).probabilities()[0]);';
    expect(await check(one(`~~~${language}\n${program}\n~~~\n\n~~~text\n0.25\n~~~`))).toBe("ran");
  });

  it("strips types", async () => {
    expect(await check(one("~~~ts\nconst x: number = 1;\nconsole.log(x as unknown);\n~~~\n~~~text\n1\n~~~"))).toBe("ran");
  });

  it.each([
    ["a wrong output", '~~~js\nconsole.log("1")\n~~~\n\n~~~text\n2\n~~~'],
    ["a program that throws", '~~~js\nthrow new Error("planted")\n~~~'],
    ["an import that does not exist", '~~~ts\nimport { planted } from "tsallis";\nconsole.log(planted)\n~~~'],
    ["a syntax error", "~~~ts\nconst = 1;\n~~~"],
    ["a command nobody knows", "~~~sh\nrm -r planted\n~~~"],
    ["an installation among commands that run", "~~~sh\ntsallis --version\nnpm ci\n~~~"],
    ["an output under a command that is not run", "~~~sh\nnpm test\n~~~\n~~~text\nall is well\n~~~"],
  ])("sees %s", async (_, markdown) => {
    await expect(check(one(markdown))).rejects.toThrow();
  });

  it("reads the reason why a block is not run", () => {
    expect(one("<!-- not run: needs a network -->\n\n~~~js\n1\n~~~").notRun).toBe("needs a network");
    expect(one("<!-- not run: too far away -->\n\ntext\n\n~~~js\n1\n~~~").notRun).toBeUndefined();
  });
});
