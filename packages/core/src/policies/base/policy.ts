import type { KernelSnapshot } from "../../kernel/kernel.js";
import type { Rng } from "../../random/rng.js";
import type { Choice } from "./choice.js";

/** A policy as JSON: `{ "policy": "htinf", "alpha": 1.5, "sigma": 1 }`. */
export interface PolicySpec {
  readonly policy: string;
  readonly [parameter: string]: unknown;
}

/** The version of the snapshot format that this library writes. It reads older ones of policies whose state is still the same: see `PolicyEntry`. */
export const SNAPSHOT_VERSION = 2;

/** A policy's whole state, JSON-safe. `restorePolicy(snapshot)` gives the same future, bit for bit. */
export interface PolicySnapshot {
  readonly version: number;
  readonly spec: PolicySpec;
  readonly arms: number;
  readonly round: number;
  readonly state: Readonly<Record<string, unknown>>;
  readonly kernel?: KernelSnapshot;
}

/**
 * An algorithm that chooses among arms 0 to arms - 1, again and again, and learns from losses (lower is better).
 * Feedback may be late, out of order, or missing; whoever calls must see to it that no Choice is updated twice, since a policy can not know repeats.
 */
export interface Policy {
  /** Completed: every parameter is present. */
  readonly spec: PolicySpec;
  /** Stands in each Choice, so that feedback can not reach a policy of another spec or number of arms. */
  readonly fingerprint: string;
  readonly arms: number;
  /** Rounds played so far. Choosing advances it, learning does not. */
  readonly round: number;
  /** The distribution that the next `choose` draws from; null where the policy draws in a way that does not tell (Thompson sampling, say). */
  probabilities(): Float64Array | null;
  /** Draws an arm. A Choice passed as `into` is filled and returned, so that a hot loop need not allocate. */
  choose(rng: Rng, into?: Choice): Choice;
  /** The Choice of an arm that somebody else picked (replay, logs), with the probability it would have had. Advances the round. */
  force(arm: number, into?: Choice): Choice;
  update(choice: Choice, loss: number): void;
  /**
   * Whether every larger loss would move the estimates just as this one does. What is known to cost at least that (a request that is still waiting) may
   * then be told now instead of when it ends. A policy without it has no such size.
   */
  isSettled?(choice: Choice, loss: number): boolean;
  /** What else is worth seeing of the present state, by name; AdaTINF: `epoch`. */
  details(): Readonly<Record<string, number>>;
  snapshot(): PolicySnapshot;
  /** Takes over the state of a snapshot whose spec and arms are its own. `restorePolicy` calls it on a fresh policy; after an error the policy is of no use. */
  restore(snapshot: PolicySnapshot): void;
}
