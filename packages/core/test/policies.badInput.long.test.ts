// Conformance: bad input throws a coded error and changes nothing.
import { describe, expect, test } from "vitest";
import { type Choice, createPolicy, type Policy, restorePolicy, stream } from "../src/index.js";
import { BasePolicy } from "../src/policies/base/basePolicy.js";
import { CASES, clone, heavy, traits } from "./conformance.js";
import { play } from "./policies.js";

/** The class in which a policy adds to the round that all share: the one that extends the base, or one below it with feedback of its own. */
function door(policy: Policy): string {
  let prototype = Object.getPrototypeOf(policy);
  while (!Object.hasOwn(prototype, "update") && Object.getPrototypeOf(prototype) !== BasePolicy.prototype)
    prototype = Object.getPrototypeOf(prototype);
  const { skips, weighs } = traits(policy);
  return `${prototype.constructor.name}${skips ? ", which skips" : ""}${weighs ? ", which weighs" : ""}`;
}

/** One policy for each of these classes, and for what it asks of a Choice: the guards are there, and not in what the policies add to them. */
const DOORS = new Map(CASES.map((each) => [door(createPolicy(each[1], 2)), each] as const));

function refuses(policy: Policy, act: () => unknown, code: string, parameter: string): void {
  const before = JSON.stringify(policy.snapshot());
  expect(act).toThrow(
    expect.objectContaining({ name: "TsallisError", code, parameter, message: expect.stringContaining(parameter.replace("choice.", "")) }),
  );
  expect(JSON.stringify(policy.snapshot())).toBe(before);
}

test("every class that takes feedback is tried", () => {
  const known = [
    "Ftrl, which weighs",
    "Ftrl, which skips, which weighs",
    "ProbabilityPolicy, which weighs",
    "ProbabilityPolicy, which skips, which weighs",
    "IndexPolicy",
    "UniformPolicy",
  ];
  expect([...DOORS.keys()]).toEqual(expect.arrayContaining(known));
});

