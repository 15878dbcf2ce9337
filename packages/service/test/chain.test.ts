import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "../src/log/event.js";
import { eventText, headerText, readHeader, readLine } from "../src/log/logText.js";
import { fromRow, genesis, toRow } from "../src/log/storedEvent.js";

const created = { name: "checkout", document: '{"arms":["a","b"],"seed":7}', version: "0.1.0", bits: "99", createdAt: 1_700_000_000_000 };
const loss = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const events: fc.Arbitrary<LogEvent> = fc.oneof(
  fc.record({
    kind: fc.constant("decision" as const),
    seq: fc.integer({ min: 1 }),
    at: fc.integer({ min: 0, max: 8e15 }),
    decision: fc.stringMatching(/^[A-Za-z0-9._:-]{1,20}$/),
    segment: fc.string({ unit: "grapheme" }),
    arm: fc.constantFrom("a", "b"),
    number: fc.nat(),
    round: fc.option(fc.integer({ min: 1 })),
    probability: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    threshold: fc.option(loss),
    holdout: fc.boolean(),
    expires: fc.integer({ min: 0, max: 8e15 }),
  }),
  fc.record({
    kind: fc.constant("feedback" as const),
    seq: fc.integer({ min: 1 }),
    at: fc.nat(),
    decision: fc.stringMatching(/^[A-Za-z0-9._:-]{1,20}$/),
    segment: fc.constant(""),
    loss,
    status: fc.constantFrom("applied" as const, "retired" as const, "recorded" as const),
  }),
  fc.record({ kind: fc.constant("change" as const), seq: fc.integer({ min: 1 }), at: fc.nat(), windowSeconds: fc.integer({ min: 1 }) }),
);

describe("events", () => {
  it("property: come back from their rows, and from their lines of text, as they were", () => {
    fc.assert(
      fc.property(events, fc.stringMatching(/^[0-9a-f]{32}$/), (event, before) => {
        const row = { ...toRow(event, before), before };
        expect(fromRow(row, before)).toEqual(event);
        const read = readLine(eventText(row), 2, before);
        expect(fromRow(read, before)).toEqual(event);
      }),
    );
  });

  it("property: one changed character anywhere is refused", () => {
    fc.assert(
      fc.property(events, fc.constantFrom("decision", "segment", "body", "hash"), fc.nat(), (event, field, place) => {
        const row = { ...toRow(event, "before"), before: "before" };
        const text = row[field as "body"];
        if (text === null || text.length === 0) return;
        const i = place % text.length;
        const other = text[i] === "7" ? "8" : "7";
        const changed = { ...row, [field]: text.slice(0, i) + other + text.slice(i + 1) };
        expect(() => fromRow(changed, "before")).toThrow(/is not as it was written/);
      }),
    );
  });

  it("are chained to what came before: number, time and predecessor count too", () => {
    const row = { ...toRow({ kind: "change", seq: 5, at: 9, windowSeconds: 60 }, "x"), before: "x" };
    expect(() => fromRow(row, "")).not.toThrow();
    for (const changed of [{ seq: 6 }, { at: 10 }, { before: "y" }, { kind: "version" as const }]) {
      expect(() => fromRow({ ...row, ...changed }, "")).toThrow(expect.objectContaining({ code: "ERR_REPLAY" }));
    }
  });

  it("begin with the bandit as it was created", () => {
    const hashes = [
      created,
      { ...created, name: "other" },
      { ...created, document: '{"arms":["a","b"],"seed":8}' },
      { ...created, bits: "98" },
      { ...created, version: "0.2.0" },
      { ...created, createdAt: 1 },
    ].map(genesis);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});

describe("the first line of a log", () => {
  it("holds the bandit, and where the log begins", () => {
    const row = { ...created, id: 3, seq: 9, prunedSeq: 0, prunedHash: "" };
    expect(readHeader(headerText(row, 4, "abc"), 1)).toEqual({ ...created, after: 4, before: "abc" });
  });

  it.each(["", "{}", "[1]", '{"log":"tsallis","format":2}', '{"log":"other","format":1}'])("refuses %j", (text) => {
    expect(() => readHeader(text, 1)).toThrow(expect.objectContaining({ code: "ERR_LOG" }));
  });

  it.each([0, 2, 7])("refuses format %i, with its number and a remedy", (format) => {
    const row = { ...created, id: 3, seq: 9, prunedSeq: 0, prunedHash: "" };
    const text = headerText(row, 4, "abc").replace('"format":1', `"format":${format}`);
    const message = `line 1 begins a log of format ${format}, and this version reads format 1 only; use the version of tsallis that wrote it`;
    expect(() => readHeader(text, 1)).toThrow(expect.objectContaining({ code: "ERR_LOG", message }));
  });
});
