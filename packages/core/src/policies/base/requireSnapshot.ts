import { show, TsallisError } from "../../errors.js";
import { requireKeys, requireRecord } from "../../parameters.js";
import { fingerprint } from "./fingerprint.js";
import type { Policy, PolicySnapshot } from "./policy.js";

/** Refuses a snapshot that this policy cannot have written; `stateKeys` are the names in its state. */
export function requireSnapshot(snapshot: PolicySnapshot, policy: Policy, stateKeys: readonly string[]): void {
  requireKeys({ ...snapshot }, ["version", "spec", "arms", "shape", "armsBefore", "round", "state", "kernel"]);
  const { spec, arms, shape, round, state } = snapshot;
  if (fingerprint(spec, arms, shape) !== policy.fingerprint) {
    const message = `spec must be ${show(policy.spec)} with ${policy.arms} arms, got ${show(spec)} with ${show(arms)}`;
    throw new TsallisError("ERR_SNAPSHOT", "spec", spec, message);
  }
  if (!(Number.isSafeInteger(round) && round >= 0)) {
    throw new TsallisError("ERR_SNAPSHOT", "round", round, `round must be an integer of at least 0, got ${show(round)}`);
  }
  requireKeys(requireRecord(state, "state"), stateKeys, "state.");
}
