import fc from "fast-check";
import { expect, it } from "vitest";
import { type OpenDecision, OpenDecisions } from "../src/bandit/openDecisions.js";

function open(id: string, seq: number, at: number, window: number, segment = ""): OpenDecision {
  return {
    id,
    origin: "salt",
    seq,
    at,
    segment,
    arm: "a",
    number: 0,
    round: 1,
    probability: 1,
    threshold: null,
    holdout: false,
    expires: at + window,
  };
}

it("property: finds, counts, and names the oldest and those that are due, as a plain list does", () => {
  const steps = fc.array(fc.record({ adds: fc.boolean(), window: fc.constantFrom(5, 50, 500), segment: fc.constantFrom("", "s"), pick: fc.nat() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, fc.nat({ max: 600 }), (played, now) => {
      const decisions = new OpenDecisions();
      let list: OpenDecision[] = [];
      for (const [at, { adds, window, segment, pick }] of played.entries()) {
        if (adds || list.length === 0) {
          const one = open(`d${at}`, at + 1, at, window, segment);
          decisions.add(one);
          list.push(one);
        } else {
          const one = list[pick % list.length]!;
          decisions.delete(one);
          list = list.filter((other) => other !== one);
        }
        expect(decisions.size).toBe(list.length);
        for (const name of ["", "s", "nobody"]) expect(decisions.sizeOf(name)).toBe(list.filter((each) => each.segment === name).length);
        expect(decisions.oldest(1000)).toBe(Math.min(1000, ...list.map(({ seq }) => seq)));
        for (const one of list) expect(decisions.get(one.id)).toBe(one);
        expect(decisions.get("nobody")).toBeUndefined();
      }
      const due = decisions.due(now, 1000).map(({ id }) => id);
      expect(due.sort()).toEqual(
        list
          .filter(({ expires }) => expires <= now)
          .map(({ id }) => id)
          .sort(),
      );
      expect(decisions.due(now, 3).length).toBe(Math.min(3, due.length));
    }),
  );
});

it("deleting what is not there changes nothing", () => {
  const decisions = new OpenDecisions();
  decisions.add(open("a", 1, 0, 5));
  decisions.delete(open("b", 2, 0, 5));
  expect(decisions.size).toBe(1);
  expect(decisions.sizeOf("")).toBe(1);
});
