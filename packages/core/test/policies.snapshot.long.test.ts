// Conformance: snapshots. That they are refused when broken is in policies.badInput.long.test.ts.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Choice,
  createPolicy,
  type KernelName,
  type Policy,
  type PolicySnapshot,
  type PolicySpec,
  restorePolicy,
  stream,
} from "../src/index.js";
import { CASES, clone, ensure, hasKernel, heavy, lossesFor } from "./conformance.js";
import { KERNELS } from "./kernels.js";
import { play, SPECS } from "./policies.js";

type Losses = ReturnType<typeof lossesFor>[number];

/** A policy that has played, with the feedback of its last two rounds outstanding. */
function midway(policy: Policy, rounds: number, losses: Losses, seed: number): Choice[] {
  const rng = stream(seed, "before");
  play(policy, rounds, losses(seed), rng);
  return [policy.choose(rng), policy.choose(rng)];
}

/**
 * What a policy goes on to choose. Of the two losses that are outstanding the last comes before anything else happens, and the other in the midst; where losses are heavy, they
 * are large ones, so that what a policy thinks of outliers shows.
 */
function futureOf(policy: Policy, [early, last]: Choice[], losses: Losses, seed: number): string {
  const rng = stream(seed, "after");
  const loss = losses(seed + 1);
  const size = losses === heavy ? 30 : 1;
  const future: Choice[] = [];
  policy.update(clone(last!), size * loss(last!.round, last!.arm));
  for (let i = 0; i < 100; i++) {
    if (i === 20) policy.update(clone(early!), size * loss(early!.round, early!.arm));
    const choice = policy.choose(rng);
    policy.update(choice, loss(choice.round, choice.arm));
    future.push(choice);
  }
  return JSON.stringify(future);
}

/** Arms and rounds. Some policies compare their arms only after hundreds of rounds, even of two. */
const extent = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.integer({ min: 1, max: 8 }), fc.nat(150)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant(2), fc.integer({ min: 500, max: 700 })) },
);

describe.each(CASES)("%s", (_name, spec, kernel) => {
  const create = (arms: number) => createPolicy(spec, arms, { kernel });
  const restore = (snapshot: unknown) => restorePolicy(snapshot, { kernel });

  test("property: a snapshot, through JSON, restores the same future bit for bit, with feedback outstanding, on every kind of losses", () => {
    fc.assert(
      fc.property(fc.constantFrom(...lossesFor(spec)), extent, fc.nat(1000), (losses, [arms, rounds], seed) => {
        const policy = create(arms);
        const outstanding = midway(policy, rounds, losses, seed);
        const twin = restore(clone(policy.snapshot()));
        expect(JSON.stringify(twin.snapshot())).toBe(JSON.stringify(policy.snapshot()));
        expect(futureOf(twin, outstanding, losses, seed)).toBe(futureOf(policy, outstanding, losses, seed));
        expect(JSON.stringify(twin.snapshot())).toBe(JSON.stringify(policy.snapshot()));
      }),
      { numRuns: 40 },
    );
  });

  // Reason for leaving it out: without a kernel there is no other one.
  test.runIf(hasKernel(spec))(
    "property: a snapshot restored under the other kernel, or without its kernel block, has the same law, late feedback included",
    () => {
      const other = KERNELS.find(({ name }) => name !== kernel)!.name;
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(150), fc.nat(1000), (arms, rounds, seed) => {
          const policy = create(arms);
          const rng = stream(seed, "before");
          const loss = heavy(seed);
          play(policy, rounds, loss, rng);
          const late = policy.choose(rng);
          const { kernel: _block, ...bare } = clone(policy.snapshot());
          const twins = [restorePolicy(clone(policy.snapshot()), { kernel: other }), restorePolicy(bare, { kernel: other }), restore(bare)];
          for (let i = 0; i < 20; i++) {
            if (i === 10) for (const one of [policy, ...twins]) one.update(clone(late), -0.05);
            const choice = policy.choose(rng);
            const value = 0.1 * loss(choice.round, choice.arm);
            for (const twin of twins) {
              const same = twin.force(choice.arm);
              ensure(
                Math.abs(same.probability! / choice.probability! - 1) < 1e-9 &&
                  (choice.threshold === null || Math.abs(same.threshold! - choice.threshold) <= 1e-9 * choice.threshold),
                () => `${JSON.stringify(same)} instead of ${JSON.stringify(choice)}`,
              );
              // Each learns from the same facts: a loss at the very threshold could be skipped by one alone.
              twin.update(choice, value);
            }
            policy.update(choice, value);
          }
        }),
        { numRuns: 25 },
      );
    },
  );
});

