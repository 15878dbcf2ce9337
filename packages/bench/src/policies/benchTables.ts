import { formatTable } from "@tsallis/cli/dist/text/textTable.js";
import type { BenchResult, BuiltResult } from "./benchPolicies.js";
import { ratios } from "./ratios.js";

/** All tables of the policies, ending with the ratios. */
export function policyTables(built: readonly BuiltResult[]): string {
  const results = built.map(({ result }) => result);
  const kernels = built.filter(({ result }) => result.policy === "htinf" || result.policy.startsWith("yardstick.c"));
  const indexed = built.filter(({ result }) => result.kernel === "indexed" && result.policy === "htinf" && result.bytesPerArm !== null);
  const others = built.filter(({ result }) => !kernels.some((kernel) => kernel.result === result));
  return [
    `HTINF: nanoseconds per round, choose and update\n${byArms(kernels, ({ result }) => result.nsPerRound.toFixed(0))}`,
    `The indexed kernel: milliseconds to build it, up to and including the first choose\n${byArms(indexed, ({ buildMs }) => buildMs?.toFixed(1) ?? "-")}`,
    `The indexed kernel: bytes per arm\n${byArms(indexed, ({ result }) => result.bytesPerArm!.toFixed(1))}`,
    `Other policies: nanoseconds per round, under the kernel that suits the number of arms\n${byArms(others, ({ result }) => result.nsPerRound.toFixed(0), nameOnly)}`,
    `Ratios within this run\n${formatTable(
      ["ratio", "asked", "measured"],
      ratios(results).map(({ name, asked, measured }) => [
        name,
        asked,
        measured < 100 ? measured.toPrecision(3) : Math.round(measured).toLocaleString("en"),
      ]),
    )}`,
  ].join("\n");
}

/** Every policy as it grows old: one column per age. */
export function growthTable(results: readonly BenchResult[]): string {
  const ages = [...new Set(results.map(({ age }) => age!))];
  const rows = [...new Set(results.map(nameOnly))].map((name) => {
    const times = ages.map((age) => results.find((each) => each.policy === name && each.age === age)!.nsPerRound);
    return [name, ...times.map((time) => time.toFixed(0)), (times[times.length - 1]! / times[0]!).toFixed(2)];
  });
  const title = `Growing old, K = ${results[0]!.arms}: nanoseconds per round from t/2 to t`;
  return `${title}\n${formatTable(["", ...ages.map((age) => `t = ${age.toLocaleString("en")}`), "last to first"], rows)}`;
}

/** The elementary functions beside the engine's. */
export function functionTable(times: readonly [string, number, number][]): string {
  const rows = times.map(([name, ours, engine]) => [name, ours.toFixed(1), engine.toFixed(1), (ours / engine).toFixed(2)]);
  return `Nanoseconds per call of the elementary functions, loop included\n${formatTable(["function", "tsallis", "Math", "ratio"], rows)}`;
}

/** One row per policy and one column per number of arms, with a dash where nothing was timed. */
function byArms(built: readonly BuiltResult[], show: (each: BuiltResult) => string, name = fullName): string {
  const armCounts = [...new Set(built.map(({ result }) => result.arms))];
  const names = [...new Set(built.map(({ result }) => name(result)))];
  const rows = names.map((row) => [
    row,
    ...armCounts.map((arms) => {
      const cell = built.find(({ result }) => name(result) === row && result.arms === arms);
      return cell === undefined ? "-" : show(cell);
    }),
  ]);
  return formatTable(["", ...armCounts.map((arms) => `K = ${arms.toLocaleString("en")}`)], rows);
}

function fullName({ policy, kernel, alpha }: BenchResult): string {
  return `alpha ${alpha}, ${kernel ?? policy}`;
}

function nameOnly({ policy }: BenchResult): string {
  return policy;
}
