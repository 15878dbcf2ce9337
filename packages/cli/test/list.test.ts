import { fileURLToPath } from "node:url";
import { builtInNames, experimentSchema, parseExperiment } from "@tsallis/lab";
import { DISTRIBUTIONS, ENVIRONMENTS, POLICIES } from "tsallis";
import { describe, expect, it } from "vitest";
import { tsallis } from "./inProcess.js";

async function listed(what: string) {
  const [table, json] = await Promise.all([tsallis(["list", what]), tsallis(["list", what, "--json"])]);
  expect([table.code, table.stderr, json.code, json.stderr]).toEqual([0, "", 0, ""]);
  return { table: table.stdout, entries: JSON.parse(json.stdout) as { name: string; description: string; claim: string; parameters: object }[] };
}

describe("list", () => {
  it.each([
    ["environments", ENVIRONMENTS],
    ["distributions", DISTRIBUTIONS],
    ["policies", POLICIES],
  ])("%s: everything registered, with all its parameters", async (what, registered) => {
    const { table, entries } = await listed(what);
    expect(entries.map(({ name }) => name)).toEqual(Object.keys(registered));
    for (const { name, description, parameters } of entries) {
      expect(description).toBe(registered[name]!.description);
      expect(parameters).toEqual(JSON.parse(JSON.stringify(registered[name]!.parameters)));
      expect(table).toMatch(new RegExp(`^│ ${name} `, "m"));
      for (const parameter of Object.keys(parameters)) expect(table).toContain(` ${parameter}: `);
    }
    expect(Math.max(...table.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it("policies: what each needs, what is proved of it, and by which bound", async () => {
    const { table, entries } = await listed("policies");
    expect(entries.find(({ name }) => name === "htinf")).toMatchObject({
      needs: ["alpha", "sigma", "truncated-non-negative"],
      guarantee: "adversarial",
      default: true,
      experimental: false,
      bounds: [{ id: "htinf/adversarial", formula: expect.any(String) }, { id: "htinf/stochastically-constrained" }],
    });
    expect(table).toMatch(/^│ matched-tinf .*│ no proof yet /m);
    expect(table).toContain("30 sigma K^(1-1/alpha)");
  });

  it("experiments: each with its claim and a name that show accepts", async () => {
    const { table, entries } = await listed("experiments");
    expect(entries.map(({ name }) => name)).toEqual(builtInNames());
    for (const { name, claim, ...entry } of entries) {
      expect(entry).toEqual({ horizon: expect.any(Number), seeds: expect.any(Number), environments: expect.any(Array), policies: expect.anything() });
      expect(claim.length).toBeGreaterThan(20);
      expect(table).toMatch(new RegExp(`^│ ${name} `, "m"));
    }
    const { code, stdout } = await tsallis(["show", "showdown"]);
    expect(code).toBe(0);
    expect(parseExperiment(stdout).value).toMatchObject({ name: "showdown", claim: entries.find(({ name }) => name === "showdown")!.claim });
  });
});

it("schema prints the lab's schema", async () => {
  const { code, stdout, stderr } = await tsallis(["schema"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(experimentSchema())));
});

it("schema --import has the policies of one's own modules too", async () => {
  const { code, stdout, stderr } = await tsallis(["schema", "--import", fileURLToPath(new URL("fixtures/mine.mjs", import.meta.url))]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { properties, allOf } = JSON.parse(stdout).$defs.policy;
  expect(properties.policy.enum).toEqual(expect.arrayContaining(["htinf", "arm-zero", "thrower"]));
  expect(allOf.map((branch: { then: { title: string } }) => branch.then.title)).toEqual(properties.policy.enum);
});
