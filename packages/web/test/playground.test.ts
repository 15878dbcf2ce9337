import { completeExperiment, parseExperiment, runHashesOf, runsOf } from "@tsallis/lab";
import type { Advice } from "@tsallis/lab/play";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { read, repositoryFiles } from "../../../test/repository.js";
import { checkpoints } from "../../lab/src/run/checkpoints.js";
import { executeRun } from "../../lab/src/run/executeRun.js";
import { playRun } from "../../lab/src/run/playRun.js";
import { POINT } from "../playground/src/engine/messages.js";
import { withMovedLoss } from "../playground/src/engine/movedLoss.js";
import { paced } from "../playground/src/engine/pace.js";
import { lanesOf, MOST, type Race, runOf, worldOf } from "../playground/src/engine/race.js";
import { Runner } from "../playground/src/engine/runner.js";
import { Tape } from "../playground/src/engine/tape.js";
import { sharePercent } from "../playground/src/parts/armShares.js";
import { exitOf, spread } from "../playground/src/parts/endLabels.js";
import { formatTimeLeft } from "../playground/src/parts/formatTimeLeft.js";
import { valueText } from "../playground/src/parts/linesChart.js";
import { armsOf } from "../playground/src/parts/raceFigure.js";
import { placeWords } from "../playground/src/parts/roundMarks.js";
import { offBy } from "../playground/src/scenes/means.js";
import { aheadText, indexText } from "../playground/src/scenes/own.js";
import { practiceWords, probabilityText, waitText } from "../playground/src/scenes/probabilities.js";
import { marksOf } from "../playground/src/scenes/race.js";
import { SCENES } from "../playground/src/scenes/scenes.js";
import { outcomeWords } from "../playground/src/scenes/twoWorlds.js";
import { lostGame, verdict } from "../playground/src/scenes/you.js";
import { addressOf, type PageState, readAddress } from "../playground/src/state/address.js";
import { experimentText } from "../playground/src/state/experimentText.js";
import { GAME, rivalPresses } from "../playground/src/state/game.js";
import { initialHandles } from "../playground/src/state/handles.js";
import { lossTable } from "../playground/src/state/lossTable.js";
import { adviceOn } from "../playground/src/state/ownLosses.js";
import { isTruncatedNonNegative, rareGainsRace } from "../playground/src/state/rareGains.js";
import { requireRace } from "../playground/src/state/requireRace.js";

const pareto = (scale: number) => ({ distribution: "pareto", shape: 1.6, scale });
const RACE: Race = {
  world: { environment: "stochastic", alpha: 1.5, delay: 3, arms: [pareto(0.2), pareto(0.3)] },
  policies: [
    { label: "HTINF", spec: { policy: "htinf", alpha: "promised", sigma: "promised" } },
    { label: "told", spec: { policy: "adatinf" } },
  ],
  seeds: 3,
  rounds: 2_000,
};

