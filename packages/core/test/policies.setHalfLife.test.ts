// A half-life that changes while a policy plays.
import { describe, expect, it } from "vitest";
import { createPolicy, type Policy, restorePolicy, stream } from "../src/index.js";

const SPECS = [
  { policy: "matched-tinf", halfLife: 100 },
  { policy: "matched-tinf", halfLife: 100, detect: 0.05 },
  { policy: "htinf", alpha: 1.5, sigma: 1, halfLife: 100 },
  { policy: "opttinf", halfLife: 100 },
  { policy: "signed-tinf", alpha: 1.5, sigma: 1, halfLife: 100 },
];

function play(policy: Policy, rounds: number, label: string): void {
  const rng = stream(1, label);
  for (let i = 0; i < rounds; i++) {
    const choice = policy.choose(rng);
    policy.update(choice, (choice.arm + 1) * rng.open());
  }
}

describe.each(SPECS)("$policy", (spec) => {
  it("changes nothing of the spec, and is not limited to once", () => {
    const policy = createPolicy(spec, 3);
    play(policy, 300, "a");
    const before = policy.policyId;
    policy.setHalfLife!(5000);
    policy.setHalfLife!(100);
    expect(policy.policyId).toBe(before);
    expect(policy.spec.halfLife).toBe(100);
    for (const probability of policy.probabilities()!) expect(probability).toBeGreaterThan(0);
  });

  it("goes on from a snapshot with the same bits", () => {
    const policy = createPolicy(spec, 3);
    play(policy, 200, "a");
    policy.setHalfLife!(1234.5);
    play(policy, 200, "b");
    policy.setHalfLife!(20);
    play(policy, 200, "c");
    const again = restorePolicy(JSON.parse(JSON.stringify(policy.snapshot())));
    play(policy, 300, "d");
    play(again, 300, "d");
    expect(JSON.stringify(again.snapshot())).toBe(JSON.stringify(policy.snapshot()));
  });

  it("goes on when arms come and go", () => {
    const policy = createPolicy(spec, 3);
    play(policy, 200, "a");
    policy.setHalfLife!(20);
    const next = policy.rearrange!([0, 1, 2, null]);
    expect((next.snapshot().state as { halfLife?: number }).halfLife).toBe(20);
  });

  it.each([0, Number.NaN, Number.POSITIVE_INFINITY])("refuses %s", (rounds) => {
    expect(() => createPolicy(spec, 3).setHalfLife!(rounds)).toThrow(expect.objectContaining({ code: "ERR_PARAMETER", parameter: "halfLife" }));
  });

  it("a damaged one is refused", () => {
    const policy = createPolicy(spec, 3);
    play(policy, 50, "a");
    policy.setHalfLife!(20);
    const snapshot = policy.snapshot();
    for (const halfLife of [0, "20", Number.NaN]) {
      expect(() => restorePolicy({ ...snapshot, state: { ...snapshot.state, halfLife } })).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT" }));
    }
  });
});

it("follows a change sooner if it is made shorter", () => {
  const shares = [1e6, 500].map((halfLife) => {
    const policy = createPolicy({ policy: "opttinf", halfLife: 1000 }, 2);
    const rng = stream(3, "x");
    policy.setHalfLife!(halfLife);
    let right = 0;
    for (let i = 0; i < 22_000; i++) {
      const choice = policy.choose(rng);
      const best = i < 20_000 ? 0 : 1;
      policy.update(choice, (choice.arm === best ? 0.2 : 0.6) + 0.2 * rng.open());
      if (i >= 20_000 && choice.arm === best) right++;
    }
    return right / 2000;
  });
  expect(shares[1]).toBeGreaterThan(shares[0]! + 0.1);
});

it("a policy whose spec has none refuses it", () => {
  expect(() => createPolicy({ policy: "matched-tinf" }, 2).setHalfLife!(10)).toThrow(/halfLife must be none, since the spec has none, got 10/);
});
