import { randomBytes } from "node:crypto";
import { createPolicy, DEFAULT_POLICY } from "tsallis";
import type { Document, NewBandit } from "../schemas.js";

/** A bandit's document with everything that was left out: defaults, the parameters of its policy, a seed. The library's own errors pass through. */
export function completeDocument(given: NewBandit, seed = randomSeed()): Document {
  const {
    arms,
    policy = DEFAULT_POLICY,
    windowSeconds = 86_400,
    expired = "ignore",
    holdout = 0,
    segments = [],
    cap = null,
    unit = "",
    direction = "loss",
  } = given;
  const { spec } = createPolicy(policy, arms.length, { path: "policy." });
  return { arms: [...arms], policy: spec, seed: given.seed ?? seed, windowSeconds, expired, holdout, segments: [...segments], cap, unit, direction };
}

/** A seed of 53 random bits. */
function randomSeed(): number {
  const bytes = randomBytes(7);
  return (bytes.readUIntBE(0, 1) & 0x1f) * 2 ** 48 + bytes.readUIntBE(1, 6);
}
