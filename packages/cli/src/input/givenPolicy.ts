import { createPolicy, type Policy, TsallisError } from "tsallis";
import { at, Failure } from "../text/failure.js";
import { readPolicy } from "./readPolicy.js";
import { readSnapshot } from "./snapshotFile.js";

/** The options that say which policy is meant, as the command line gives them. */
export interface PolicyOptions {
  readonly policy?: string | undefined;
  readonly arms?: string | undefined;
  readonly resume?: string | undefined;
}

/** The policy that the options describe: a new one, or the one in a snapshot file. --policy and --arms must agree with the snapshot. */
export async function givenPolicy({ policy, arms, resume }: PolicyOptions): Promise<Policy> {
  return resume === undefined ? newPolicy(policy, arms) : resumedPolicy(resume, policy, arms);
}

function newPolicy(policy: string | undefined, arms: string | undefined): Policy {
  if (policy === undefined) {
    throw new Failure("ERR_USAGE", `--policy is missing; give one such as --policy ada2tinf, or --resume a saved state`);
  }
  if (arms === undefined) throw new Failure("ERR_USAGE", "--arms is missing; give the number of arms, such as --arms 5, or --resume a saved state");
  return makePolicy(policy, readArms(arms));
}

/** Returns text that is not a number unchanged, so that the library's error shows it. */
function readArms(arms: string): number {
  return /^\d+$/.test(arms) ? Number(arms) : (arms as unknown as number);
}

function makePolicy(spec: string, arms: number): Policy {
  const given = readPolicy(spec);
  try {
    return createPolicy(typeof given === "string" ? { policy: given } : given, arms);
  } catch (error) {
    throw at(error instanceof TsallisError && error.parameter === "arms" ? "--arms" : "--policy", error);
  }
}

async function resumedPolicy(file: string, policy: string | undefined, arms: string | undefined): Promise<Policy> {
  const resumed = await readSnapshot(file);
  const saved = JSON.stringify(resumed.spec);
  const given = policy === undefined ? saved : JSON.stringify(makePolicy(policy, resumed.arms).spec);
  if (given !== saved) throw new Failure("ERR_PARAMETER", `--policy is ${given}, but the saved state belongs to ${saved}; leave --policy out`, file);
  if (arms !== undefined && readArms(arms) !== resumed.arms) {
    throw new Failure("ERR_PARAMETER", `--arms is ${arms}, but the saved state has ${resumed.arms}; leave --arms out`, file);
  }
  return resumed;
}
