import { describe, expect, it } from "vitest";
import { completeExperiment } from "../src/document/completeExperiment.js";
import type { FrozenExperiment, ImportedModule } from "../src/document/experiment.js";
import { experimentDifference } from "../src/document/experimentDifference.js";
import { freezeExperiment } from "../src/document/freezeExperiment.js";
import { requireSameImports } from "../src/document/requireSameImports.js";
import { DOCUMENT, pareto } from "./outcomes.js";

const frozen = (more: object = {}, imports: readonly ImportedModule[] = []) =>
  freezeExperiment(completeExperiment({ ...DOCUMENT, ...more }), imports);
const steady = (...scales: number[]) => ({ ...DOCUMENT.environments, steady: { ...DOCUMENT.environments.steady, arms: scales.map(pareto) } });
const own = (hash: string, loads?: Record<string, string>, file = "own/distribution.mjs"): ImportedModule => ({
  file,
  hash,
  ...(loads && { loads }),
});

describe("what makes two experiments differ", () => {
  it.each<[string, FrozenExperiment, FrozenExperiment, string]>([
    ["nothing", frozen(), frozen(), ""],
    ["the version", { ...frozen(), version: "0.0.9" }, { ...frozen(), version: "0.2.0" }, "its version is 0.0.9, not 0.2.0"],
    ["a value", frozen(), frozen({ horizon: 99 }), "the document differs in horizon"],
    ["a deep value", frozen(), frozen({ environments: steady(1, 3) }), "the document differs in environments.steady.arms[1].scale"],
    [
      "lists of other lengths",
      frozen(),
      frozen({ seeds: 3, environments: steady(1, 2, 3) }),
      "the document differs in seeds, environments.steady.arms",
    ],
    ["many places", frozen(), frozen({ name: "a", horizon: 9, seeds: 3, checkpoints: 3 }), "the document differs in name, horizon, seeds and 1 more"],
    ["a policy", frozen(), frozen({ policies: { uniform: { policy: "uniform" } } }), "the document differs in policies.htinf, policies.adatinf"],
    [
      "a file that a module loads",
      frozen({}, [own("a", { ".": "1", "./lib.mjs": "2" })]),
      frozen({ horizon: 9 }, [own("b", { ".": "1", "./lib.mjs": "3" })]),
      "the document differs in horizon, and ./lib.mjs, which own/distribution.mjs loads, is not what the experiment was started with",
    ],
    ["a module", frozen({}, [own("a")]), frozen({}, [own("b")]), "own/distribution.mjs is not what the experiment was started with"],
    [
      "modules",
      frozen({}, [own("a")]),
      frozen({}, [own("a"), own("b", undefined, "b.mjs")]),
      "its modules are own/distribution.mjs, not own/distribution.mjs, b.mjs",
    ],
    ["no module", frozen(), frozen({}, [own("a")]), "its modules are none, not own/distribution.mjs"],
  ])("%s", (_, there, given, words) => {
    expect(experimentDifference(there, given)).toBe(words);
  });
});

describe("the modules of results that are read again", () => {
  const [distribution, policy] = [own("a", { ".": "1", "./lib.mjs": "2" }), own("b", undefined, "own/policy.mjs")];
  const made = frozen({}, [distribution, policy]);
  it("are taken if they are the same, wherever they are", () => {
    requireSameImports(made, [{ ...distribution, file: "elsewhere.mjs" }, policy]);
    requireSameImports(frozen(), [distribution]);
  });

  it.each<[string, readonly ImportedModule[], string]>([
    [
      "left out",
      [],
      "these results were made with own/distribution.mjs, own/policy.mjs; give the same modules in this order, unchanged with all that they load, with --import",
    ],
    ["given in part", [distribution], "these results were made with own/distribution.mjs, own/policy.mjs; give the same modules in this order,"],
    ["swapped", [policy, distribution], "these results were made with own/distribution.mjs, own/policy.mjs; give the same modules in this order,"],
    [
      "edited",
      [own("c", { ".": "1", "./lib.mjs": "3" }), policy],
      "./lib.mjs, which own/distribution.mjs loads, is not what the experiment was started with; put it back",
    ],
  ])("are refused if they are %s", (_, given, words) => {
    expect(() => requireSameImports(made, given)).toThrow(words);
  });
});
