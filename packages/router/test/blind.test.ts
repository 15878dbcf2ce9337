// Policies without known costs: what is known about load and failures cannot reach them, so failures teach them their cost.
import { createPolicy, stream } from "tsallis";
import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";

const upstreams = ["a", "b", "c"];

describe.each([{ policy: "ucb1" }, { policy: "exp3" }, { policy: "uniform" }])("$policy", (spec) => {
  it("learns failures at the penalty (reference: the policy alone)", () => {
    const router = createRouter({ upstreams, policy: spec, seed: 3, penalty: 2, lossIsElapsedSeconds: true, clockSeconds: () => 0 });
    const [policy, rng] = [createPolicy(router.explain().policy, 3), stream(3, "router")];
    for (let i = 0; i < 500; i++) {
      const [ticket, choice] = [router.choose(), policy.choose(rng)];
      expect([ticket.upstream, ticket.probability]).toEqual([upstreams[choice.arm], choice.probability]);
      if (i % 9 === 0) {
        ticket.failed();
        policy.update(choice, 2);
      } else {
        ticket.done(0.1 * (choice.arm + 1));
        policy.update(choice, 0.1 * (choice.arm + 1));
      }
    }
    expect(router.snapshot().routes[0]!.policy).toEqual(JSON.parse(JSON.stringify(policy.snapshot())));
    expect(router.explain().upstreams.map(({ probability }) => probability)).toEqual(Array.from(policy.probabilities()!));
    expect(router.explain().upstreams.some(({ failureRate }) => failureRate > 0)).toBe(true);
  });

  it("is said to route without load and failures", () => {
    const router = createRouter({ upstreams, policy: spec, seed: 3 });
    const words = `${spec.policy} cannot use what is known about load and failures`;
    expect(router.explain().why).toContain(words);
    for (let i = 0; i < 200; i++) {
      const ticket = router.choose();
      ticket.done(ticket.upstream === "b" ? 0.01 : 0.5);
    }
    expect(router.explain().why).toContain(words);
  });
});

it("a policy that does not report its probabilities is said to as well", () => {
  const router = createRouter({ upstreams, policy: { policy: "thompson", sigma: 1 }, seed: 3 });
  expect(router.explain().why).toMatch(/^thompson does not report .* thompson cannot use what is known about load and failures/);
});

it("the default policy is not said to", () => {
  const router = createRouter({ upstreams, seed: 3 });
  expect(router.explain().why).not.toContain("cannot use");
  for (let i = 0; i < 200; i++) router.choose().done(0.1);
  expect(router.explain().why).not.toContain("cannot use");
});
