// The reference pages cover everything in the tables of the core. After an addition to a table, these tests name the page and what it lacks.
import { describe, expect, it } from "vitest";
import { createPolicy, DISTRIBUTIONS, ENVIRONMENTS, type Parameters, POLICIES } from "../packages/core/src/index.js";
import { SPECS } from "../packages/core/test/policies.js";
import { read, repositoryFiles } from "./repository.js";

const rowsOf = (page: string) => page.split("\n").filter((line) => line.startsWith("| "));
const code = (name: string) => `\`${name}\``;

describe("docs/reference/policies", () => {
  const overview = read("docs/reference/policies.md");
  const groups = overview.slice(overview.indexOf("| group |"), overview.indexOf("## "));
  const families = repositoryFiles().filter((path) => path.startsWith("docs/reference/policies/"));
  const lines = families.flatMap((path) => read(path).split("\n"));

  const required = (parameters: Parameters) => Object.keys(parameters).filter((key) => !("optional" in parameters[key]!));

  it.each(Object.entries(POLICIES))("has %s among its groups, and its spec next to its class on a family's page", (name, { parameters }) => {
    expect(groups, `docs/reference/policies.md: add ${code(name)} to the first table`).toContain(code(name));
    const own = createPolicy(
      SPECS.find(({ policy }) => policy === name),
      2,
    ).constructor.name;
    const spec = new RegExp(`\`\\{ "policy": "${name}"[^\`]*\``);
    const line = lines.find((text) => spec.test(text) && text.includes(code(own)));
    expect(line, `docs/reference/policies/: add a row or a section with \`{ "policy": "${name}", ... }\` and ${code(own)}`).toBeDefined();
    for (const key of required(parameters)) {
      expect(spec.exec(line!)![0], `docs/reference/policies/: the spec of ${name} lacks its parameter ${key}`).toContain(`"${key}": `);
    }
  });

  it("links to every family's page", () => {
    for (const path of families) expect(groups).toContain(`](${path.replace("docs/reference/", "")})`);
  });
});

describe("docs/reference/distributions.md", () => {
  const rows = rowsOf(read("docs/reference/distributions.md"));

  it.each(Object.entries(DISTRIBUTIONS))("has a row for %s with its parameters", (name, { parameters }) => {
    const row = rows.find((line) => line.startsWith(`| ${code(name)} |`));
    expect(row, `docs/reference/distributions.md: add a row for ${code(name)} to the families or the combinators`).toBeDefined();
    for (const key of Object.keys(parameters)) {
      expect(row!.split(" | ")[1], `docs/reference/distributions.md: the row of ${name} lacks its parameter ${code(key)}`).toContain(code(key));
    }
  });
});

describe("docs/reference/environments.md", () => {
  const page = read("docs/reference/environments.md");
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => (JSON.parse(json!) as { environment?: string }).environment);

  it.each(Object.entries(ENVIRONMENTS))("has a row for %s, a section with its parameters, and an example", (name, { parameters }) => {
    const start = `| [${code(name)}](#${name}) |`;
    expect(
      rowsOf(page).some((line) => line.startsWith(start)),
      `docs/reference/environments.md: add a row to the first table, ${start}`,
    ).toBe(true);
    const section = page.split(/^## /m).find((text) => text.startsWith(`${code(name)}\n`));
    expect(section, `docs/reference/environments.md: add a section "## ${code(name)}"`).toBeDefined();
    // That of alpha stands once, above all sections.
    for (const key of Object.keys(parameters).filter((each) => each !== "alpha")) {
      expect(section, `docs/reference/environments.md: the section of ${name} lacks its parameter ${code(key)}`).toContain(`\n- ${code(key)}: `);
    }
    expect(examples, `docs/reference/environments.md: the section of ${name} lacks an example in JSON`).toContain(name);
  });
});