describe.each([...DOORS].map(([name, [policy, spec, kernel]]) => [name, policy, spec, kernel] as const))("%s (%s)", (_door, _name, spec, kernel) => {
  const create = (arms: number) => createPolicy(spec, arms, { kernel });
  const { weighs } = traits(create(2));
  const played = () => {
    const policy = create(3);
    play(policy, 40, heavy(8));
    return policy;
  };

  test.each([
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [Number.NEGATIVE_INFINITY],
    [1.0000001e300],
    [-1e301],
    ["1"],
    [null],
    [undefined],
    [true],
    [[1]],
    [10n],
  ])("loss %s", (loss) => {
    const policy = played();
    const choice = policy.choose(stream(9));
    refuses(policy, () => policy.update(choice, loss as number), "ERR_LOSS", "loss");
  });

  test.each([[-1], [3], [0.5], [Number.NaN], ["1"], [null], [undefined]])("forced arm %s", (arm) => {
    const policy = played();
    refuses(policy, () => policy.force(arm as number), "ERR_ARM", "arm");
  });

  const broken: [string, (choice: Choice) => unknown, string, string][] = [
    ["null", () => null, "ERR_CHOICE", "choice"],
    ["a string", () => "choice", "ERR_CHOICE", "choice"],
    ["no policy", ({ policy, ...rest }) => rest, "ERR_CHOICE", "choice.policy"],
    ["another policy", (choice) => ({ ...choice, policy: "somebody-0123456789abcdef" }), "ERR_FOREIGN_CHOICE", "choice.policy"],
    ["a future round", (choice) => ({ ...choice, round: choice.round + 1 }), "ERR_FUTURE_CHOICE", "choice.round"],
    ["round 0", (choice) => ({ ...choice, round: 0 }), "ERR_CHOICE", "choice.round"],
    ["half a round", (choice) => ({ ...choice, round: 1.5 }), "ERR_CHOICE", "choice.round"],
    ["no round", ({ round, ...rest }) => rest, "ERR_CHOICE", "choice.round"],
    ["an arm out of range", (choice) => ({ ...choice, arm: 3 }), "ERR_CHOICE", "choice.arm"],
    ["a negative arm", (choice) => ({ ...choice, arm: -1 }), "ERR_CHOICE", "choice.arm"],
    ["an arm as text", (choice) => ({ ...choice, arm: "0" }), "ERR_CHOICE", "choice.arm"],
    // Whoever does not divide by the probability may do without one.
    ...(weighs ? [0, null] : []).map((probability): [string, (choice: Choice) => unknown, string, string] => [
      `probability ${probability}`,
      (choice) => ({ ...choice, probability }),
      "ERR_CHOICE",
      "choice.probability",
    ]),
    ["no probability", ({ probability, ...rest }) => rest, "ERR_CHOICE", "choice.probability"],
    ["a probability as text", (choice) => ({ ...choice, probability: "0.5" }), "ERR_CHOICE", "choice.probability"],
    ["probability above 1", (choice) => ({ ...choice, probability: 1.01 }), "ERR_CHOICE", "choice.probability"],
    ["probability NaN", (choice) => ({ ...choice, probability: Number.NaN }), "ERR_CHOICE", "choice.probability"],
    ["a threshold as text", (choice) => ({ ...choice, threshold: "1" }), "ERR_CHOICE", "choice.threshold"],
    ["a threshold NaN", (choice) => ({ ...choice, threshold: Number.NaN }), "ERR_CHOICE", "choice.threshold"],
    ["no threshold", ({ threshold, ...rest }) => rest, "ERR_CHOICE", "choice.threshold"],
    ["the other kind of threshold", (choice) => ({ ...choice, threshold: choice.threshold === null ? 1 : null }), "ERR_CHOICE", "choice.threshold"],
  ];
  test.each(broken)("a Choice with %s", (_what, spoil, code, parameter) => {
    const policy = played();
    const choice = policy.choose(stream(9));
    refuses(policy, () => policy.update(spoil(choice) as Choice, 0.5), code, parameter);
  });

  test("a Choice of the same policy with more arms", () => {
    const policy = played();
    refuses(policy, () => policy.update(create(4).choose(stream(9)), 0.5), "ERR_FOREIGN_CHOICE", "choice.policy");
  });

  test("no generator to draw from", () => {
    const policy = played();
    for (const rng of [undefined, null, {}, 7, { uniform: () => Number.NaN }, { uniform: () => 1 }, { uniform: () => -0.1 }]) {
      refuses(policy, () => policy.choose(rng as never), "ERR_PARAMETER", "rng");
    }
  });
});

