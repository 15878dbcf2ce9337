import { DISTRIBUTIONS, ENVIRONMENTS, type Parameter, type Parameters, POLICIES } from "tsallis";

/** The parts of JSON Schema that this file uses. @inline */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The label of an environment or a policy, which becomes part of run ids, file names and tables. */
export const LABEL = "^[A-Za-z0-9][A-Za-z0-9 ._+=-]{0,63}$";
/** The name of an experiment, which becomes part of a folder's name. */
export const NAME = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";
/** Text that is displayed unchanged, so it must not contain control characters that a terminal would obey. */
export const PROSE = "^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$";
/** The paths that a sweep may vary: everything that affects how a run is played. */
export const SWEPT = "^(horizon|(environments|policies)[.][^\\u0000-\\u001f\\u007f-\\u009f/]+)$";
/** The word for a parameter that the environment promises. */
export const PROMISED = "promised";
export const MOST_SEEDS = 1_000_000;
/** The values of a sweep, over all its axes: each is a chapter of the report. */
export const MOST_VALUES = 10_000;
/** The arms of an environment, as a number or as a list. */
export const MOST_ARMS = 100_000;
export const DEFAULT_CHECKPOINTS = 60;

const seed = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const axis = closed(
  {
    path: {
      type: "string",
      pattern: SWEPT,
      description: "a path inside the document: horizon, environments.NAME.arms, policies.NAME.sigma; * is every key",
    },
    values: {
      type: "array",
      minItems: 1,
      maxItems: MOST_VALUES,
      uniqueItems: true,
      items: { type: ["number", "string"] },
      description: "the values to put there, one at a time",
    },
  },
  ["path", "values"],
);

const label = { type: "string", pattern: LABEL };
const beats = closed({ environment: label, policy: label, beats: label }, ["environment", "policy", "beats"]);
const grows = closed(
  {
    environment: label,
    policy: label,
    exponent: { type: "array", minItems: 2, maxItems: 2, items: { type: "number" }, description: "the range that its 95 % interval must lie in" },
    along: { type: "string", default: "rounds", description: "rounds, or the path of a sweep" },
  },
  ["environment", "policy", "exponent"],
);

/** The JSON Schema (2020-12) of experiment documents, built from the core's registries, so that it covers everything registered. */
export function experimentSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "tsallis experiment",
    description: "Environments x policies x seeds, played to a horizon.",
    ...closed(
      {
        $schema: { type: "string", description: "for editors; not read" },
        name: { type: "string", pattern: NAME, description: "names the folder of the results" },
        claim: { type: "string", pattern: PROSE, description: "the one line that the data will support or contradict" },
        evidence: {
          type: "array",
          items: branch({ type: "object", required: ["exponent"] }, grows, beats),
          description: "the evidence for the claim, which is supported if every item holds",
        },
        horizon: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "rounds of every run" },
        seeds: branch(
          { type: "array" },
          { type: "array", minItems: 1, uniqueItems: true, items: seed },
          { type: "integer", minimum: 1, maximum: MOST_SEEDS, description: "N means the seeds 1 to N" },
        ),
        environments: labelled("environment", "the worlds, by label"),
        policies: orWord("default", "the policies that the registry marks as default", labelled("policy", "by label")),
        sweep: branch({ type: "array" }, { type: "array", minItems: 1, items: axis, description: "axes that are varied one at a time" }, axis),
        checkpoints: {
          type: "integer",
          minimum: 2,
          maximum: 10_000,
          default: DEFAULT_CHECKPOINTS,
          description: "how many rounds are recorded, evenly spaced on a logarithmic axis",
        },
        anatomy: { type: "boolean", default: false, description: "record the terms of the paper's regret decomposition too" },
        runHash: { type: "boolean", default: false, description: "record a hash of all arms and losses of each run" },
      },
      ["name", "horizon", "seeds", "environments", "policies"],
    ),
    $defs: {
      distribution: specs("distribution", DISTRIBUTIONS),
      environment: specs("environment", ENVIRONMENTS, {
        delay: {
          ...branch(
            { type: "object" },
            branch({ type: "object", required: ["batch"] }, closed({ batch: { type: "integer", minimum: 1 } }, ["batch"]), {
              $ref: "#/$defs/distribution",
            }),
            { type: "integer", minimum: 0 },
          ),
          description: "the number of rounds before the policy learns a loss, a distribution of that number, or { batch: rounds }",
        },
        rotate: { type: "boolean", default: false, description: "rotate the arms with the seed: arm a is arm (a + seed) mod K of the spec" },
        rescale: { type: "boolean", default: false, description: "scale and shift the losses by amounts that depend on the seed" },
      }),
      policy: specs("policy", POLICIES),
    },
  };
}