/**
 * The property above is as strong as its comparison: would it notice a policy that does not save, or not restore, a part of its state? So each field of every snapshot is
 * set back to what a fresh policy has, and the Choices alone must tell it from the original (a field that nobody saves is in neither snapshot), or the policy must refuse it.
 */
describe("a policy that forgets one field of its state is found out", () => {
  /** Fields that cannot be missed in this way, and why. */
  const LEFT_OUT: Readonly<Record<string, string>> = {
    "omd-lb-ht limits": "move after thousands of rounds; policies.omd.test.ts restores some that have",
    "omd-lb-ht rates": "as the limits",
  };

  /** A snapshot once for each field of a part of it, with that field as a fresh policy has it. */
  function forgetful(snapshot: PolicySnapshot, fresh: PolicySnapshot, part: "state" | "kernel"): [field: string, PolicySnapshot][] {
    // The name is no state: it says whose block it is.
    const fields = Object.entries(fresh[part]!).filter(([field]) => field !== "name");
    return fields.map(([field, initial]) => [field, { ...snapshot, [part]: { ...snapshot[part], [field]: initial } }]);
  }

  /** All arms have got worse alike just before the snapshot: what a policy knows of such a change matters only while it is new. */
  const stepping = (seed: number) => {
    const rng = stream(seed, "stepping losses");
    return (round: number, arm: number) => rng.uniform() + arm + (round > 590 ? 5 : 0);
  };

  /** As the property has them. With a half-life of 1 the origin of the weights, which moves after 256 of them, has just moved. */
  const attempts = (spec: PolicySpec) => [
    ...lossesFor(spec).flatMap((losses) =>
      [
        { arms: 4, rounds: 60 },
        { arms: 4, rounds: 3 },
        { arms: 4, rounds: 150 },
        { arms: 2, rounds: 600 },
        { arms: 60, rounds: 400 },
      ].map((extent) => ({ spec, losses, ...extent })),
    ),
    ...("halfLife" in spec ? [{ spec: { ...spec, halfLife: 1 }, losses: heavy, rounds: 254, arms: 3 }] : []),
    { spec, losses: stepping, arms: 2, rounds: 600 },
  ];

  const outcome = (act: () => string): string => {
    try {
      return act();
    } catch (error) {
      return `refused: ${(error as Error).message}`;
    }
  };

  function missed(policy: string, kernel: KernelName, part: "state" | "kernel"): string[] {
    const fields = new Set<string>();
    const noticed = new Set<string>();
    for (const [seed, { spec, losses, rounds, arms }] of SPECS.filter((spec) => spec.policy === policy)
      .flatMap(attempts)
      .entries()) {
      const original = createPolicy(spec, arms, { kernel });
      const fresh = clone(original.snapshot());
      const outstanding = midway(original, rounds, losses, seed);
      const snapshot = clone(original.snapshot());
      const future = futureOf(original, outstanding, losses, seed);
      for (const [field, forgetting] of forgetful(snapshot, fresh, part)) {
        fields.add(field);
        if (noticed.has(field)) continue;
        if (outcome(() => futureOf(restorePolicy(forgetting, { kernel }), outstanding, losses, seed)) !== future) noticed.add(field);
      }
      if (noticed.size === fields.size) break;
    }
    return [...fields].filter((field) => !noticed.has(field)).map((field) => `${policy} ${field}`);
  }

  test.each([...new Set(SPECS.map(({ policy }) => policy))])("%s", (policy) => {
    expect(missed(policy, "dense", "state")).toEqual(Object.keys(LEFT_OUT).filter((name) => name.startsWith(`${policy} `)));
  });

  // Its estimates grow the fastest, so that all that the kernels keep moves.
  test.each(KERNELS)("the $name kernel of tsallis-inf", ({ name }) => {
    expect(missed("tsallis-inf", name, "kernel")).toEqual([]);
  });
});
