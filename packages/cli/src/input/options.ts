import { Option } from "@commander-js/extra-typings";
import { Failure } from "../text/failure.js";

/** The user's own modules, in the order given. */
export function importOption() {
  return new Option("--import <file>", "a module that exports your own policies or environments; may be repeated")
    .argParser((file: string, files: string[]) => [...files, file])
    .default([], "none");
}

export function metricsOption() {
  return new Option("--metrics <port>", "serve /healthz and /metrics on this port, on all addresses; 0 picks a free one");
}

/** The policies to play in place of the document's, in the order given. */
export function policyOption() {
  return new Option("--policy <policy>", "play only this policy: a label of the document, a policy's name, or a spec as JSON; may be repeated")
    .argParser((policy: string, policies: string[]) => [...policies, policy])
    .default([], "those of the document");
}

/** Credentials need not be on the command line: the URL may come from the environment. */
export function queueOption(description = "URL of the queue: redis://, rediss:// or postgres://") {
  return new Option("--queue <url>", description).env("TSALLIS_QUEUE");
}

/** The store of a service, unless another is given. */
export const DEFAULT_STORE = "tsallis.db";

/** A URL with a password need not be on the command line: it may come from the environment. */
export function storeOption(description = `SQLite file (default: ${DEFAULT_STORE}) or postgres:// URL`) {
  return new Option("--db <store>", description).env("TSALLIS_DB");
}

/** The number that an option gives. Text that is not a number is returned unchanged, so that the error that refuses it can show it. */
export function numberOrText(text: string): number {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : (text as unknown as number);
}

/** The value of an option that is an integer; `otherwise` if it is not given. */
export function readInteger(name: string, given: string | undefined, otherwise: number, least: number, most: number): number {
  const value = given === undefined ? otherwise : numberOrText(given);
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw new Failure("ERR_PARAMETER", `${name} must be an integer in [${least}, ${most}], got ${JSON.stringify(value)}`, `--${name}`);
}

/** More seeds than this are refused, as they are in a document. */
const MOST_SEEDS = 1_000_000;

/** `20` is the number of seeds, from 1; `101-110` and `1,5,9-12` are the seeds themselves. Anything else stays text, for the error that refuses it. */
export function readSeeds(text: string): number | number[] {
  if (!/^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(text) || /^\d+$/.test(text)) return numberOrText(text);
  const ranges = text.split(",").map((part) => part.split("-").map(Number));
  const count = ranges.reduce((sum, [from, to = from]) => sum + to! - from! + 1, 0);
  if (ranges.some(([from, to = from]) => to! < from!) || count > MOST_SEEDS) return text as unknown as number;
  return ranges.flatMap(([from, to = from]) => Array.from({ length: to! - from! + 1 }, (_, i) => from! + i));
}