function closed(properties: JsonSchema, required: readonly string[]): JsonSchema {
  return { type: "object", additionalProperties: false, properties, required };
}

/**
 * What holds for the values that the condition holds for, and what for the others. Alternatives (anyOf) would report the errors of each, and not only
 * of the one that was meant.
 */
function branch(condition: JsonSchema, then: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  return { if: condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

/** A word, or what the schema says. Editors complete the examples of a schema, but not what is in its branches. */
function orWord(word: string, description: string, schema: JsonSchema): JsonSchema {
  return { ...branch({ type: "string" }, { const: word, description }, schema), examples: [word] };
}

function labelled(kind: string, description: string): JsonSchema {
  return {
    type: "object",
    minProperties: 1,
    propertyNames: { pattern: LABEL },
    additionalProperties: { $ref: `#/$defs/${kind}` },
    description,
  };
}

type Table = Readonly<Record<string, { readonly parameters: Parameters; readonly description: string }>>;

/**
 * The name is one of a list, and each name has a branch with the keys that go with it: an editor completes all names, and a mistyped name or key is one
 * error. Parameters that the document fills in (horizon) or the environment promises (alpha, sigma) are optional.
 */
function specs(kind: string, table: Table, more: JsonSchema = {}): JsonSchema {
  return {
    type: "object",
    properties: { [kind]: { enum: Object.keys(table) } },
    required: [kind],
    allOf: Object.entries(table).map(([name, { parameters, description }]) => {
      const known = Object.entries(parameters);
      const properties = Object.fromEntries(known.map(([key, parameter]) => [key, valueSchema(kind, key, parameter)]));
      const required = known.filter(([key, parameter]) => !("default" in parameter || "optional" in parameter || isFilled(kind, key)));
      const keys = closed(
        { [kind]: true, ...properties, ...more },
        required.map(([key]) => key),
      );
      return branch({ properties: { [kind]: { const: name } }, required: [kind] }, { title: name, description, ...keys });
    }),
  };
}

/** Parameters that the document itself fills in. */
function isFilled(kind: string, key: string): boolean {
  return kind !== "distribution" && key === "horizon";
}

function valueSchema(kind: string, key: string, parameter: Parameter): JsonSchema {
  const { description } = parameter;
  const plain = { ...plainSchema(parameter), description, ...("default" in parameter ? { default: parameter.default } : {}) };
  return kind === "policy" && (key === "alpha" || key === "sigma")
    ? { ...orWord(PROMISED, "what the environment promises", plain), description }
    : plain;
}

function plainSchema(parameter: Parameter): JsonSchema {
  switch (parameter.type) {
    case "number":
    case "integer":
      return { type: parameter.type, ...bounds(parameter) };
    case "name":
      return { enum: parameter.names };
    case "distribution":
      return { $ref: "#/$defs/distribution" };
    case "distributions":
      return { type: "array", minItems: parameter.minimum, items: { $ref: "#/$defs/distribution" } };
    case "numbers":
      return { type: "array", minItems: parameter.minimum, items: { type: "number", ...bounds(parameter) } };
    case "table":
      return { type: "array", minItems: parameter.minimum, items: { type: "array", minItems: 1, items: { type: "number" } } };
  }
}

function bounds({ above, atLeast, atMost }: { above?: number; atLeast?: number; atMost?: number }): JsonSchema {
  return {
    ...(above === undefined ? {} : { exclusiveMinimum: above }),
    ...(atLeast === undefined ? {} : { minimum: atLeast }),
    ...(atMost === undefined ? {} : { maximum: atMost }),
  };
}
