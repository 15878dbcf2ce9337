import { join } from "node:path";
import { completeExperiment, parseExperiment } from "@tsallis/lab";
import { type Advice, advise } from "@tsallis/lab/play";
import fc from "fast-check";
import { createDistribution, createEnvironment, createPolicy, DISTRIBUTIONS, type DistributionSpec, ENVIRONMENTS, POLICIES } from "tsallis";
import { describe, expect, it } from "vitest";
import { ROOT, read } from "../../../test/repository.js";
import { readLosses } from "../../cli/src/input/lossFile.js";
import { boundsOf, countedFromOne } from "../playground/src/engine/boundsOf.js";
import { keyOf, MOST, type Race } from "../playground/src/engine/race.js";
import { indicesText } from "../playground/src/scenes/own.js";
import { SCENES } from "../playground/src/scenes/scenes.js";
import { addressOf } from "../playground/src/state/address.js";
import { bent, canBend, placeOf } from "../playground/src/state/bent.js";
import { axisOf, densityCurve, hasRoom, ticksOf } from "../playground/src/state/densityCurve.js";
import { experimentText } from "../playground/src/state/experimentText.js";
import { faultsOf } from "../playground/src/state/faultsOf.js";
import { initialHandles } from "../playground/src/state/handles.js";
import { lossTable, MOST_LOSSES, tailPoints } from "../playground/src/state/lossTable.js";
import { adviceOn, raceOn, sampleTable } from "../playground/src/state/ownLosses.js";
import { readValue, textOf, withValue } from "../playground/src/state/parameterText.js";
import { PRESETS } from "../playground/src/state/presets.js";
import { requireRace } from "../playground/src/state/requireRace.js";
import { DISTRIBUTION, freeLabel, nextPolicy, startOfDistribution, startOfPolicy, startOfWorld } from "../playground/src/state/starts.js";

const RACE = SCENES.find(({ name }) => name === "sandbox")!.race({});
const NO_FAULT = { world: null, policies: RACE.policies.map(() => null), race: null };

describe("what is typed", () => {
  it.each([
    ["number", "1.5", 1.5],
    ["number", " .5 ", 0.5],
    ["number", "1e3", 1000],
    // A saved experiment is JSON, which has one zero.
    ["number", "-0", 0],
    ["numbers", "1, -0", [1, 0]],
    ["number", "promised", "promised"],
    ["number", "Infinity", "Infinity"],
    ["number", "", undefined],
    ["integer", "1,000", "1,000"],
    ["integer", "true", "true"],
    ["integer", '{"distribution":"constant","value":1}', { distribution: "constant", value: 1 }],
    ["numbers", "1, 2.5,3", [1, 2.5, 3]],
    ["numbers", "1,,x", [1, "", "x"]],
    ["name", "catoni", "catoni"],
  ] as const)("%s %j is read as %j", (type, text, value) => {
    expect(readValue({ type }, text)).toEqual(value);
  });

  it("property: numbers and lists of them survive there and back", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
    fc.assert(
      fc.property(number, fc.array(number, { minLength: 1 }), (value, list) => {
        expect(readValue({ type: "number" }, textOf(value))).toBe(value);
        expect(readValue({ type: "numbers" }, textOf(list))).toEqual(list);
      }),
    );
  });

  it("is left out of the spec if it is empty", () => {
    expect(withValue({ policy: "htinf", theta: 1 }, "theta", undefined)).toEqual({ policy: "htinf" });
    expect(withValue({ policy: "htinf" }, "theta", 0.5)).toEqual({ policy: "htinf", theta: 0.5 });
  });
});

