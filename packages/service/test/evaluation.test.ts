import { stream } from "tsallis";
import { Compile } from "typebox/schema";
import { describe, expect, it } from "vitest";
import { BanditState } from "../src/bandit/banditState.js";
import { type Asked, evaluationAnswer } from "../src/evaluation/evaluationAnswer.js";
import type { LogEvent } from "../src/log/event.js";
import { type Document, Evaluation } from "../src/schemas.js";

const shape = Compile(Evaluation);

/** A bandit whose decisions end as the test says. */
class Feed {
  readonly state: BanditState;
  readonly document: Document;
  #ids = 0;

  constructor(own: Partial<Document> & { policy?: Document["policy"] & Record<string, unknown> } = {}) {
    const plain = { arms: ["a", "b"], policy: { policy: "matched-tinf" }, seed: 1, windowSeconds: 60, expired: "ignore" as const };
    this.document = { ...plain, holdout: 0, segments: [], cap: 20, unit: "s", direction: "loss", ...own };
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
    if (loss === null) this.expire(decision, null);
    else this.#write({ kind: "feedback", decision, segment: "", loss, status: "applied" });
  }

  expire(decision: string, loss: number | null): void {
    this.#write({ kind: "expiry", decision, segment: "", loss });
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
function race(feed: Feed, means: readonly number[], count: number, { segment = "", missing = 0 } = {}): void {
  const rng = stream(5, "race");
  for (let i = 0; i < count; i++) {
    const arm = i % means.length;
    const loss = rng.uniform() < missing ? null : 2 * means[arm]! * rng.uniform();
    feed.play(arm, loss, { holdout: Math.floor(i / means.length) % 10 === 0, segment });
  }
}

describe("may I stop?", () => {
  it("not yet, then yes, and the other arm is out", () => {
    const feed = new Feed();
    race(feed, [1, 2], 100);
    const early = feed.ask();
    expect(early.verdict).toMatchObject({ answer: "not yet", best: null, rival: "b" });
    expect(early.sentences.stop).toMatch(/^Not yet: against b the evidence is [012]\.\d of 3\.0\..* A larger holdout answers sooner\.$/);
    race(feed, [1, 2], 1_000);
    const late = feed.ask();
    expect(late.verdict).toMatchObject({ answer: "yes", best: "a", decisionsToGo: 0 });
    expect(late.sentences.stop).toBe("Yes: a is the best arm.");
    expect(late.arms.map(({ race: its }) => its)).toEqual(["leads", "out"]);
    expect(late.verdict.evidence).toBeGreaterThan(late.verdict.needed!);
  });

  it("an expired decision costs what the document says, in the holdout too", () => {
    const [stated, answered] = [new Feed({ expired: 3, holdout: 0.1 }), new Feed({ expired: 3, holdout: 0.1 })];
    for (let i = 0; i < 300; i++) {
      const holdout = i % 10 === 0;
      if (i % 3 === 0) stated.expire(stated.decide(i % 2, { holdout }), 3);
      else stated.play(i % 2, 1, { holdout });
      answered.play(i % 2, i % 3 === 0 ? 3 : 1, { holdout });
    }
    const { missing, arms, saved } = stated.ask();
    expect(missing).toBe(0);
    expect({ arms, saved }).toEqual({ arms: answered.ask().arms, saved: answered.ask().saved });
  });

  it("what is missing may be anything: yes, if it is like the rest", () => {
    const feed = new Feed();
    race(feed, [1, 2], 2_000, { missing: 0.1 });
    const { verdict, sentences, arms, missing } = feed.ask();
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
      const feed = new Feed({ ...own, holdout });
      race(feed, [1, 2], 4_000, { segment });
      const { source, verdict, uniform, saved, arms, sentences, ...answer } = feed.ask();
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
    const feed = new Feed();
    race(feed, [1, 2], 1_000);
    expect(feed.ask().verdict.answer).toBe("yes");
    feed.state.evidence!.moved = true;
    expect(feed.ask()).toMatchObject({ moves: "drift", source: "withheld", verdict: { answer: "withheld", best: null } });
    feed.change({ cap: 30 });
    race(feed, [1, 2], 1_000);
    expect(feed.ask()).toMatchObject({ moves: null, verdict: { answer: "yes" } });
  });

  it("a segment by itself is answered by all its plays", () => {
    const feed = new Feed();
    race(feed, [1, 2], 2_000, { segment: "eu" });
    expect(feed.ask({ segment: "eu" })).toMatchObject({ segment: "eu", moves: null, decisions: 2_000, verdict: { answer: "yes", best: "a" } });
    expect(feed.ask({ segment: "us" })).toMatchObject({ decisions: 0, arms: [], sentences: { stop: "Not yet: no decision has ended." } });
  });

  it("says which segments are beyond those that are evaluated", () => {
    const feed = new Feed();
    for (let i = 0; i < 100; i++) feed.play(0, 1, { segment: `s${i}` });
    expect(feed.ask({ segment: "s0" }).decisions).toBe(1);
    expect(feed.ask({ segment: "s99" }).sentences.stop).toMatch(/is not one of the first 74 segments/);
    expect(feed.ask().decisions).toBe(100);
  });

  it("too many arms are not compared", () => {
    const feed = new Feed({ arms: Array.from({ length: 201 }, (_, i) => `a${i}`) });
    feed.play(0, 1);
    expect(feed.ask()).toMatchObject({ decisions: 0, unsettled: 0, sentences: { stop: "Not answered: 201 arms, and at most 200 are compared." } });
  });
});

describe("the cap", () => {
  it("is guessed from the first 200 decisions in their order, which do not count, and the answer says so", () => {
    const feed = new Feed({ cap: null });
    expect(feed.ask().sentences.stop).toBe(
      "Not yet: the document has no cap, and the first 200 decisions, which set it, do not count. 0 of them have ended.",
    );
    const ids = Array.from({ length: 210 }, (_, i) => feed.decide(i % 2));
    // The first one has the largest loss, and it comes last.
    for (const [i, id] of [...ids.entries()].reverse()) if (i > 0) feed.end(id, i < 200 ? 1 + i / 100 : 99);
    expect(feed.ask()).toMatchObject({ cap: null, decisions: 0, unsettled: 210 });
    feed.end(ids[0]!, 7);
    expect(feed.ask()).toMatchObject({ cap: 7, isGuess: true, decisions: 10, since: 200, beyond: { decisions: 10 } });
    expect(feed.ask().sentences.cap).toMatch(
      /^Losses above 7 s count as 7 s: 10 decisions; .* This cap is a guess, the largest of the first 200 decisions\. Set the cap/,
    );
    feed.change({ cap: 50 });
    expect(feed.ask()).toMatchObject({ cap: 50, isGuess: false, decisions: 0, startedBy: "cap", since: feed.state.seq });
  });

  it("another cap and other arms start a new claim with the decisions after the change; the same cap does not", () => {
    const feed = new Feed();
    race(feed, [1, 2], 100);
    const open = feed.decide(0);
    feed.change({ cap: 20, windowSeconds: 5 });
    expect(feed.ask()).toMatchObject({ decisions: 100, since: 0 });
    feed.change({ cap: 10 });
    feed.end(open, 3);
    feed.play(1, 2);
    expect(feed.ask()).toMatchObject({ decisions: 1, unsettled: 0, startedBy: "cap" });
    feed.change({
      arms: [
        { name: "b", number: 1 },
        { name: "c", number: 2 },
      ],
    });
    expect(feed.ask()).toMatchObject({ decisions: 0, startedBy: "arms", cap: 10 });
    feed.play(2, 4);
    expect(feed.ask().arms.map(({ arm, answered }) => [arm, answered])).toEqual([
      ["b", 0],
      ["c", 1],
    ]);
  });

  it("of rewards is the largest reward: losses count from minus the cap to 0", () => {
    const feed = new Feed({ cap: 5 });
    feed.play(0, 0);
    feed.play(0, -3);
    expect(feed.ask()).toMatchObject({ decisions: 0, startedBy: "sign", floor: -5, isReward: true });
    for (let i = 0; i < 50; i++) feed.play(i % 2, i % 5 === 0 ? -9 : 0);
    const { arms, beyond, sentences } = feed.ask();
    expect(arms[0]!.range.high).toBeLessThanOrEqual(0);
    expect(beyond!.decisions).toBe(10);
    expect(sentences.cap).toMatch(
      /^Rewards above 5 s count as 5 s, and are shown as negative losses: 10 decisions; 44\.4 % of all that was paid lies beyond\.$/,
    );
    // A loss of the other sign.
    feed.play(0, 2);
    expect(feed.ask()).toMatchObject({ decisions: 0, startedBy: "sign", floor: -5, isReward: false });
    feed.play(0, -2);
    expect(feed.ask()).toMatchObject({ decisions: 1, beyond: { decisions: 0, shareOfCost: null } });
  });

  it("beyond it, a vouched index gives ranges of uncapped means", () => {
    const feed = new Feed();
    race(feed, [1, 2], 400);
    const [capped, uncapped] = [feed.ask(), feed.ask({ index: 1.5 })];
    expect(capped.arms[0]!.uncapped).toBeNull();
    expect(uncapped.arms[0]!.uncapped!.high).toBeGreaterThan(capped.arms[0]!.range.high);
  });
});

describe("what is saved", () => {
  it.each([0, 0.1])("is positive where the policy plays the better arm, with a holdout of %d", (holdout) => {
    const feed = new Feed({ holdout });
    const rng = stream(6, "saved");
    for (let i = 0; i < 4_000; i++) {
      const isHoldout = rng.uniform() < holdout;
      const arm = isHoldout ? Math.floor(2 * rng.uniform()) : Number(rng.uniform() < 0.1);
      feed.play(arm, 2 * rng.uniform() * (arm === 0 ? 1 : 6), { holdout: isHoldout });
    }
    const { saved, savedBy, sentences } = feed.ask();
    expect(savedBy).toBe(holdout > 0 ? "holdout" : "arms");
    // Uniform play costs 3.5; the policy 1.5.
    expect(saved!.low).toBeGreaterThan(0);
    expect([saved!.low < 2, saved!.high > 2]).toEqual([true, true]);
    expect(sentences.saved).toMatch(
      /^A decision saves [\d.]+ to [\d.]+ s against uniform play \(95 % range, whenever you look; counting at most 20 s each\)\.$/,
    );
  });

  it("is said as it is where nothing is to be seen, and where the policy costs more", () => {
    const feed = new Feed({ holdout: 0.1 });
    feed.play(0, 1, { holdout: true });
    feed.play(0, 1);
    expect(feed.ask().sentences.saved).toMatch(/^No saving is visible yet: between 20 s more and 20 s less/);
    for (let i = 0; i < 3_000; i++) feed.play(0, i % 2 === 0 ? 1 : 9, { holdout: i % 2 === 0 });
    expect(feed.ask().sentences.saved).toMatch(/^A decision costs 7\.\d+ to 8(\.\d+)? s more than uniform play/);
  });
});