describe("the runner", () => {
  it("plays every lane as the lab does, in slices of any length, with the same run hashes", () => {
    const lanes = lanesOf(RACE);
    const rounds = checkpoints(RACE.rounds, 50);
    const runner = new Runner(RACE, lanes, rounds);
    const [regret, against] = [lanes.map(() => [] as number[]), lanes.map(() => [] as number[])];
    let looks = 0;
    for (let slice = 0; runner.round < RACE.rounds; slice++) {
      runner.advance(RACE.rounds, () => ++looks % (1 + (slice % 7)) === 0);
      const { points, live, plays, failures } = runner.frame(true);
      expect(failures).toEqual([]);
      expect(live.map(({ lane }) => lane)).toEqual([0, 1]);
      for (const { lane, round } of live) expect(plays[2 * lane]! + plays[2 * lane + 1]!).toBe(round);
      for (let at = 0; at < points.length; at += POINT) {
        const [lane, checkpoint, value, dynamic] = points.subarray(at) as unknown as [number, number, number, number];
        expect(regret[lane]).toHaveLength(checkpoint);
        regret[lane]!.push(value);
        against[lane]!.push(dynamic);
      }
    }
    const hashes = runner.runHashes(lanes.length);
    for (const [i, lane] of lanes.entries()) {
      const trace = playRun(runOf(RACE, lane), { seed: lane.seed, checkpoints: 50, runHash: true, onRounds: () => {} });
      expect(regret[i]).toEqual(trace.pseudoRegret);
      expect(against[i]).toEqual(trace.dynamicRegret);
      expect(hashes[i]).toBe(trace.runHash);
    }
  });

  it("looks ahead without harm where an arm has become all but impossible, and only for policies that skip", () => {
    const race: Race = {
      ...RACE,
      world: { environment: "stochastic", alpha: 2, arms: [1e6, 0].map((value) => ({ distribution: "constant", value })) },
      policies: [
        { label: "EXP3", spec: { policy: "exp3" } },
        { label: "HTINF", spec: { policy: "htinf", alpha: 1.01, sigma: 1 } },
      ],
      seeds: 1,
      rounds: 2_000,
    };
    const runner = new Runner(race, lanesOf(race), checkpoints(race.rounds, 10));
    for (let round = 0; round <= race.rounds; round += 500) {
      runner.advance(round, () => false);
      const [exp3, htinf] = runner.frame(true).live;
      expect(exp3).toMatchObject({ round, probabilities: null, thresholds: null });
      expect(htinf!.round).toBe(round);
      if (round === 0) expect(htinf!.thresholds).toHaveLength(2);
    }
  });

  it("looks ahead of the last round too, where a race stays", () => {
    const { race: raceOf, handles } = SCENES.find(({ name }) => name === "skipping")!;
    const race = { ...raceOf(initialHandles(handles)), seeds: 1 };
    const runner = new Runner(race, lanesOf(race), checkpoints(race.rounds, 10));
    runner.advance(race.rounds, () => false);
    const { thresholds, probabilities } = runner.frame(false).live[0]!;
    expect(thresholds).toHaveLength(2);
    expect(probabilities!.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12);
  });

  it("goes on with the others when a lane fails, and says which and why", () => {
    const race = { ...RACE, policies: [...RACE.policies, { label: "short", spec: { policy: "adatinf", horizon: 100 } }], seeds: 1 };
    const runner = new Runner(race, lanesOf(race), checkpoints(race.rounds, 10));
    runner.advance(race.rounds, () => false);
    expect(runner.round).toBe(race.rounds);
    expect(runner.frame(false).failures).toEqual([[2, expect.stringMatching(/horizon/)]]);
    expect(runner.runHashes(3)).toEqual([expect.any(String), expect.any(String), null]);
  });
});

describe("a tape", () => {
  it("keeps every run, and has a median where all seeds have come to", () => {
    const tape = new Tape(2, 11);
    for (let seed = 10; seed >= 1; seed--) tape.add(seed, 0, 2 * seed);
    expect(tape.median).toEqual([null, null]);
    tape.add(0, 0, 0);
    expect(tape.median[0]).toBe(10);
    for (let seed = 0; seed < 10; seed++) tape.add(seed, 1, seed);
    expect(tape.median[1]).toBeNull();
    tape.lose();
    expect(tape.median[1]).toBe(4.5);
    expect(tape.runs[7]).toEqual([14, 7]);
    expect(tape.runs[10]).toEqual([20, null]);
  });
});