describe("a new form", () => {
  it.each(Object.keys(DISTRIBUTIONS))("of the distribution %s is one, made of the distribution before if it is made of distributions", (name) => {
    const before: DistributionSpec = { distribution: "pareto", shape: 1.9, scale: 3 };
    const spec = startOfDistribution(name, before);
    expect(createDistribution(spec).spec).toMatchObject(spec);
    if ("of" in spec) expect(JSON.stringify(spec)).toContain(JSON.stringify(before));
  });

  it.each(Object.keys(ENVIRONMENTS).filter((name) => name !== "replay"))("of the world %s can be played at once, whatever came before", (name) => {
    for (const before of Object.keys(ENVIRONMENTS)) {
      for (const rounds of [1, 7, 10_000]) {
        const world = startOfWorld(name, { world: startOfWorld(before, { world: { ...RACE.world, delay: 2 }, rounds }), rounds });
        expect(faultsOf({ ...RACE, world, rounds }), `${before} ${rounds}`).toEqual(NO_FAULT);
        expect(world.delay).toBe(2);
      }
    }
  });

  it("of the world replay asks for its table, in the library's words", () => {
    const { world } = faultsOf({ ...RACE, world: startOfWorld("replay", RACE) });
    expect(world).toMatch(/^losses is missing/);
  });

  it.each(Object.keys(POLICIES))("of the policy %s can be played at once", (name) => {
    const race = { ...RACE, policies: [{ label: freeLabel(name, []), spec: startOfPolicy(name, RACE.rounds) }] };
    expect(faultsOf(race)).toEqual({ world: null, policies: [null], race: null });
  });

  it("has a label of its own", () => {
    expect(freeLabel("ucb1", ["UCB1", "UCB1 2"])).toBe("UCB1 3");
    expect(freeLabel("dsee", [])).toBe("dsee");
    // As the scenes name the same policy.
    const shown = SCENES.flatMap(({ handles, race }) => race(initialHandles(handles)).policies.map(({ label }) => label));
    for (const policy of [
      "matched-tinf",
      "htinf",
      "ucb1",
      "thompson",
      "exp3",
      "tsallis-inf",
      "uniform",
      "signed-tinf",
      "adatinf",
      "ada2tinf",
      "opttinf",
    ])
      expect(shown).toContain(freeLabel(policy, []));
  });
});

it("every preset of the sandbox can be played", () => {
  for (const { name, race } of PRESETS)
    expect([name, faultsOf(race)]).toEqual([name, { world: null, policies: race.policies.map(() => null), race: null }]);
});

it("one more policy is one that does not race yet", () => {
  let policies = RACE.policies;
  for (let i = policies.length; i < MOST.policies; i++) {
    const policy = nextPolicy(policies);
    expect(policies.map(({ spec }) => spec.policy)).not.toContain(policy);
    policies = [...policies, { label: policy, spec: startOfPolicy(policy, RACE.rounds) }];
  }
  expect(faultsOf({ ...RACE, policies }).race).toBeNull();
});

