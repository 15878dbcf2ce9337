import { show, TsallisError } from "../errors.js";
import type { KernelName } from "../kernel/createKernel.js";
import { completeOptions, requireRecord } from "../parameters.js";
import { lookUp } from "../registry.js";
import { type Policy, type PolicySnapshot, type PolicySpec, SNAPSHOT_VERSION } from "./base/policy.js";
import { POLICIES } from "./table.js";

/** How a policy is created, besides its spec. */
export interface PolicyOptions {
  /** Is put before each name in messages. */
  readonly path?: string;
  /** Forces a kernel. By default the number of arms decides; the probabilities are the same. */
  readonly kernel?: KernelName;
}

/**
 * The policy to use when none is named: no parameter, no scale, no location, no horizon. Chosen by the experiment `suite`; see the guide "choosing a policy".
 *
 * @example
 * ```ts
 * import { createPolicy, DEFAULT_POLICY } from "tsallis";
 *
 * console.log(createPolicy(DEFAULT_POLICY, 3).spec); // { policy: 'matched-tinf' }
 * ```
 */
export const DEFAULT_POLICY: PolicySpec = Object.freeze({ policy: "matched-tinf" });

/**
 * Creates a policy from its spec: `createPolicy({ policy: "htinf", alpha: 1.5, sigma: 1 }, 5)`.
 *
 * @example
 * ```ts
 * import { createPolicy } from "tsallis";
 *
 * const policy = createPolicy({ policy: "htinf", alpha: 1.5, sigma: 1 }, 5);
 * console.log(policy.spec); // { policy: 'htinf', alpha: 1.5, sigma: 1 }
 * ```
 */
export function createPolicy(spec: unknown, arms: number, { path = "", ...kernel }: PolicyOptions = {}): Policy {
  const { entry, options } = lookUp("policy", POLICIES, spec, path);
  return entry.create({ ...completeOptions(entry.parameters, options, path), arms, ...kernel });
}

/**
 * Restores a policy from its snapshot. Under the kernel that wrote it the future is the same, bit for bit; under another the probabilities are the same.
 *
 * @example
 * ```ts
 * import { createPolicy, restorePolicy, stream } from "tsallis";
 *
 * const policy = createPolicy({ policy: "matched-tinf" }, 3);
 * policy.update(policy.choose(stream(7, "policy")), 0.5);
 * const again = restorePolicy(JSON.parse(JSON.stringify(policy.snapshot())));
 * console.log(again.round, again.probabilities()?.join() === policy.probabilities()?.join()); // 1 true
 * ```
 */
export function restorePolicy(snapshot: unknown, options: Pick<PolicyOptions, "kernel"> = {}): Policy {
  try {
    const record = requireRecord(snapshot, "snapshot") as unknown as PolicySnapshot;
    if (record.version !== SNAPSHOT_VERSION) {
      const remedy = "restore it with the version of tsallis that wrote it, or start a new policy";
      const message = `version must be ${SNAPSHOT_VERSION}, got ${show(record.version)}; ${remedy}`;
      throw new TsallisError("ERR_SNAPSHOT_VERSION", "version", record.version, message);
    }
    const policy = createPolicy(record.spec, record.arms, { ...options, path: "spec." });
    policy.restore(record);
    return policy;
  } catch (error) {
    if (!(error instanceof TsallisError) || error.code === "ERR_SNAPSHOT_VERSION") throw error;
    throw new TsallisError("ERR_SNAPSHOT", error.parameter, error.value, `in the snapshot, ${error.message}`);
  }
}
