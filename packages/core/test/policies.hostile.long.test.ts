// Conformance: what no loss, however late or large, may do to a policy.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { soak } from "../../../test/soak.js";
import { type Choice, createPolicy, stream } from "../src/index.js";
import { attempt, CASES, ensure, ensureSound, hasKernel, hostileLoss, isDrawn, traits } from "./conformance.js";
import { label, SPECS } from "./policies.js";

test.each(CASES)("property: late and shuffled feedback, or none, keeps the invariants under hostile losses: %s", (_name, spec, kernel) => {
  const create = (arms: number) => createPolicy(spec, arms, { kernel });
  const { skips, weighs } = traits(create(2));
  const clips = spec.policy === "matched-tinf";
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.tuple(hostileLoss, fc.nat(5), fc.nat(99)), { minLength: 1, maxLength: 150 }),
      (arms, events) => {
        const policy = create(arms);
        const rng = stream(events.length, "late");
        const open: Choice[] = [];
        for (const [loss, action, pick] of events) {
          const x = policy.probabilities();
          const choice = policy.choose(rng);
          ensure(isDrawn(choice, x, kernel === "dense" ? 0 : 1e-9), () => `${JSON.stringify(choice)} drawn from ${x}`);
          open.push(choice);
          // Neither skipped nor clipped, one loss of 1e300 leaves an arm without any probability.
          if (action === 5) attempt(() => policy.force(pick % arms, choice), weighs && !skips && !clips ? ["ERR_PROBABILITY"] : []);
          for (let i = 0; i < Math.min(action, 2) && open.length > 0; i++) {
            const [told] = open.splice(pick % open.length, 1);
            attempt(() => policy.update(told!, loss), ["ERR_OVERFLOW"]);
          }
          ensureSound(policy);
        }
      },
    ),
    { numRuns: 100 },
  );
});

describe.each([
  ["dense", 4, 200_000],
  ["indexed", 50, 60_000],
] as const)("more than a million hostile losses in all never produce NaN: %s kernel", (kernel, arms, rounds) => {
  test.each([
    ["htinf", { policy: "htinf", alpha: 2, sigma: 1e-6 }],
    ["htinf", { policy: "htinf", alpha: 1.3, sigma: 1e6 }],
    ["opttinf", { policy: "opttinf" }],
    ["adatinf", { policy: "adatinf", horizon: 1_000_000 }],
    ["ada2tinf", { policy: "ada2tinf" }],
  ])("%s", (_name, spec) => {
    const policy = createPolicy(spec, arms, { kernel });
    const rng = stream(11, "hostile");
    const choice: Choice = { policy: "", round: 0, arm: 0, probability: 0, threshold: null };
    let overflows = 0;
    for (let i = 0; i < rounds; i++) {
      policy.choose(rng, choice);
      const kind = rng.uniform();
      const size =
        kind < 0.1
          ? 0
          : kind < 0.2
            ? 1e300
            : kind < 0.3
              ? 5e-324
              : kind < 0.6
                ? choice.threshold! * (1 + (rng.uniform() - 0.5) * 1e-12)
                : 10 ** (600 * rng.uniform() - 300);
      try {
        policy.update(choice, Math.min(size, 1e300) * (rng.uniform() < 0.5 ? -1 : 1));
      } catch (error) {
        expect((error as { code: string }).code).toBe("ERR_OVERFLOW");
        overflows++;
      }
      if (i % 1000 === 0) ensureSound(policy);
    }
    ensureSound(policy);
    expect(overflows).toBe(0);
  });
});

describe("thousands of hostile losses never produce NaN without a kernel either", () => {
  test.each(SPECS.filter((spec) => !hasKernel(spec)).map((spec) => [label(spec), spec] as const))("%s", (_name, spec) => {
    const policy = createPolicy(spec, 4);
    const rng = stream(12, "hostile");
    const choice: Choice = { policy: "", round: 0, arm: 0, probability: 0, threshold: null };
    // A published variant may go through all its samples in every round.
    const rounds = spec.variant === "published" ? soak(1_500, 10_000) : 10_000;
    for (let i = 0; i < rounds; i++) {
      policy.choose(rng, choice);
      const kind = rng.uniform();
      const size = kind < 0.1 ? 0 : kind < 0.2 ? 1e300 : kind < 0.3 ? 5e-324 : Math.min(10 ** (600 * rng.uniform() - 300), 1e300);
      attempt(() => policy.update(choice, size * (rng.uniform() < 0.5 ? -1 : 1)), ["ERR_OVERFLOW"]);
      if (i % 100 === 0) ensureSound(policy);
    }
    // JSON turns NaN and infinities into null.
    expect(JSON.stringify(policy.snapshot().state)).not.toContain("null");
  });
});