describe("a fault", () => {
  const thrown = (attempt: () => unknown): string => {
    try {
      attempt();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error("nothing was wrong");
  };

  it("of the world is the library's sentence, and the policies are not judged", () => {
    const world = { ...RACE.world, alpha: 3 };
    const sentence = thrown(() => createEnvironment(world, 1));
    expect(faultsOf({ ...RACE, world })).toEqual({ ...NO_FAULT, world: sentence });
    expect(sentence).toContain("alpha must be in (1, 2], got 3");
  });

  it("of a policy is the library's sentence, at that policy", () => {
    const spec = { policy: "htinf", alpha: "much", sigma: 1 };
    const sentence = thrown(() => createPolicy(spec, 3));
    const policies = [RACE.policies[1]!, { label: "x", spec }];
    expect(faultsOf({ ...RACE, policies })).toEqual({ world: null, policies: [null, sentence], race: null });
  });

  it.each([
    [{ rounds: MOST.rounds + 1 }, "rounds"],
    [{ rounds: "many" }, "rounds"],
    [{ seeds: 0 }, "seeds"],
    [{ policies: [RACE.policies[0], RACE.policies[0]] }, "same label"],
    [{ policies: [{ ...RACE.policies[0], label: "a/b" }] }, "label"],
  ])("of the race as a whole, %j, is named", (change, word) => {
    const faults = faultsOf({ ...RACE, ...change } as Race);
    expect(faults.race).toContain(word);
    expect([faults.world, ...faults.policies].every((fault) => fault === null)).toBe(true);
  });

  it.each([-1, 0.5, null, "late", { distribution: "normal", mean: 0, deviation: 1 }])("of a delay %j, which the lab refuses too", (delay) => {
    const race = { ...RACE, world: { ...RACE.world, delay } } as Race;
    expect(() => requireRace(race)).toThrow();
    expect(() => completeExperiment(parseExperiment(experimentText("x", race)).value)).toThrow();
  });

  it("of a billion arms, at once", () => {
    expect(() => requireRace({ ...RACE, world: { environment: "lower-bound", alpha: 1.5, arms: 1e9, gap: 0.1 } })).toThrow("at most 10");
  });

  it("of rotate and rescale, if they are not true, and of batches of nothing", () => {
    for (const key of ["rotate", "rescale"]) {
      expect(() => requireRace({ ...RACE, world: { ...RACE.world, [key]: "yes" } })).toThrow(`${key} must be true or absent`);
      expect(requireRace({ ...RACE, world: { ...RACE.world, [key]: true } }).world).toMatchObject({ [key]: true });
    }
    expect(() => requireRace({ ...RACE, world: { ...RACE.world, delay: { batch: 0 } } })).toThrow("delay must be");
    expect(requireRace({ ...RACE, world: { ...RACE.world, delay: { batch: 5 } } }).world.delay).toEqual({ batch: 5 });
  });
});

/** The ways in which files of losses are written. */
interface Format {
  readonly separator: string;
  readonly end: string;
  readonly heading: boolean;
  readonly quoted: boolean;
  readonly tail: string;
  readonly mark: string;
}

describe("a file of losses", () => {
  const loss = fc.double({ min: -1e300, max: 1e300, noNaN: true }).map((value) => value + 0);
  const table = fc
    .integer({ min: 1, max: MOST.arms })
    .chain((arms) => fc.array(fc.array(loss, { minLength: arms, maxLength: arms }), { minLength: 1, maxLength: 20 }));
  const format: fc.Arbitrary<Format> = fc.record({
    separator: fc.constantFrom(",", ";", "\t"),
    end: fc.constantFrom("\n", "\r\n", "\r"),
    heading: fc.boolean(),
    quoted: fc.boolean(),
    tail: fc.constantFrom("", "\n", "\r\n\r\n"),
    mark: fc.constantFrom("", "\uFEFF"),
  });
  const written = (rows: readonly (readonly unknown[])[], { separator, end, heading, quoted, tail, mark }: Format) => {
    const quote = (field: unknown) => (quoted ? `"${field}"` : ` ${field} `);
    const names = heading ? [rows[0]!.map((_, arm) => `arm ${arm + 1}`)] : [];
    return mark + [...names, ...rows].map((row) => row.map(quote).join(separator)).join(end) + tail;
  };

  it("property: comes back as it was written, in any common format", () => {
    fc.assert(
      fc.property(table, format, (rows, how) => {
        const { names, losses } = lossTable(written(rows, how));
        expect(losses).toEqual(rows);
        expect(names).toEqual(rows[0]!.map((_, arm) => `arm ${arm + 1}`));
      }),
    );
  });

  it("may have empty cells, as for the command: the race has the rows without any, and the advice all losses", () => {
    expect(lossTable("a,b\n1,\n\n,2\n3,4\n,5\n")).toEqual({
      names: ["a", "b"],
      columns: [
        [1, 3],
        [2, 4, 5],
      ],
      losses: [[3, 4]],
      rows: 4,
    });
  });

  it("of the guide has the arms that the command reads, and advice on all of their losses", async () => {
    const path = "docs/guides/losses.csv";
    const table = lossTable(read(path));
    expect([table.rows, table.losses.length]).toEqual([1_000, 800]);
    const arms = await readLosses(join(ROOT, path), new AbortController().signal);
    expect(table.names.map((name, arm) => ({ name, losses: Float64Array.from(table.columns[arm]!) }))).toEqual(arms);
    expect(adviceOn(table)).toEqual(advise(arms));
    expect(raceOn(table).rounds).toBe(800);
    // The index that the advice names is among those that the page lists.
    expect(indicesText(advise(arms))).toBe("all arms together 1.44, north 1.54, south 1.28, west 1.64");
    expect(advise(arms).recommendation.reasons[0]).toContain("(index 1.44, ");
    const sample = adviceOn(sampleTable(1)) as Advice;
    expect(indicesText(sample)).toBe("near 1.51, steady over 10, far 1.84");
    expect(sample.recommendation.reasons[0]).toMatch(/the tail of "near".*\(index 1\.51, /);
  });

  it("keeps the names of its columns, but for empty, doubled and very long ones", () => {
    expect(lossTable("eu,,eu\n1,2,3\n").names).toEqual(["eu", "arm 2", "arm 3"]);
    expect(lossTable(`${"x".repeat(99)},b\n1,2\n`).names).toEqual(["x".repeat(24), "b"]);
    expect(lossTable("1,2\n").names).toEqual(["arm 1", "arm 2"]);
  });

  it("shows its tail: the share of losses that are larger, by size", () => {
    expect(tailPoints([3, -1, 2, 0, 2])).toEqual([
      [1, 0.6],
      [2, 0.2],
    ]);
    const many = tailPoints(Array.from({ length: 60_000 }, (_, i) => i));
    expect(many.length).toBeLessThan(350);
    for (const [size, share] of many) expect(share).toBeCloseTo((59_999 - size) / 60_000, 12);
  });

  it("has no -0, which the saved experiment would write as 0, with another run hash", () => {
    expect(lossTable("-0,-0.0\n-1e-999,1\n").losses).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });

  it("property: with one bad field is refused, with its line and column", () => {
    const bad = fc.constantFrom("x", "NaN", "Infinity", "1e301", "0x10", "1 2", "--1", "1e", "١");
    fc.assert(
      fc.property(table, format, bad, fc.nat(), fc.nat(), (rows, how, field, i, j) => {
        const row = 1 + (i % rows.length);
        const column = j % rows[0]!.length;
        // A first row, which says what a row is, stays whole.
        const all: unknown[][] = [rows[0]!.map(() => 0), ...rows.map((each) => [...each])];
        all[row]![column] = field;
        expect(() => lossTable(written(all, how))).toThrow(`line ${row + 1 + (how.heading ? 1 : 0)}, column ${column + 1}: `);
      }),
    );
  });

  it("property: with a row of another length is refused, with its line", () => {
    fc.assert(
      fc.property(table, format, fc.nat(), (rows, how, i) => {
        // Of two columns and more, so that the first line tells the separator.
        const wide = [rows[0]!, ...rows].map((row) => [1, ...row.slice(0, 8), 2]);
        const at = 1 + (i % rows.length);
        const all = wide.map((row, j) => (j === at ? row.slice(1) : row));
        expect(() => lossTable(written(all, how))).toThrow(`line ${at + 1 + (how.heading ? 1 : 0)}: `);
      }),
    );
  });

  it.each([
    ["the file is empty", ""],
    ["the file is empty", "\n \n"],
    ["a line of names and no losses", "a,b\n"],
    ['line 1, column 1: "a" is not a number', "a,1\n1,2"],
    ["line 3: 1 column, and the first line has 2", "1,2\n\n3"],
    ["no row has a loss in every column, and a race needs one", "a,b\n1,\n,2\n"],
    ["line 2: 1 column", "1.5,2\n3;4"],
    ["line 1: 11 columns, and here are at most 10 arms", `${"1,".repeat(10)}1`],
    [`${MOST_LOSSES + 1} losses, and here are at most ${MOST_LOSSES}`, "1\n".repeat(MOST_LOSSES + 1)],
  ])("is refused, %#: %s", (sentence, text) => {
    expect(() => lossTable(text)).toThrow(sentence);
  });

  it("is played, cannot be shared by address, and is exported with its table", () => {
    const rows = MOST_LOSSES / 3;
    const losses = Array.from({ length: rows }, (_, i) => [i / 7, 1, -2.5]);
    expect(lossTable(losses.join("\n")).losses).toEqual(losses);
    const race: Race = { ...RACE, world: { environment: "replay", alpha: 1.5, losses }, rounds: rows };
    expect(faultsOf(race)).toEqual(NO_FAULT);
    expect(addressOf({ scene: "sandbox", handles: {}, race })).toBeNull();
    const { environments } = completeExperiment(parseExperiment(experimentText("x", race)).value);
    expect(environments.world!.losses).toEqual(losses);
    expect(faultsOf({ ...race, rounds: rows + 1 }).world).toContain(`at most ${rows}, the length of the recorded table`);
  });
});

describe("a density", () => {
  it.each(Object.keys(DISTRIBUTIONS))("of %s is drawn where its losses are", (name) => {
    const distribution = createDistribution(startOfDistribution(name));
    const axis = axisOf([distribution]);
    expect(axis.low).toBeLessThanOrEqual(0);
    expect(axis.high).toBeGreaterThanOrEqual(0);
    expect(axis.high).toBeGreaterThan(axis.low);
    const curve = densityCurve(distribution, axis, 20);
    expect(curve).toHaveLength(20);
    expect(Math.max(...curve)).toBe(1);
    expect(Math.min(...curve)).toBeGreaterThanOrEqual(0);
  });

  it("is that of the distribution", () => {
    const curve = densityCurve(createDistribution({ distribution: "lomax", shape: 1.5, scale: 1 }), { low: 0, high: 10 }, 1_000);
    const density = (x: number) => (1 + x) ** -2.5;
    for (const piece of [10, 100, 900]) expect(curve[piece]! / curve[0]!).toBeCloseTo(density((piece + 0.5) / 100) / density(0.005), 3);
  });

  it("keeps an axis that has room for the handles", () => {
    const lomax = (shape: number) => createDistribution({ distribution: "lomax", shape, scale: 0.4 });
    const axis = axisOf([lomax(1.7)]);
    expect(hasRoom(axis, [lomax(1.7), lomax(1.4)])).toBe(true);
    expect(hasRoom(axis, [lomax(1.7), lomax(1.1)])).toBe(false);
    expect(hasRoom(axis, [createDistribution({ distribution: "normal", mean: -1, deviation: 1 })])).toBe(false);
  });

  it("shows a point at the end of the axis", () => {
    expect(densityCurve(createDistribution({ distribution: "constant", value: 0 }), { low: 0, high: 1 }, 4)).toEqual([1, 0, 0, 0]);
  });

  it.each([
    [{ low: 0, high: 3.88 }, [0, 1, 2, 3]],
    [{ low: -57.5, high: 7.5 }, [-40, -20, 0]],
    [{ low: 0, high: 0.2 }, [0, 0.05, 0.1, 0.15, 0.2]],
    [{ low: -1, high: 1 }, [-1, -0.5, 0, 0.5, 1]],
  ])("its axis %o has round ticks", (axis, ticks) => {
    expect(ticksOf(axis)).toEqual(ticks);
  });
});

describe("a distribution that is dragged", () => {
  const fixed: Readonly<Record<string, readonly string[]>> = {
    "student-t": ["mean"],
    stable: ["mean"],
    bernoulli: ["tail"],
    constant: ["tail"],
    "two-point": ["tail"],
    mixture: ["mean", "tail"],
  };

  it.each(Object.keys(DISTRIBUTIONS))("%s has the handles that its parameters can follow, and follows them", (name) => {
    const spec = startOfDistribution(name, DISTRIBUTION);
    const distribution = createDistribution(spec);
    for (const grip of ["mean", "tail"] as const) {
      expect(canBend(spec, distribution, grip), `${grip} of ${name}: list it in \`fixed\` if no parameter moves it`).toBe(
        !fixed[name]?.includes(grip),
      );
      if (!canBend(spec, distribution, grip)) continue;
      const target = placeOf(distribution, grip) + 0.1 * (grip === "tail" && name === "negated" ? -0.1 : 1);
      const moved = createDistribution(bent(spec, grip, target)!);
      expect(Math.abs(placeOf(moved, grip) / target - 1), grip).toBeLessThan(0.02);
    }
  });

  it("property: comes as near as its parameter reaches, and stays a distribution with three digits", () => {
    const names = Object.keys(DISTRIBUTIONS).filter((name) => name !== "stable");
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.constantFrom("mean", "tail"),
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        (name, grip, target) => {
          const made = bent(startOfDistribution(name, DISTRIBUTION), grip, target);
          if (made === null) return;
          createDistribution(made);
          const numbers = JSON.stringify(made).match(/(?<=:)-?[\d.e+-]+/g)!;
          for (const text of numbers) expect(Number(Number(text).toPrecision(3))).toBe(Number(text));
        },
      ),
    );
  });

  it("stops where the race could no longer be played, so that every drag of the square gives one, and a long one the largest mean", () => {
    const arms = RACE.world.arms as DistributionSpec[];
    const raceWith = (spec: DistributionSpec): Race => ({ ...RACE, world: { ...RACE.world, arms: [spec, ...arms.slice(1)] } });
    const canPlay = (spec: DistributionSpec) => JSON.stringify(faultsOf(raceWith(spec))) === JSON.stringify(NO_FAULT);
    // Without the question a policy could no longer be played: sigma would be infinite.
    expect(canPlay(bent(arms[0]!, "tail", 3)!)).toBe(false);
    let before = 0;
    for (let target = 0.1; target < 100; target *= 1.25) {
      const made = bent(arms[0]!, "tail", target, canPlay)!;
      expect(canPlay(made), `${target}`).toBe(true);
      const { mean } = createDistribution(made);
      expect(mean).toBeGreaterThanOrEqual(before);
      before = mean;
    }
    expect(before).toBeGreaterThan(1.5 * createDistribution(arms[1]!).mean);
  });

  it("that is no distribution is left alone", () => {
    expect(bent({ distribution: "pareto", shape: -1, scale: 1 }, "mean", 1)).toBeNull();
    expect(bent({ distribution: "nobody" }, "mean", 1)).toBeNull();
    expect(bent({ distribution: "shifted", by: "x", of: null }, "mean", 1)).toBeNull();
  });
});

