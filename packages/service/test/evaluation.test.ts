import { stream } from "tsallis";
import { Compile } from "typebox/schema";
import { describe, expect, it } from "vitest";
import { BanditState } from "../src/bandit/banditState.js";
import { type Asked, evaluationAnswer } from "../src/evaluation/evaluationAnswer.js";
import type { LogEvent } from "../src/log/event.js";
import { type Document, Evaluation } from "../src/schemas.js";

const shape = Compile(Evaluation);

/** A bandit whose decisions end as they are told to. */
class Told {
  readonly state: BanditState;
  readonly document: Document;
  #ids = 0;

  constructor(own: Partial<Document> & { policy?: Document["policy"] & Record<string, unknown> } = {}) {
    const plain = { arms: ["a", "b"], policy: { policy: "matched-tinf" }, seed: 1, windowSeconds: 60, expired: "ignore" as const };
    this.document = { ...plain, holdout: 0, cap: 20, unit: "s", ...own };
    this.state = new BanditState(this.document, { version: "1", bits: "1" }, "");
  }

  #write(event: object): void {
    this.state.apply({ seq: this.state.seq + 1, at: 0, ...event } as LogEvent, "");
  }

  decide(number: number, { holdout = false, segment = "" } = {}): string {
    const decision = `d${this.#ids++}`;
    const arm = this.state.arms.get(number)!.name;
    this.#write({ kind: "decision", decision, segment, arm, number, round: 1, probability: 1, threshold: null, holdout, expires: 1 });
    return decision;
  }

  end(decision: string, loss: number | null): void {
    this.#write(
      loss === null ? { kind: "expiry", decision, segment: "", loss } : { kind: "feedback", decision, segment: "", loss, status: "applied" },
    );
  }

  play(number: number, loss: number | null, how: { holdout?: boolean; segment?: string } = {}): void {
    this.end(this.decide(number, how), loss);
  }

  change(settings: object): void {
    this.#write({ kind: "change", ...settings });
  }

  ask(asked: Partial<Asked> = {}): Evaluation {
    const { state, document } = this;
    const answer = evaluationAnswer(state.evidence!, { error: 0.05, tolerance: 0, ...asked }, { state, document, probabilities: null });
    expect(shape.Errors(JSON.parse(JSON.stringify(answer)))[1]).toEqual([]);
    return answer;
  }
}

/** So many decisions, a tenth of them in the holdout, with losses of these means. */
function race(told: Told, means: readonly number[], count: number, { segment = "", missing = 0 } = {}): void {
  const rng = stream(5, "race");
  for (let i = 0; i < count; i++) {
    const arm = i % means.length;
    const loss = rng.uniform() < missing ? null : 2 * means[arm]! * rng.uniform();
    told.play(arm, loss, { holdout: Math.floor(i / means.length) % 10 === 0, segment });
  }
}

