// The files that `npm run new` writes. Each is a trivial member that works: it compiles and passes its conformance suite until it is filled in.

/**
 * A name in the forms that code uses: "my-thing", myThing, MyThing, MY_THING.
 * @typedef {{ name: string, camel: string, pascal: string, upper: string }} Names
 */

/** @param {Names} names */
const policy = ({ name, camel, pascal, upper }) => ({
  [`packages/core/src/policies/${camel}.ts`]: `import { completeOptions, type Parameters } from "../parameters.js";
import { BasePolicy } from "./base/basePolicy.js";
import type { Choice } from "./base/choice.js";
import { requireKnownCosts } from "./base/knownCosts.js";
import { ARMS } from "./base/sharedParameters.js";

export const ${upper}_PARAMETERS = {} as const satisfies Parameters;

/** The options of ${pascal}: the arms, and the parameters of its spec. */
export interface ${pascal}Options {
  arms: number;
}

/** TODO: the paper, the equations, every deviation. Until then it plays uniformly at random; the other base classes are in base/. */
export class ${pascal} extends BasePolicy {
  readonly skips = false;
  readonly weighs = false;

  constructor(options: ${pascal}Options) {
    super({ policy: "${name}" }, completeOptions({ arms: ARMS, ...${upper}_PARAMETERS }, options).arms);
  }

  override probabilities(knownCosts?: ArrayLike<number>): Float64Array {
    if (knownCosts !== undefined) requireKnownCosts(knownCosts, this);
    return new Float64Array(this.arms).fill(1 / this.arms);
  }

  protected override drawInto(choice: Choice, round: number, u: number): void {
    this.forceInto(choice, round, Math.floor(u * this.arms));
  }

  protected override forceInto(choice: Choice, _round: number, arm: number): void {
    choice.arm = arm;
    choice.probability = 1 / this.arms;
    choice.threshold = null;
  }

  protected override learn(): void {}
}
`,
  [`packages/core/test/policies.${camel}.test.ts`]: `import { expect, test } from "vitest";
import { ${pascal} } from "../src/policies/${camel}.js";

// TODO: a reference computed in another way, and what the paper promises.
test("every arm has the same probability", () => {
  expect([...new ${pascal}({ arms: 4 }).probabilities()]).toEqual([0.25, 0.25, 0.25, 0.25]);
});
`,
});

/** @param {Names} names */
const distribution = ({ name, camel, upper }) => ({
  [`packages/core/src/distributions/${camel}.ts`]: `import { type Completed, completeOptions, type Parameters } from "../parameters.js";
import { completeDistribution } from "./completeDistribution.js";
import type { DetailedDistribution } from "./distribution.js";
import { lomax } from "./lomax.js";
import { SCALE_RANGE, SHAPE_RANGE } from "./ranges.js";
import { decreasingVerdict } from "./truncatedNonNegativity.js";

export const ${upper} = {
  shape: { ...SHAPE_RANGE, description: "the tail index" },
  scale: { ...SCALE_RANGE, description: "the unit of the values" },
} as const satisfies Parameters;

/**
 * TODO: its definition. Until then it is a Lomax distribution.
 *
 * @example
 * \`\`\`ts
 * import { ${camel} } from "tsallis";
 *
 * console.log(${camel}({ shape: 1.5, scale: 1 }).mean); // 2
 * \`\`\`
 */
export function ${camel}(options: Completed<typeof ${upper}>, path = ""): DetailedDistribution {
  const { shape, scale } = completeOptions(${upper}, options, path);
  // TODO: closed forms in place of these, and an argument of its own for the verdict.
  const known = lomax({ shape, scale });
  return completeDistribution({
    spec: { distribution: "${name}", shape, scale },
    mean: known.mean,
    variance: known.variance,
    low: 0,
    high: Infinity,
    rightIndex: shape,
    closedPartialMean: known.closedPartialMean,
    absoluteMoment: (order) => known.absoluteMoment(order),
    momentAbout: (centre, order) => known.momentAbout(centre, order),
    partialMean: (from, to) => known.partialMean(from, to),
    cdf: (x) => known.cdf(x),
    survival: (x) => known.survival(x),
    quantile: (p) => known.quantile(p),
    sample: (rng) => known.sample(rng),
    verdict: decreasingVerdict,
  });
}
`,
});

/** @param {Names} names */
const environment = ({ name, camel, upper }) => ({
  [`packages/core/src/environments/${camel}.ts`]: `import { completeOptions, type Parameters } from "../parameters.js";
import { ALPHA } from "./alpha.js";
import type { Environment } from "./environment.js";
import { phased } from "./phased.js";
import { requireMeans } from "./requireMeans.js";

export const ${upper} = {
  alpha: ALPHA,
  arms: { type: "distributions", minimum: 1, description: "the distribution of each arm's losses" },
} as const satisfies Parameters;

/** TODO: what changes, and when. Until then every arm has one distribution for all rounds. */
export function ${camel}(options: unknown, seed: number, path = ""): Environment {
  const completed = completeOptions(${upper}, options, path);
  requireMeans(completed.arms, \`\${path}arms\`);
  return phased("${name}", completed, seed, [completed.arms], () => 0);
}
`,
});

/** @param {Names} names */
const command = ({ name, camel, pascal }) => ({
  [`packages/cli/src/commands/${camel}.ts`]: `import type { Command } from "@commander-js/extra-typings";
import { print } from "../text/output.js";

const HELP = \`
Examples:
  $ tsallis ${name}
\`;

export function add${pascal}(program: Command): void {
  program
    .command("${name}")
    .summary("TODO: one line")
    .description("TODO: one sentence.")
    .option("--json", "print JSON instead of text")
    .addHelpText("after", HELP)
    .action((options) => ${camel}(options.json === true));
}

/** What it needs of the library, the lab or the service is imported in here, so that tsallis --help does not wait for it. */
async function ${camel}(json: boolean): Promise<void> {
  await print(json ? "{}\\n" : "nothing yet\\n");
}
`,
  [`packages/cli/test/${camel}.test.ts`]: `import { describe, expect, it } from "vitest";
import { tsallis } from "./inProcess.js";

describe("${name}", () => {
  it.each([
    [["${name}"], "nothing yet\\n"],
    [["${name}", "--json"], "{}\\n"],
  ])("%j prints %j", async (args, stdout) => {
    expect(await tsallis(args)).toEqual({ code: 0, stdout, stderr: "" });
  });
});
`,
});

export const TEMPLATES = { policy, distribution, environment, command };
