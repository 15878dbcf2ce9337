import type { KernelSnapshot } from "../../kernel/kernel.js";
import type { Rng } from "../../random/rng.js";
import type { Choice } from "./choice.js";
import type { Rearrangement } from "./rearrangement.js";

/** A policy as JSON: `{ "policy": "htinf", "alpha": 1.5, "sigma": 1 }`. */
export interface PolicySpec {
  readonly policy: string;
  readonly [parameter: string]: unknown;
}

/** The version of the snapshot format. A snapshot of another version is refused. */
export const SNAPSHOT_VERSION = 1;

/**
 * A policy's whole state, JSON-safe. `restorePolicy(snapshot)` gives the same future, bit for bit.
 *
 * @example
 * ```ts
 * import { createPolicy } from "tsallis";
 *
 * const { version, round, arms } = createPolicy({ policy: "exp3" }, 3).snapshot();
 * console.log(version, round, arms); // 1 0 3
 * ```
 */
export interface PolicySnapshot {
  readonly version: number;
  readonly spec: PolicySpec;
  readonly arms: number;
  /** How often the arms were rearranged, and how many there were before the last time; both are absent if never. */
  readonly armSetVersion?: number;
  readonly armsBefore?: number;
  readonly round: number;
  readonly state: Readonly<Record<string, unknown>>;
  readonly kernel?: KernelSnapshot;
}

/**
 * An algorithm that repeatedly chooses among arms 0 to arms - 1 and learns from losses (lower is better).
 * Feedback may be late, out of order, or missing. The caller must not update with the same Choice twice: a policy cannot detect repeats.
 *
 * @example
 * ```ts
 * import { createPolicy, type Policy, stream } from "tsallis";
 *
 * const policy: Policy = createPolicy({ policy: "matched-tinf" }, 3);
 * const rng = stream(7, "policy");
 * const losses = [0.2, 0.5, 0.8];
 * for (let i = 0; i < 1000; i++) {
 *   const choice = policy.choose(rng);
 *   policy.update(choice, losses[choice.arm]);
 * }
 * console.log(policy.round, policy.force(0).probability > 0.9); // 1000 true
 * ```
 */
export interface Policy {
  /** Completed: every parameter is present. */
  readonly spec: PolicySpec;
  /** Is part of each Choice, so that feedback cannot reach a policy of another spec, number of arms or arm-set version. */
  readonly policyId: string;
  readonly arms: number;
  /** Rounds played so far. Choosing advances it, learning does not. */
  readonly round: number;
  /** The distribution that the next `choose` draws from; null if the policy cannot compute it (Thompson sampling, for example). */
  probabilities(knownCosts?: ArrayLike<number>): Float64Array | null;
  /**
   * Draws an arm. A Choice passed as `into` is filled and returned, so that a hot loop need not allocate.
   *
   * Known costs, for policies on a kernel: `knownCosts[i]` is what is known now about the extra loss of arm i in this round. The probabilities are then those of the policy
   * as if every round that it remembers had cost arm i that much more, and the Choice carries one of them. Only differences between arms matter.
   *
   * `except` names arms that must not be chosen now, for policies that weigh by their probabilities: the others share theirs in proportion.
   */
  choose(rng: Rng, into?: Choice, knownCosts?: ArrayLike<number>, except?: readonly number[]): Choice;
  /** The Choice of an arm that somebody else picked (replay, logs), with the probability that it had. Advances the round. */
  force(arm: number, into?: Choice, knownCosts?: ArrayLike<number>): Choice;
  /** Learns that the choice has cost this much. Throws, with nothing changed, if the Choice is not one of its own or the loss is no number. */
  update(choice: Choice, loss: number): void;
  /**
   * Whether every larger loss would move the estimates exactly as this one does. Then a loss that is known to be at least this large (of a request that is still
   * waiting) may be reported now instead of when the request ends. A policy for which no loss is that large lacks this method.
   */
  isSettled?(choice: Choice, loss: number): boolean;
  /**
   * Changes the half-life, in rounds, from now on; the spec keeps the first one. For callers who count in seconds and whose rounds come at a changing rate. A policy that cannot
   * forget lacks this method.
   */
  setHalfLife?(rounds: number): void;
  /** Other numbers of the present state that are worth seeing, by name; AdaTINF: `epoch`. */
  details(): Readonly<Record<string, number>>;
  /** Its whole state as JSON. */
  snapshot(): PolicySnapshot;
  /** Restores a snapshot whose spec and arms are its own. `restorePolicy` calls it on a fresh policy; after an error the policy is unusable. */
  restore(snapshot: PolicySnapshot): void;
  /**
   * A new policy whose arm j goes on as arm from[j] of this one, or is new where from[j] is null; arms that are not named are gone. This one stays as it is.
   * A policy whose arms are fixed lacks this method and the next, or refuses with ERR_REARRANGE.
   */
  rearrange?(from: Rearrangement): Policy;
  /** The Choice of the policy that was rearranged by `from` into this one, as a Choice of this one; null if its arm is gone. */
  translate?(choice: Choice, from: Rearrangement): Choice | null;
}