describe("may I stop?", () => {
  it("not yet, then yes, and the other arm is out", () => {
    const told = new Told();
    race(told, [1, 2], 100);
    const early = told.ask();
    expect(early.verdict).toMatchObject({ answer: "not yet", best: null, rival: "b" });
    expect(early.sentences.stop).toMatch(/^Not yet: against b the evidence is [012]\.\d of 3\.0\..* A larger holdout answers sooner\.$/);
    race(told, [1, 2], 1_000);
    const late = told.ask();
    expect(late.verdict).toMatchObject({ answer: "yes", best: "a", decisionsToGo: 0 });
    expect(late.sentences.stop).toBe("Yes: a is the best arm.");
    expect(late.arms.map(({ race: its }) => its)).toEqual(["leads", "out"]);
    expect(late.verdict.evidence).toBeGreaterThan(late.verdict.needed!);
  });

  it("what is missing may be anything: yes, if it is like the rest", () => {
    const told = new Told();
    race(told, [1, 2], 2_000, { missing: 0.1 });
    const { verdict, sentences, arms, missing } = told.ask();
    expect(verdict).toMatchObject({ answer: "if missing alike", best: "a" });
    expect(sentences.stop).toMatch(
      /^Yes, if the decisions without feedback are like the rest: then a is the best arm\. If they may be anything, not yet/,
    );
    expect(sentences.missing).toMatch(new RegExp(`^${missing} decisions \\(\\d+(\\.\\d)? %\\) have no feedback\\.`));
    for (const { range, ifMissingAlike } of arms) {
      expect(ifMissingAlike!.high).toBeLessThan(range.high);
      expect(ifMissingAlike!.low).toBeGreaterThan(range.low);
    }
  });

  it.each([
    ["the policy forgets", { policy: { policy: "matched-tinf", halfLife: 100 } }, "", "forgets"],
    ["the policy looks for changes", { policy: { policy: "matched-tinf", detect: true } }, "", "forgets"],
    ["segments are taken together", {}, "eu", "segments"],
  ] as const)("%s: by the holdout, or not at all", (_, own, segment, moves) => {
    for (const holdout of [0, 0.1]) {
      const told = new Told({ ...own, holdout });
      race(told, [1, 2], 4_000, { segment });
      const { source, verdict, uniform, saved, arms, sentences, ...answer } = told.ask();
      expect(answer.moves).toBe(moves);
      if (holdout === 0) {
        expect([source, verdict.answer, uniform, saved]).toEqual(["withheld", "withheld", null, null]);
        expect(arms.map(({ race: its, evidence }) => [its, evidence])).toEqual([
          [null, null],
          [null, null],
        ]);
        expect(sentences.stop).toMatch(/^Not answered: .* PATCH the bandit with \{ "holdout": 0\.1 \}\.$/);
      } else {
        expect(source).toBe("holdout");
        // Only plays of the holdout count: 200 of each arm.
        expect(arms.map(({ answered }) => answered)).toEqual([200, 200]);
        expect(sentences.compared).toContain("arms are compared by the holdout alone");
      }
    }
  });

  it("DRIFT that was on keeps its effect until the claim ends", () => {
    const told = new Told();
    race(told, [1, 2], 1_000);
    expect(told.ask().verdict.answer).toBe("yes");
    told.state.evidence!.moved = true;
    expect(told.ask()).toMatchObject({ moves: "drift", source: "withheld", verdict: { answer: "withheld", best: null } });
    told.change({ cap: 30 });
    race(told, [1, 2], 1_000);
    expect(told.ask()).toMatchObject({ moves: null, verdict: { answer: "yes" } });
  });

  it("a segment by itself is answered by all its plays", () => {
    const told = new Told();
    race(told, [1, 2], 2_000, { segment: "eu" });
    expect(told.ask({ segment: "eu" })).toMatchObject({ segment: "eu", moves: null, decisions: 2_000, verdict: { answer: "yes", best: "a" } });
    expect(told.ask({ segment: "us" })).toMatchObject({ decisions: 0, arms: [], sentences: { stop: "Not yet: no decision has ended." } });
  });

  it("says which segments are beyond those that are evaluated", () => {
    const told = new Told();
    for (let i = 0; i < 100; i++) told.play(0, 1, { segment: `s${i}` });
    expect(told.ask({ segment: "s0" }).decisions).toBe(1);
    expect(told.ask({ segment: "s99" }).sentences.stop).toMatch(/is not one of the first 74 segments/);
    expect(told.ask().decisions).toBe(100);
  });

  it("too many arms are not compared", () => {
    const told = new Told({ arms: Array.from({ length: 201 }, (_, i) => `a${i}`) });
    told.play(0, 1);
    expect(told.ask()).toMatchObject({ decisions: 0, unsettled: 0, sentences: { stop: "Not answered: 201 arms, and at most 200 are compared." } });
  });
});

