import { createPolicy, type KernelName, type Policy, type PolicySnapshot, type PolicySpec, restorePolicy, stream } from "tsallis";
import { heldBytes } from "./heap.js";
import { play } from "./roundTimer.js";

/** A policy, to be played for some rounds. */
export interface MidwayTask {
  readonly kind: "midway";
  readonly spec: PolicySpec;
  readonly arms: number;
  readonly rounds: number;
}

/** A policy after these rounds. */
export interface Midway {
  /** The snapshot without the state of the kernel that played. */
  readonly state: PolicySnapshot;
  /** The memory that it holds under each kernel, divided by the number of arms. Null for few arms, where that says nothing. */
  readonly bytesPerArm: Readonly<Record<KernelName, number>> | null;
}

/** With fewer arms, a policy's fixed parts outweigh the parts that grow with the arms. */
const MANY_ARMS = 10_000;
/**
 * How many arms are weighed together, in copies of the policy. What the engine itself takes or frees meanwhile (compiled code, say) was seen to be some
 * hundred thousand bytes: more than one policy of 10,000 arms holds, but nothing beside a hundred of them.
 */
const WEIGHED_ARMS = 1_000_000;

/** Plays a policy under the indexed kernel, and weighs it under both. Must not run in a thread that times: V8 forgets compiled code after a forced collection. */
export function midway({ spec, arms, rounds }: MidwayTask): Midway {
  const indexed = played(createPolicy(spec, arms, { kernel: "indexed" }), rounds).snapshot();
  const { kernel: _, ...state } = indexed;
  return { state, bytesPerArm: arms < MANY_ARMS ? null : { dense: bytesPerArm(state, "dense"), indexed: bytesPerArm(indexed, "indexed") } };
}

function bytesPerArm(snapshot: PolicySnapshot, kernel: KernelName): number {
  const copies: Policy[] = [];
  const before = heldBytes();
  while (copies.length * snapshot.arms < WEIGHED_ARMS) copies.push(played(restorePolicy(snapshot, { kernel }), 1));
  return (heldBytes() - before) / (copies.length * snapshot.arms);
}

function played(policy: Policy, rounds: number): Policy {
  const rng = stream(1, "bench", "midway");
  play(policy, rng, policy.choose(rng), rounds - 1);
  return policy;
}
