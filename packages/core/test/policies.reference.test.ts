// Reference: the four policies of the paper and SignedTINF, on both kernels, against trajectories computed in 60 digits by fixtures/policies.py. Arms are forced, so nothing is
// sampled. `probabilities` is a dense computation under both kernels; the chosen probability and the threshold are the kernel's own.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Choice, createPolicy, isSkipped, type KernelName, type PolicySpec } from "../src/index.js";
import { KERNELS } from "./kernels.js";

interface Case {
  name: string;
  policy: PolicySpec;
  arms: number;
  kind: string;
  played: number[];
  /** Exactly one of the two: losses, or (kind "deep") factors of the policy's own threshold. SignedTINF clips at the threshold instead of skipping. */
  losses?: number[];
  factors?: number[];
  probability: number[];
  threshold: number[];
  skipped: string;
  epoch?: number[];
  superEpoch?: number[];
  vectors: Record<string, number[]>;
}

const FOLDER = new URL("./fixtures/policies/", import.meta.url);
const TOLERANCE = 1e-9;
// The fixtures write probabilities below 1e-300 as 0.
const NEGLIGIBLE = 1e-299;

// What the generator says it wrote; "values" are the comparisons below.
const EXPECTED: Record<string, { cases: number; rounds: number; values: number }> = {
  "htinf-2.json": { cases: 12, rounds: 3400, values: 29700 },
  "htinf-1.9.json": { cases: 12, rounds: 3400, values: 29700 },
  "htinf-1.5.json": { cases: 12, rounds: 3400, values: 29700 },
  "htinf-1.25.json": { cases: 12, rounds: 3400, values: 29700 },
  "htinf-1.1.json": { cases: 12, rounds: 3400, values: 29700 },
  "htinf-1.05.json": { cases: 12, rounds: 3400, values: 29700 },
  "opttinf.json": { cases: 7, rounds: 2000, values: 17100 },
  "adatinf.json": { cases: 20, rounds: 5699, values: 57283 },
  "ada2tinf.json": { cases: 15, rounds: 4500, values: 46800 },
  "signed-tinf.json": { cases: 14, rounds: 6520, values: 42779 },
  "deep.json": { cases: 8, rounds: 13967, values: 62437 },
};

function read(file: string): Case[] {
  return JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")).cases;
}

/** The clipping limit of SignedTINF, which its Choices do not carry: Theta sigma (t x)^(1/alpha). */
function clippingLimit({ round, probability }: Choice, { alpha, sigma }: PolicySpec): number {
  const a = alpha as number;
  return 0.4 * (a - 1) * (sigma as number) * (round * probability!) ** (1 / a);
}

function agrees(actual: number, reference: number): boolean {
  return reference === 0 ? actual >= 0 && actual <= NEGLIGIBLE : Math.abs(actual - reference) <= TOLERANCE * reference;
}

/** The number of values compared and the first mismatch. */
function compare(fixture: Case, kernel: KernelName): { values: number; mismatch: string | undefined } {
  const policy = createPolicy(fixture.policy, fixture.arms, { kernel });
  let values = 0;
  for (const [index, arm] of fixture.played.entries()) {
    const round = index + 1;
    const mismatches: string[] = [];
    const check = (what: string, of: number, actual: unknown, reference: unknown, equal: boolean) => {
      values++;
      if (!equal) mismatches.push(`${fixture.name}, round ${round}, arm ${of}: ${what} is ${actual}, reference ${reference}`);
    };
    const probabilities = Array.from(policy.probabilities()!);
    const probability = fixture.probability[index]!;
    check("probability", arm, probabilities[arm], probability, agrees(probabilities[arm]!, probability));
    for (const [i, reference] of (fixture.vectors[round] ?? []).entries()) {
      check("probability", i, probabilities[i], reference, agrees(probabilities[i]!, reference));
    }
    const choice = policy.force(arm);
    check("chosen probability", arm, choice.probability, probability, agrees(choice.probability!, probability));
    const threshold = choice.threshold ?? clippingLimit(choice, fixture.policy);
    check("threshold", arm, threshold, fixture.threshold[index], agrees(threshold, fixture.threshold[index]!));
    const details = policy.details();
    for (const key of ["epoch", "superEpoch"] as const) {
      const column = fixture[key];
      if (column) check(key, arm, details[key], column[index], details[key] === column[index]);
    }
    const loss = fixture.factors ? fixture.factors[index]! * threshold : fixture.losses![index]!;
    const skipped = fixture.skipped[index] === "1";
    const found = policy.isSettled === undefined ? isSkipped(choice, loss) : policy.isSettled(choice, Math.abs(loss));
    check(`skip of ${loss} at ${threshold}`, arm, found, skipped, found === skipped);
    if (mismatches.length > 0) return { values, mismatch: mismatches[0] };
    policy.update(choice, loss);
  }
  return { values, mismatch: undefined };
}

describe.each(KERNELS)("reference: policies, $name kernel", ({ name }) => {
  it.each(Object.entries(EXPECTED))("%s agrees to 1e-9, every decision equal", (file, expected) => {
    const cases = read(file);
    const results = cases.map((fixture) => compare(fixture, name));
    expect(results.flatMap(({ mismatch }) => mismatch ?? [])).toEqual([]);
    const total = (sizes: number[]) => sizes.reduce((sum, size) => sum + size, 0);
    expect({
      cases: cases.length,
      rounds: total(cases.map(({ played }) => played.length)),
      values: total(results.map(({ values }) => values)),
    }).toEqual(expected);
  });
});

describe("reference: the fixtures", () => {
  it("cover policies, alphas, arms and kinds of losses", () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(EXPECTED).sort());
    const cases = Object.keys(EXPECTED).flatMap(read);
    const pairs = (key: (fixture: Case) => string) => new Set(cases.map(key));
    const arms = [1, 2, 5, 12, 100];
    const kinds = ["positive", "signed", "tiny", "huge", "zero", "edge"];
    const policies = [
      ...["opttinf", "adatinf", "ada2tinf", "signed-tinf"].map((policy) => ({ label: policy, of: (f: Case) => f.policy.policy === policy })),
      ...[2, 1.9, 1.5, 1.25, 1.1, 1.05].map((alpha) => ({
        label: `htinf ${alpha}`,
        of: (f: Case) => f.policy.policy === "htinf" && (f.policy as { alpha?: number }).alpha === alpha,
      })),
    ];
    const label = (fixture: Case) => policies.find(({ of }) => of(fixture))?.label;
    const byArms = pairs((f) => `${label(f)}, ${f.arms} arms`);
    const byKind = pairs((f) => `${label(f)}, ${f.kind}`);
    for (const { label } of policies) {
      for (const count of arms) expect(byArms).toContain(`${label}, ${count} arms`);
      for (const kind of kinds) expect(byKind).toContain(`${label}, ${kind}`);
      if (label !== "opttinf") expect(byKind).toContain(`${label}, deep`);
    }
    for (const policy of ["adatinf", "ada2tinf"]) expect(byKind).toContain(`${policy}, turning`);
  });
});