describe("the cap", () => {
  it("is guessed from the first 200 decisions in their order, which do not count, and the answer says so", () => {
    const told = new Told({ cap: null });
    expect(told.ask().sentences.stop).toBe(
      "Not yet: the document has no cap, and the first 200 decisions, which set it, do not count. 0 of them have ended.",
    );
    const ids = Array.from({ length: 210 }, (_, i) => told.decide(i % 2));
    // The first one has the largest loss, and it comes last.
    for (const [i, id] of [...ids.entries()].reverse()) if (i > 0) told.end(id, i < 200 ? 1 + i / 100 : 99);
    expect(told.ask()).toMatchObject({ cap: null, decisions: 0, unsettled: 210 });
    told.end(ids[0]!, 7);
    expect(told.ask()).toMatchObject({ cap: 7, isGuess: true, decisions: 10, since: 200, beyond: { decisions: 10 } });
    expect(told.ask().sentences.cap).toMatch(
      /^Losses above 7 s count as 7 s: 10 decisions; .* This cap is a guess, the largest of the first 200 decisions\. Set the cap/,
    );
    told.change({ cap: 50 });
    expect(told.ask()).toMatchObject({ cap: 50, isGuess: false, decisions: 0, startedBy: "cap", since: told.state.seq });
  });

  it("another cap and other arms start a new claim with the decisions after the change; the same cap does not", () => {
    const told = new Told();
    race(told, [1, 2], 100);
    const open = told.decide(0);
    told.change({ cap: 20, windowSeconds: 5 });
    expect(told.ask()).toMatchObject({ decisions: 100, since: 0 });
    told.change({ cap: 10 });
    told.end(open, 3);
    told.play(1, 2);
    expect(told.ask()).toMatchObject({ decisions: 1, unsettled: 0, startedBy: "cap" });
    told.change({
      arms: [
        { name: "b", number: 1 },
        { name: "c", number: 2 },
      ],
    });
    expect(told.ask()).toMatchObject({ decisions: 0, startedBy: "arms", cap: 10 });
    told.play(2, 4);
    expect(told.ask().arms.map(({ arm, answered }) => [arm, answered])).toEqual([
      ["b", 0],
      ["c", 1],
    ]);
  });

  it("of rewards is the largest reward: losses count from minus the cap to 0", () => {
    const told = new Told({ cap: 5 });
    told.play(0, 0);
    told.play(0, -3);
    expect(told.ask()).toMatchObject({ decisions: 0, startedBy: "sign", floor: -5, isReward: true });
    for (let i = 0; i < 50; i++) told.play(i % 2, i % 5 === 0 ? -9 : 0);
    const { arms, beyond, sentences } = told.ask();
    expect(arms[0]!.range.high).toBeLessThanOrEqual(0);
    expect(beyond!.decisions).toBe(10);
    expect(sentences.cap).toMatch(
      /^Rewards above 5 s count as 5 s, and are shown as negative losses: 10 decisions; 44\.4 % of all that was paid lies beyond\.$/,
    );
    // A loss of the other sign.
    told.play(0, 2);
    expect(told.ask()).toMatchObject({ decisions: 0, startedBy: "sign", floor: -5, isReward: false });
    told.play(0, -2);
    expect(told.ask()).toMatchObject({ decisions: 1, beyond: { decisions: 0, shareOfCost: null } });
  });

  it("beyond it, a vouched index gives ranges of uncapped means", () => {
    const told = new Told();
    race(told, [1, 2], 400);
    const [capped, uncapped] = [told.ask(), told.ask({ index: 1.5 })];
    expect(capped.arms[0]!.uncapped).toBeNull();
    expect(uncapped.arms[0]!.uncapped!.high).toBeGreaterThan(capped.arms[0]!.range.high);
  });
});

describe("what is saved", () => {
  it.each([0, 0.1])("is positive where the policy plays the better arm, with a holdout of %d", (holdout) => {
    const told = new Told({ holdout });
    const rng = stream(6, "saved");
    for (let i = 0; i < 4_000; i++) {
      const isHoldout = rng.uniform() < holdout;
      const arm = isHoldout ? Math.floor(2 * rng.uniform()) : Number(rng.uniform() < 0.1);
      told.play(arm, 2 * rng.uniform() * (arm === 0 ? 1 : 6), { holdout: isHoldout });
    }
    const { saved, savedBy, sentences } = told.ask();
    expect(savedBy).toBe(holdout > 0 ? "holdout" : "arms");
    // Uniform play costs 3.5; the policy 1.5.
    expect(saved!.low).toBeGreaterThan(0);
    expect([saved!.low < 2, saved!.high > 2]).toEqual([true, true]);
    expect(sentences.saved).toMatch(
      /^A decision saves [\d.]+ to [\d.]+ s against uniform play \(95 % range, whenever you look; counting at most 20 s each\)\.$/,
    );
  });

  it("is said as it is where nothing is to be seen, and where the policy costs more", () => {
    const told = new Told({ holdout: 0.1 });
    told.play(0, 1, { holdout: true });
    told.play(0, 1);
    expect(told.ask().sentences.saved).toMatch(/^No saving is visible yet: between 20 s more and 20 s less/);
    for (let i = 0; i < 3_000; i++) told.play(0, i % 2 === 0 ? 1 : 9, { holdout: i % 2 === 0 });
    expect(told.ask().sentences.saved).toMatch(/^A decision costs 7\.\d+ to 8(\.\d+)? s more than uniform play/);
  });
});