describe("a pace", () => {
  const pace = { speed: 240, from: 0, slow: [100] };

  it("is slow around a decisive round, and passes no slow part at once", () => {
    expect(paced(pace, 0, 0.1)).toBe(24);
    expect(paced(pace, 90, 10)).toBe(94);
    expect(paced(pace, 94, 0.1)).toBe(96);
    expect(paced(pace, 118, 0.1)).toBe(142);
  });

  it("is as fast as possible up to where it is to begin, and without a speed", () => {
    expect(paced({ ...pace, from: 50 }, 3, 0.001)).toBe(50);
    expect(paced({ ...pace, speed: Number.POSITIVE_INFINITY }, 0, 0)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a moved loss", () => {
  const world = worldOf(RACE);

  it("changes places with that of another round, and every other loss stays", () => {
    const other = withMovedLoss(world, { arm: 1, round: 10, to: 20 });
    for (let round = 1; round <= 30; round++) {
      const from = round === 10 ? 20 : round === 20 ? 10 : round;
      expect([other.loss(round, 0), other.loss(round, 1)]).toEqual([world.loss(round, 0), world.loss(from, 1)]);
    }
  });

  it("that is taken out costs the arm's mean, and one that stays changes nothing", () => {
    expect(withMovedLoss(world, { arm: 1, round: 10, to: null }).loss(10, 1)).toBe(world.mean(10, 1));
    expect(withMovedLoss(world, { arm: 1, round: 10, to: 10 }).loss(10, 1)).toBe(world.loss(10, 1));
  });
});

it("words at the ends of lines keep their distance, and stay inside", () => {
  const places = [5, 6, 90, 99].map((y) => ({ y }));
  spread(places, 10, 100);
  expect(places.map(({ y }) => y)).toEqual([5, 15, 90, 100]);
});

it("the words of a line that leaves a chart stand where it leaves", () => {
  expect(exitOf([1, 5, 2, 6, 7], 4)).toBe(3);
  expect(exitOf([1, 5, Number.POSITIVE_INFINITY], 4)).toBe(1);
  expect(exitOf([1, 2], 4)).toBe(1);
});

it("words of marked rounds stand above their lines, and are numbers alone where they would cover each other", () => {
  const marks = [
    { words: "round 116", x: 5 },
    { words: "round 1,082", x: 60 },
  ];
  const at = (right: number, scale: number) =>
    placeWords(
      marks.map(({ words, x }) => ({ words, x: x * scale })),
      { left: 0, right, gap: 6 },
      (words) => 6 * words.length,
    );
  expect(at(700, 3)).toEqual([
    { words: "round 116", at: 0 },
    { words: "round 1,082", at: 147 },
  ]);
  expect(at(240, 1)).toEqual([
    { words: "116", at: 0 },
    { words: "1,082", at: 45 },
  ]);
  expect(at(240, 0.3)).toEqual([{ words: "116", at: 0 }]);
});

it.each([
  [3, ""],
  [12, "about 15 s left"],
  [100, "about 2 min left"],
  [Number.NaN, ""],
  [Number.POSITIVE_INFINITY, ""],
])("%d seconds left are %j", (seconds, words) => {
  expect(formatTimeLeft(seconds)).toBe(words);
});

describe("an address", () => {
  const state: fc.Arbitrary<PageState> = fc
    .constantFrom(...SCENES)
    .chain(({ name, handles }) =>
      fc.record({
        scene: fc.constant(name),
        handles: fc.record(
          Object.fromEntries(handles.map(({ name: handle, low, high }) => [handle, fc.double({ min: low, max: high, noNaN: true })])),
        ),
        race: fc.option(
          fc.record({
            world: fc.record({
              environment: fc.constant("stochastic"),
              alpha: fc.double({ min: 1.01, max: 1.4, noNaN: true }),
              arms: fc.array(fc.double({ min: 0.1, max: 9, noNaN: true }).map(pareto), { minLength: 2, maxLength: MOST.arms }),
            }),
            policies: fc
              .uniqueArray(fc.constantFrom("htinf", "ucb1", "matched-tinf", "uniform"), { minLength: 1 })
              .map((names) =>
                names.map((policy) => ({ label: policy, spec: { policy, ...(policy === "htinf" && { alpha: "promised", sigma: "promised" }) } })),
              ),
            seeds: fc.integer({ min: 1, max: MOST.seeds }),
            rounds: fc.integer({ min: 1, max: MOST.rounds }),
          }),
        ),
      }),
    )
    // JSON knows no -0.
    .map((made) => JSON.parse(JSON.stringify(made)));

  it("property: 200 states survive there and back", () => {
    fc.assert(
      fc.property(state, (made) => {
        const text = addressOf(made)!;
        expect(text.length).toBeLessThanOrEqual(4_000);
        expect(text).toMatch(/^[\w.-]+$/);
        expect(readAddress(text, SCENES)).toEqual(made);
      }),
      { numRuns: 200 },
    );
  });

  it("property: 200 mutilated ones give a sentence, or another state that is one", () => {
    const mutilated = fc.tuple(state, fc.nat(), fc.nat(), fc.string()).map(([made, from, length, other]) => {
      const text = addressOf(made)!;
      const at = from % text.length;
      return text.slice(0, at) + other + text.slice(at + (length % 20));
    });
    let refused = 0;
    fc.assert(
      fc.property(mutilated, (text) => {
        try {
          const read = readAddress(text, SCENES);
          expect(readAddress(addressOf(read)!, SCENES)).toEqual(read);
        } catch (error) {
          refused++;
          expect((error as Error).message).toMatch(/^[\w-].{10,}/);
        }
      }),
      { numRuns: 200 },
    );
    expect(refused).toBeGreaterThan(50);
  });

  it.each([
    ["", "another version"],
    ["2.e30", "another version"],
    ["1.", "damaged"],
    ["1.e30", "a scene that this page does not have"],
    [`1.${btoa('{"scene":"race","x":1}').replaceAll("=", "")}`, "does not know"],
    [`1.${btoa('{"scene":"race","handles":{"x":1}}').replaceAll("=", "")}`, "a handle that its scene does not have"],
    [`1.${"A".repeat(4_000)}`, "longer than 4000"],
  ])("%s is refused with a sentence", (text, sentence) => {
    expect(() => readAddress(text, SCENES)).toThrow(sentence);
  });

  it("has no -0, which the saved experiment would write as 0, with another run hash", () => {
    const arms = ["zero", 1].map((value) => ({ distribution: "constant", value }));
    const json = JSON.stringify({ scene: "sandbox", race: { ...RACE, world: { ...RACE.world, arms } } });
    const { race } = readAddress(`1.${btoa(json.replace('"zero"', "-0")).replaceAll("=", "")}`, SCENES);
    expect((race!.world.arms as { value: number }[])[0]!.value).toBe(0);
  });

  it("of a state that is too long is none", () => {
    const arms = Array.from({ length: 200 }, () => pareto(0.123456789));
    expect(addressOf({ scene: "race", handles: {}, race: { ...RACE, world: { ...RACE.world, arms } } })).toBeNull();
  });
});

describe("a race from outside", () => {
  it.each([
    [{ ...RACE, seeds: 21 }, "seeds must be a whole number from 1 to 20"],
    [{ ...RACE, rounds: 1_000_001 }, "rounds"],
    [{ ...RACE, policies: [] }, "a list of 1 to 8"],
    [{ ...RACE, policies: [...RACE.policies, RACE.policies[0]] }, "same label"],
    [{ ...RACE, policies: [{ label: "<b>", spec: {} }] }, "needs a label"],
    [{ ...RACE, policies: [{ label: "x", spec: { policy: "nobody" } }] }, "nobody"],
    [{ ...RACE, world: { environment: "stochastic", alpha: 1.5, arms: new Array(11).fill(pareto(1)) } }, "at most 10"],
    [{ ...RACE, world: { environment: "nowhere" } }, "nowhere"],
    [{ ...RACE, extra: 1 }, "unknown key"],
    // Each loss on its way takes some hundred bytes.
    [{ ...RACE, world: { ...RACE.world, delay: 500_000 }, seeds: 20, rounds: 1_000_000 }, "so long a delay"],
    [
      { ...RACE, world: { ...RACE.world, delay: { distribution: "pareto", shape: 1, scale: 300_000 } }, seeds: 20, rounds: 1_000_000 },
      "so long a delay",
    ],
    [null, "must be an object"],
  ])("%j is refused", (race, sentence) => {
    expect(() => requireRace(race)).toThrow(sentence);
  });

  it("comes back as it is", () => {
    expect(requireRace(RACE)).toEqual(RACE);
  });
});

describe("scenes", () => {
  it("have names of their own, one claim, and at most two handles but for the sandbox", () => {
    expect(new Set(SCENES.map(({ name }) => name)).size).toBe(SCENES.length);
    for (const { claim, counted, handles } of SCENES) {
      expect(claim).toMatch(/^[A-Z][^.!?]*[.]$/);
      expect(counted).toMatch(/^[A-Z].*\d.*[.]$/);
      expect(handles.length).toBeLessThanOrEqual(2);
      for (const { low, high, initial } of handles) expect(initial >= low && initial <= high).toBe(true);
    }
  });

  it("are as many as every page and the command say", () => {
    const words = ["eight", "nine", "ten", "eleven", "twelve", "thirteen"];
    const pages = repositoryFiles().filter((path) => /\.md$|^packages\/cli\/src\/.*\.ts$/.test(path));
    const said = pages.flatMap((path) => [...read(path).matchAll(/\b(\w+) scenes\b/gi)].map(([, word]) => ({ path, word: word!.toLowerCase() })));
    const counted = said.filter(({ word }) => words.includes(word) || /^\d+$/.test(word));
    expect(counted.length).toBeGreaterThan(2);
    expect(counted.filter(({ word }) => word !== words[SCENES.length - 8])).toEqual([]);
  });

  it("fails: what the figure says of the assumption is what the library knows of it, on either side", () => {
    const known = Array.from({ length: 21 }, (_, i) => i / 20).map((share) => {
      const { holds } = worldOf(rareGainsRace(share)).assumptions.truncatedNonNegative;
      if (holds !== undefined) expect(isTruncatedNonNegative(share), String(share)).toBe(holds);
      return holds;
    });
    expect(known).toContain(true);
    expect(known).toContain(false);
  });

  it("say what an estimate far from a heavy tail means, and a wait that no chart has room for", () => {
    expect([undefined, 1.293, 150].map(indexText)).toEqual(["unknown", "1.29", "over 10"]);
    // Of softmax after a loss of 1,000 nothing is left in double precision.
    expect([1 / 2_143, 1.0352e-10, 0].map(waitText)).toEqual(["about 2,140", "about 9.66 × 10⁹", "more than 10¹⁵"]);
    expect([undefined, 2_140, 1.83e91, 1 / 0].map(valueText)).toEqual(["–", "2,140", "1.83 × 10⁹¹", "> 10³⁰⁰"]);
  });

  it("say when a wait is too long for any use", () => {
    expect([practiceWords(1e-3, 1e-6), practiceWords(1e-3, 0.99e-7), practiceWords(0.99e-7, 0)]).toEqual([
      "",
      "A million rounds are most likely not enough for softmax.",
      "A million rounds are most likely not enough for either of them.",
    ]);
    expect(1 - (1 - 1e-7) ** 1e6).toBeLessThan(0.1);
  });

  it("give a small probability its power of ten", () => {
    expect([0.8, 0.0005, 1.005e-4, 9.66e-11, 0].map(probabilityText)).toEqual(["80.0 %", "0.1 %", "1.0 × 10⁻⁴", "9.7 × 10⁻¹¹", "< 10⁻³⁰⁰"]);
  });

  it("mark the round of a loss where it is now, from left to right", () => {
    expect(marksOf(116).map(({ words }) => words)).toEqual(["round 116", "round 1,082"]);
    expect(marksOf(50).map(({ words }) => words)).toEqual(["round 50", "", "round 1,082"]);
    expect(marksOf(3_000).map(({ words }) => words)).toEqual(["", "round 1,082", "round 3,000"]);
    expect(marksOf(null).map(({ words }) => words)).toEqual(["undone", "round 1,082"]);
  });

  it("two worlds: what is said of the runs is what their dots and lines show", () => {
    const tape = (ends: number[], stuck: boolean[]) => Object.assign(new Tape(1, ends.length), { runs: ends.map((end) => [end]), stuck });
    const tapes = [tape([534.2, 943.4, 600], [false, false, false]), tape([16, 9_913, 20], [false, true, false])];
    const view = { race: RACE, tapes, round: RACE.rounds };
    expect(outcomeWords(view)).toBe("Of 3 runs each, stuck at the end: HTINF 0, told 1. Their regret by then: HTINF 534 to 943, told 16 to 9,913.");
    expect(outcomeWords({ ...view, round: 7 })).not.toMatch(/\d/);
  });

  it("means: an estimate is so far below the true mean, or above", () => {
    expect([7.69, 11.8].map((mean) => offBy(mean, 11))).toEqual(["30.1 % below", "7.3 % above"]);
  });

  it("your own losses: says that others paid less than the advised policy only if they did, and at the end", () => {
    const tapesOf = (ends: number[]) => ends.map((end) => Object.assign(new Tape(1, 1), { median: [end] }));
    const race: Race = { ...RACE, policies: ["advised", "UCB1", "EXP3"].map((label) => ({ label, spec: { policy: "uniform" } })) };
    const text = (ends: number[], round = race.rounds) => aheadText({ race, round, tapes: tapesOf(ends) });
    expect(text([391, 27.71, 400])).toContain("did not pay least here. Median regret: UCB1 27.7, advised 391.");
    expect([text([-5, 27.7, -5]), text([391, 27.7, 400], 7)]).toEqual(["", ""]);
  });

  it("your own losses: rare huge gains are in the sizes, and the advice says that a guarantee fails", () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => `${i % 50 === 7 ? -50 - (i % 9) : 1},${0.5 + (i % 7) / 10}`);
    const { recommendation } = adviceOn(lossTable(`a,b\n${rows.join("\n")}\n`)) as Advice;
    expect(recommendation.warnings.join()).toMatch(/where truncated non-negativity fails/);
  });

  it("you: the end names who paid less and who chose better", () => {
    expect(verdict([86.5, 128], [30, 12])).toBe("You paid 86.5 and MatchedTINF 128: you win. By regret, 30.0 and 12.0, MatchedTINF chose better.");
    expect(verdict([9, 8], [0.1 + 0.2, 0.3])).toMatch(/: MatchedTINF wins\. .*you both chose equally well\.$/);
    expect(verdict([8, 8], [1, 2])).toMatch(/: a draw\. .*you chose better\.$/);
  });

  it("you: the earlier game is the last one that the rival lost", () => {
    for (let seed = 1_001; seed < 1_020; seed++) {
      const games = [...Array(200).keys()].map((i) => {
        const presses = rivalPresses(seed - 1 - i);
        const { environment, rotation } = runOf(GAME, { policy: 0, seed: seed - 1 - i });
        const best = (environment.gaps!.indexOf(0) - rotation + environment.arms) % environment.arms;
        return { presses, best: ["Left", "Middle", "Right"][best]!, found: presses.slice(20).filter(({ button }) => button === best).length };
      });
      expect(lostGame(seed)).toEqual(games.find(({ found }) => found <= 10));
    }
  });

  it("say of the arms what is true of all seeds that are shown, where some worlds draw the best arm from their seed", () => {
    const drawn: Race = { ...RACE, world: { environment: "minimax", alpha: 1.5, arms: 3, horizon: 2_000 }, seeds: 5 };
    const bestOf = (seed: number | null) => armsOf(drawn, undefined, seed).flatMap(({ best }, arm) => (best ? [arm] : []));
    const truth = Array.from({ length: drawn.seeds }, (_, i) => worldOf(drawn, i + 1).gaps!.indexOf(0));
    expect(new Set(truth).size).toBeGreaterThan(1);
    for (const [seed, best] of truth.entries()) expect(bestOf(seed)).toEqual([best]);
    expect(bestOf(null)).toEqual([]);
    const arms = armsOf(RACE, ["a"], null);
    expect(arms).toEqual(armsOf(RACE, ["a"], 2));
    expect(arms.map(({ name, best }) => [name, best])).toEqual([
      ["a", true],
      ["arm 2", false],
    ]);
    expect(arms[0]!.note).toMatch(/^mean 0\.53/);
  });

  it("give all shares of a column as many digits", () => {
    expect([0, 0.0004, 0.08, 0.757, 1].map(sharePercent)).toEqual(["0.0 %", "< 0.1 %", "8.0 %", "75.7 %", "100.0 %"]);
  });

  it.each(SCENES.map((scene) => [scene.name, scene] as const))(
    "%s: its export is an experiment that the lab plays, with the run hashes of the page",
    (name, scene) => {
      const corners = scene.handles.reduce<Record<string, number>[]>(
        (all, { name: handle, low, high }) => all.flatMap((values) => [low, high].map((value) => ({ ...values, [handle]: value }))),
        [{}],
      );
      for (const handles of [initialHandles(scene.handles), ...corners]) {
        const race = requireRace(scene.race(handles));
        const document = parseExperiment(experimentText(`playground-${name}`, { ...race, rounds: Math.min(race.rounds, 500), seeds: 1 })).value;
        const experiment = completeExperiment(document);
        const runs = runsOf(experiment);
        expect(runs).toHaveLength(race.policies.length);
        const results = new Map(runs.map((run) => [run.id, executeRun(experiment, run, () => {})]));
        const hashes = Object.values(runHashesOf({ runs, results }));
        const short = { ...race, rounds: experiment.horizon, seeds: 1 };
        const runner = new Runner(short, lanesOf(short), checkpoints(short.rounds, 10));
        runner.advance(short.rounds, () => false);
        expect(hashes).toEqual(runner.runHashes(race.policies.length));
        expect(hashes).not.toContain(null);
      }
    },
  );
});
