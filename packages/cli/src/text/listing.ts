import { builtIn, builtInNames, parseExperiment } from "@tsallis/lab";
import { BOUNDS, DISTRIBUTIONS, ENVIRONMENTS, type Parameter, type Parameters, POLICIES } from "tsallis";
import { parameterText } from "./parameterText.js";
import { wrappedTable } from "./wrappedTable.js";

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
        [kind, "parameters", "what it is"],
        entries.map(({ name, description, parameters }) => [name, parametersText(parameters), description]),
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
    [
      description,
      ...Object.entries(parameters).map(([key, parameter]) => `${key}: ${parameterText(parameter)}`),
      ...bounds.map(({ id, formula }) => `regret, ${id.slice(name.length + 1)}: ${formula}`),
    ].join("\n"),
  ]);
  return { entries, table: () => wrappedTable(["policy", "needs", "guarantee", "what it is, its parameters, its bounds"], rows) };
}

/** Reads the documents as written: completing them all, with the moments of their laws, would take seconds. */
function experiments(): Listing {
  const entries = builtInNames().map((name) => {
    const { claim, horizon, seeds, environments, policies } = parseExperiment(builtIn(name)!).value as BuiltIn;
    const labels = typeof policies === "string" ? policies : Object.keys(policies);
    return { name, claim, horizon, seeds, environments: Object.keys(environments), policies: labels };
  });
  const rows = entries.map(({ name, claim, horizon, seeds }) => [name, horizon.toLocaleString("en"), String(seeds), claim]);
  return { entries, table: () => wrappedTable(["experiment", "rounds", "seeds", "claim"], rows) };
}

/** What the built-in documents have in common. */
interface BuiltIn {
  readonly claim: string;
  readonly horizon: number;
  readonly seeds: number;
  readonly environments: object;
  readonly policies: object | string;
}

function parametersText(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, parameter]: [string, Parameter]) => `${name}: ${parameterText(parameter)}`)
    .join("\n");
}