describe("bounds", () => {
  it("count arms from 1, as the page does", () => {
    expect(countedFromOne("of the best arm: arm 0 is not; arms 0 and 9 tie; 2 arms")).toBe(
      "of the best arm: arm 1 is not; arms 1 and 10 tie; 2 arms",
    );
    const rare = boundsOf(PRESETS.find(({ name }) => name === "Rare gains")!.race);
    expect(rare.map(({ note }) => note).join()).toMatch(/of the best arm: arm 1/);
  });

  it("are those that the lab reports, at every checkpoint, or a reason", () => {
    const [htinf, matched, robust, ucb1] = boundsOf(RACE);
    expect(htinf!.id).toMatch(/^htinf\//);
    expect(htinf!.source).toMatch(/^Huang, Dai and Huang \(ICML 2022\)/);
    expect(htinf!.rounds.at(-1)).toBe(RACE.rounds);
    expect(htinf!.values).toHaveLength(htinf!.rounds.length);
    expect(htinf!.values.every((value, i) => value > 0 && value >= (htinf!.values[i - 1] ?? 0))).toBe(true);
    expect(matched).toMatchObject({ id: null, note: "no known bound holds in this world" });
    expect(robust!.id).toMatch(/^robust-ucb\//);
    expect(ucb1!.id).toBeNull();
  });

  it("are none where the world breaks what they assume", () => {
    const world = { environment: "truncation-violated", alpha: 1.2, arms: 2, shape: 1.5, scale: 1, gap: 0.5 };
    expect(boundsOf({ ...RACE, world })[0]!.note).toMatch(/^outside its guarantee here: .*truncated non-negativity/);
  });
});

it("the key of a race is equal for equal races only", () => {
  expect(keyOf({ ...RACE })).toBe(keyOf(RACE));
  expect(keyOf({ ...RACE, rounds: 1 })).not.toBe(keyOf(RACE));
});
