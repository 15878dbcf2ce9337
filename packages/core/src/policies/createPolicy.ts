import { show, TsallisError } from "../errors.js";
import { completeOptions, requireKeys, requireRecord } from "../parameters.js";
import { lookUp } from "../registry.js";
import { type Policy, type PolicySnapshot, SNAPSHOT_VERSION } from "./policy.js";
import { POLICIES } from "./table.js";

/** A policy from its spec: `createPolicy({ policy: "htinf", alpha: 1.5, sigma: 1 }, 5)`. `path` goes before each name in messages. */
export function createPolicy(spec: unknown, arms: number, path = ""): Policy {
  const { entry, options } = lookUp("policy", POLICIES, spec, path);
  return entry.create({ ...completeOptions(entry.parameters, options, path), arms });
}

/** A policy from its snapshot, with the same future bit for bit. */
export function restorePolicy(snapshot: unknown): Policy {
  const { version } = requireRecord(snapshot, "snapshot");
  if (version !== SNAPSHOT_VERSION) {
    const message = `version must be ${SNAPSHOT_VERSION}, got ${show(version)}; restore it with the version of tsallis that wrote it`;
    throw new TsallisError("ERR_SNAPSHOT_VERSION", "version", version, message);
  }
  try {
    return restore(snapshot as PolicySnapshot);
  } catch (error) {
    if (!(error instanceof TsallisError)) throw error;
    throw new TsallisError("ERR_SNAPSHOT", error.parameter, error.value, `in the snapshot, ${error.message}`);
  }
}

function restore(snapshot: PolicySnapshot): Policy {
  requireKeys({ ...snapshot }, ["version", "spec", "arms", "round", "state", "kernel"]);
  const { spec, arms, round, state } = snapshot;
  if (!(Number.isSafeInteger(round) && round >= 0)) {
    throw new TsallisError("ERR_SNAPSHOT", "round", round, `round must be an integer of at least 0, got ${show(round)}`);
  }
  requireRecord(state, "state");
  const policy = createPolicy(spec, arms, "spec.");
  policy.restore(snapshot);
  return policy;
}
