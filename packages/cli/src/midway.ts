import { createPolicy, type KernelName, type Policy, type PolicySnapshot, type PolicySpec, restorePolicy, stream } from "tsallis";
import { heldBytes } from "./heap.js";
import { play } from "./roundTimer.js";

/** A policy, to be played for so many rounds. */
export interface MidwayTask {
  readonly kind: "midway";
  readonly spec: PolicySpec;
  readonly arms: number;
  readonly rounds: number;
}

/** A policy after so many rounds. */
export interface Midway {
  /** Without what the kernel that got there knows. */
  readonly state: PolicySnapshot;
  /** What it holds under each kernel, divided by the number of arms. Null for few arms, where that says nothing. */
  readonly bytesPerArm: Readonly<Record<KernelName, number>> | null;
}

/** With fewer arms a policy's fixed parts, and what the engine keeps for itself meanwhile, outweigh what grows with the arms. */
const MANY_ARMS = 10_000;

/** Plays a policy under the indexed kernel, and weighs it under both. Not in a thread that times: after a forced collection V8 forgets what it had compiled. */
export function midway({ spec, arms, rounds }: MidwayTask): Midway {
  const indexed = weigh(() => played(createPolicy(spec, arms, { kernel: "indexed" }), rounds));
  const { kernel: _, ...state } = indexed.policy.snapshot();
  const dense = weigh(() => played(restorePolicy(state, { kernel: "dense" }), 1));
  return { state, bytesPerArm: arms < MANY_ARMS ? null : { dense: dense.bytes / arms, indexed: indexed.bytes / arms } };
}

function weigh(make: () => Policy): { policy: Policy; bytes: number } {
  const before = heldBytes();
  const policy = make();
  return { bytes: heldBytes() - before, policy };
}

function played(policy: Policy, rounds: number): Policy {
  const rng = stream(1, "bench", "midway");
  play(policy, rng, policy.choose(rng), rounds - 1);
  return policy;
}
