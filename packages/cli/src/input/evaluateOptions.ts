import { readFile } from "node:fs/promises";
import { createPolicy, LARGEST_LOSS, type PolicySpec } from "tsallis";
import type { VouchedTail } from "tsallis/evidence";
import { didYouMean } from "../text/didYouMean.js";
import { at, Failure, reason, shortened } from "../text/failure.js";
import { type Columns, readColumns } from "./decisionColumns.js";
import { numberOrText, readInteger } from "./options.js";
import { parseObject } from "./parseObject.js";
import { readPolicy } from "./readPolicy.js";

/** As the command line gives them. */
export interface EvaluateOptions {
  readonly db?: string | undefined;
  readonly bandit?: string | undefined;
  readonly segment?: string | undefined;
  readonly columns?: string | undefined;
  readonly cap?: string | undefined;
  readonly floor?: string | undefined;
  readonly error: string;
  readonly tolerance: string;
  readonly missing: "out" | "range";
  readonly moving?: true | undefined;
  readonly holdout?: string | undefined;
  readonly mix?: string | undefined;
  readonly index?: string | undefined;
  readonly alpha?: string | undefined;
  readonly sigma?: string | undefined;
  readonly against?: string | undefined;
  readonly maxOpen: string;
  readonly chain: boolean;
  readonly report?: string | undefined;
  readonly json?: true | undefined;
}

/** What they say, checked. */
export interface EvaluateQuestions {
  readonly columns: Columns;
  readonly cap: number | undefined;
  readonly floor: number;
  readonly error: number;
  readonly tolerance: number;
  readonly missing: "out" | "range";
  readonly moving: boolean;
  readonly holdout: number | undefined;
  readonly tail: VouchedTail | null;
  readonly mix: ReadonlyMap<string, number> | null;
  readonly against: PolicySpec | null;
  readonly maxOpen: number;
}

export async function readQuestions(options: EvaluateOptions): Promise<EvaluateQuestions> {
  const { columns, missing, moving = false, mix, against } = options;
  return {
    columns: columns === undefined ? {} : readColumns(columns),
    cap: number("cap", options.cap, (cap) => cap > 0 && cap <= LARGEST_LOSS, "a number above 0"),
    floor: number("floor", options.floor, (floor) => floor <= 0 && floor >= -LARGEST_LOSS, "a number of at most 0") ?? 0,
    error: number("error", options.error, (error) => error > 0 && error < 1, "above 0 and below 1")!,
    tolerance: number("tolerance", options.tolerance, (tolerance) => tolerance >= 0, "a number of at least 0")!,
    // In a moving world the missing are part of every round.
    missing: moving ? "range" : missing,
    moving,
    holdout: number("holdout", options.holdout, (share) => share > 0 && share < 1, "above 0 and below 1"),
    tail: tailOf(options),
    mix: mix === undefined ? null : await readMix(mix),
    against: against === undefined ? null : policyOf(against),
    maxOpen: readInteger("max-open", options.maxOpen, 1_000_000, 1, 100_000_000),
  };
}

function number(name: string, given: string | undefined, isGood: (value: number) => boolean, wanted: string, remedy = ""): number | undefined {
  if (given === undefined) return undefined;
  const value = numberOrText(given);
  if (typeof value === "number" && isGood(value)) return value;
  throw new Failure("ERR_PARAMETER", `${name} must be ${wanted}, got ${JSON.stringify(value)}${remedy}`, `--${name}`);
}

function tailOf(options: EvaluateOptions): VouchedTail | null {
  const above = (least: number) => (value: number) => value > least;
  const index = number("index", options.index, above(1), "above 1", "; the losses may have no mean; the capped figures stand");
  const alpha = number("alpha", options.alpha, above(1), "a number above 1");
  const sigma = number("sigma", options.sigma, above(0), "a number above 0");
  if (index !== undefined && (alpha ?? sigma) !== undefined)
    throw new Failure("ERR_USAGE", "give --index, or --alpha and --sigma, but not both", "--index");
  if ((alpha === undefined) !== (sigma === undefined)) {
    const [given, absent] = alpha === undefined ? ["sigma", "alpha"] : ["alpha", "sigma"];
    throw new Failure("ERR_USAGE", `--${given} needs --${absent}: you vouch for E|loss|^alpha <= sigma^alpha`, `--${given}`);
  }
  if (index !== undefined) return { index };
  return alpha === undefined || sigma === undefined ? null : { alpha, sigma };
}

async function readMix(file: string): Promise<ReadonlyMap<string, number>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new Failure("ERR_FILE", `cannot be read: ${reason(error)}`, file);
  }
  try {
    const mix = new Map(Object.entries(parseObject(text, 'give the probability of each arm, such as {"a":0.5,"b":0.5}')));
    const shares = [...mix.values()];
    const sum = shares.every((share) => typeof share === "number" && share >= 0)
      ? (shares as number[]).reduce((total, share) => total + share, 0)
      : NaN;
    if (!(Math.abs(sum - 1) <= 1e-9))
      throw new Failure(
        "ERR_PARAMETER",
        `the probabilities must be at least 0 and sum to 1, got ${shortened(JSON.stringify(Object.fromEntries(mix)))}`,
      );
    return mix as Map<string, number>;
  } catch (error) {
    throw at(file, error);
  }
}

/** The probabilities of the arms, in their order. */
export function mixOf(mix: ReadonlyMap<string, number>, arms: readonly string[]): number[] {
  const stray = [...mix.keys()].find((name) => !arms.includes(name));
  if (stray !== undefined) throw new Failure("ERR_UNKNOWN_NAME", `the log has no arm ${shortened(stray)}${didYouMean(stray, arms)}`, "--mix");
  return arms.map((name) => mix.get(name) ?? 0);
}

function policyOf(text: string): PolicySpec {
  try {
    const given = readPolicy(text);
    const spec = typeof given === "string" ? { policy: given } : given;
    createPolicy(spec, 2);
    return spec;
  } catch (error) {
    throw at("--against", error instanceof Failure ? new Failure(error.code, error.message.replace("--policy", "--against")) : error);
  }
}
