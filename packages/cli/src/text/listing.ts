import { builtIn, builtInNames, parseExperiment } from "@tsallis/lab";
import { BOUNDS, DISTRIBUTIONS, ENVIRONMENTS, type Parameter, type Parameters, POLICIES } from "tsallis";
import { wrappedTable } from "./textTable.js";

export type Listed = "environments" | "distributions" | "policies" | "experiments";

export interface Listing {
  readonly entries: readonly object[];
  readonly table: () => string;
}

/** Everything of one kind: as entries for programs, or as a table for people. */
export function listing(what: Listed): Listing {
  return LISTINGS[what]();
}

const LISTINGS: Readonly<Record<Listed, () => Listing>> = {
  environments: () => specs("environment", ENVIRONMENTS),
  distributions: () => specs("distribution", DISTRIBUTIONS),
  policies,
  experiments,
};

type Table = Readonly<Record<string, { readonly description: string; readonly parameters: Parameters }>>;

function specs(kind: string, registered: Table): Listing {
  const entries = Object.entries(registered).map(([name, { description, parameters }]) => ({ name, description, parameters }));
  return {
    entries,
    table: () =>
      wrappedTable(
        [kind, "what it is, its parameters"],
        entries.map(({ name, description, parameters }) => [name, [description, ...parameterLines(parameters)].join("\n")]),
      ),
  };
}

function policies(): Listing {
  const entries = Object.entries(POLICIES).map(([name, { description, parameters, needs, guarantee, ...marks }]) => ({
    name,
    description,
    parameters,
    needs,
    guarantee,
    default: marks.default === true,
    experimental: marks.experimental === true,
    bounds: BOUNDS.filter(({ policy, kind }) => policy === name && kind === "upper").map(({ id, regime, assumptions, formula }) => ({
      id,
      regime,
      assumptions,
      formula: formula.corrected ?? formula.printed,
    })),
  }));
  const rows = entries.map(({ name, description, parameters, needs, guarantee, experimental, bounds }) => [
    name,
    needs.join("\n"),
    guarantee ?? (experimental ? "no proof yet" : "none"),
    [description, ...parameterLines(parameters), ...bounds.map(({ id, formula }) => `regret, ${id.slice(name.length + 1)}: ${formula}`)].join("\n"),
  ]);
  return { entries, table: () => wrappedTable(["policy", "needs", "guarantee", "what it is, its parameters, its bounds"], rows, [2, 1]) };
}

/** Reads the documents as written: completing them all, with the moments of their distributions, would take seconds. */
function experiments(): Listing {
  const entries = builtInNames().map((name) => {
    const { claim, horizon, seeds, environments, policies } = parseExperiment(builtIn(name)!).value as BuiltIn;
    const labels = typeof policies === "string" ? policies : Object.keys(policies);
    const count = typeof seeds === "number" ? seeds : seeds.length;
    return { name, claim, horizon, seeds: count, environments: Object.keys(environments), policies: labels };
  });
  const rows = entries.map(({ name, claim, horizon, seeds }) => [name, horizon.toLocaleString("en"), String(seeds), claim]);
  return { entries, table: () => wrappedTable(["experiment", "rounds", "seeds", "claim"], rows, [2, 1]) };
}

/** What the built-in documents have in common. */
interface BuiltIn {
  readonly claim: string;
  readonly horizon: number;
  /** Their number, or all of them. */
  readonly seeds: number | readonly number[];
  readonly environments: object;
  readonly policies: object | string;
}

function parameterLines(parameters: Parameters): string[] {
  return Object.entries(parameters).map(([name, parameter]: [string, Parameter]) => `${name}: ${parameterText(parameter)}`);
}

/** What a parameter takes, in few characters: "(1, 2]", "integer >= 1", "iw | rv, default iw". */
function parameterText(parameter: Parameter): string {
  const fallback = "default" in parameter ? `, default ${parameter.default}` : "optional" in parameter ? ", optional" : "";
  return kindText(parameter) + fallback;
}

function kindText(parameter: Parameter): string {
  switch (parameter.type) {
    case "number":
      return interval(parameter) || "number";
    case "integer":
      return `integer ${interval(parameter)}`.trimEnd();
    case "name":
      return parameter.names.join(" | ");
    case "distribution":
      return "distribution";
    case "distributions":
      return "list of distributions";
    case "numbers":
      return `list of numbers ${interval(parameter)}`.trimEnd();
    case "table":
      return "rows of numbers";
  }
}

function interval({ above, atLeast, atMost }: { readonly above?: number; readonly atLeast?: number; readonly atMost?: number }): string {
  if (atMost === undefined) return above !== undefined ? `> ${above}` : atLeast !== undefined ? `>= ${atLeast}` : "";
  return above !== undefined ? `(${above}, ${atMost}]` : `[${atLeast}, ${atMost}]`;
}