describe.each(CASES)("%s", (_name, spec, kernel) => {
  const create = (arms: number) => createPolicy(spec, arms, { kernel });
  const restore = (snapshot: unknown) => restorePolicy(snapshot, { kernel });
  const played = () => {
    const policy = create(3);
    play(policy, 40, heavy(8));
    return policy;
  };

  // Ada2TINF restarts when such a round begins; it used to have restarted already when the generator threw.
  test("a generator that throws, or a Choice that cannot be written, at the door of a super-epoch", () => {
    const policy = create(3);
    play(policy, 11, heavy(8));
    const before = JSON.stringify(policy.snapshot());
    const down = () => {
      throw new Error("no entropy");
    };
    expect(() => policy.choose({ uniform: down, open: down })).toThrow("no entropy");
    for (const act of [(frozen: Choice) => policy.choose(stream(1), frozen), (frozen: Choice) => policy.force(0, frozen)]) {
      expect(() => act(Object.freeze({ policy: "", round: 0, arm: 0, probability: 0, threshold: null }))).toThrow(TypeError);
    }
    expect(JSON.stringify(policy.snapshot())).toBe(before);
  });

  test("a snapshot of another spec or number of arms, given to restore itself", () => {
    const policy = create(3);
    expect(() => policy.restore(create(4).snapshot())).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "spec" }));
    const other = spec.policy === "opttinf" ? "ada2tinf" : "opttinf";
    expect(() => policy.restore(createPolicy({ policy: other }, 3).snapshot())).toThrow(
      expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "spec" }),
    );
    expect(() => policy.restore({ ...policy.snapshot(), round: Number.NaN })).toThrow(
      expect.objectContaining({ code: "ERR_SNAPSHOT", parameter: "round" }),
    );
  });

  test("an unknown key, a wrong number of arms", () => {
    expect(() => createPolicy({ ...spec, colour: "red" }, 3)).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_KEY", parameter: "colour" }));
    expect(() => createPolicy({ ...spec, arms: 3 }, 3)).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_KEY", parameter: "arms" }));
    for (const arms of [0, -1, 2.5, Number.NaN, "3", undefined, null, 2 ** 31, 2 ** 40]) {
      expect(() => create(arms as number)).toThrow(expect.objectContaining({ parameter: "arms" }));
    }
  });

  test("a snapshot of another version is refused with its version and the remedy", () => {
    const other = { ...played().snapshot(), version: 2 };
    expect(() => restorePolicy(other)).toThrow(expect.objectContaining({ code: "ERR_SNAPSHOT_VERSION", parameter: "version" }));
    expect(() => restorePolicy(other)).toThrow(
      /version must be 1, got 2; restore it with the version of tsallis that wrote it, or start a new policy/,
    );
  });

  test("a broken snapshot", () => {
    const good = clone(played().snapshot()) as unknown as Record<string, unknown>;
    const state = good.state as Record<string, unknown>;
    const spoilt: [unknown, string][] = [
      [null, "ERR_SNAPSHOT"],
      [{ ...good, version: 2 }, "ERR_SNAPSHOT_VERSION"],
      [{ ...good, version: 0 }, "ERR_SNAPSHOT_VERSION"],
      [{ ...good, version: 1.5 }, "ERR_SNAPSHOT_VERSION"],
      [{ ...good, version: undefined }, "ERR_SNAPSHOT_VERSION"],
      [{ ...good, round: -1 }, "ERR_SNAPSHOT"],
      [{ ...good, round: "40" }, "ERR_SNAPSHOT"],
      [{ ...good, state: null }, "ERR_SNAPSHOT"],
      [{ ...good, spec: { policy: "nobody" } }, "ERR_SNAPSHOT"],
      [{ ...good, arms: 0 }, "ERR_SNAPSHOT"],
      [{ ...good, extra: 1 }, "ERR_SNAPSHOT"],
      [{ ...good, state: { ...state, extra: 1 } }, "ERR_SNAPSHOT"],
      ...Object.keys(state).flatMap((key): [unknown, string][] => [
        [{ ...good, state: { ...state, [key]: "x" } }, "ERR_SNAPSHOT"],
        [{ ...good, state: { ...state, [key]: undefined } }, "ERR_SNAPSHOT"],
      ]),
      ...(good.kernel === undefined
        ? []
        : ([
            [{ ...good, kernel: { ...(good.kernel as object), root: "x" } }, "ERR_SNAPSHOT"],
            [{ ...good, kernel: 7 }, "ERR_SNAPSHOT"],
          ] as [unknown, string][])),
      ...["losses", "means", "plays", "samples"]
        .filter((key) => Array.isArray(state[key]))
        .flatMap((key): [unknown, string][] => [
          [{ ...good, state: { ...state, [key]: [0, 1] } }, "ERR_SNAPSHOT"],
          [{ ...good, state: { ...state, [key]: [0, null, 1] } }, "ERR_SNAPSHOT"],
          // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
          [{ ...good, state: { ...state, [key]: [0, , 1] } }, "ERR_SNAPSHOT"],
        ]),
    ];
    for (const [snapshot, code] of spoilt) expect(() => restore(snapshot), JSON.stringify(snapshot)).toThrow(expect.objectContaining({ code }));
  });
});
