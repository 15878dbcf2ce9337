import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "../src/log/event.js";
import { eventText, headerText, readHeader, readLine } from "../src/log/logText.js";
import { erased, isOrigin, newSalt, originText, readOrigin } from "../src/log/origin.js";
import { fromRow, genesis, toRow } from "../src/log/storedEvent.js";

const created = { name: "checkout", document: '{"arms":["a","b"],"seed":7}', version: "0.1.0", bits: "99", createdAt: 1_700_000_000_000 };
const loss = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
/** A salt, alone or with the request that an event came with. */
const origin = fc
  .tuple(
    fc.option(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,20}$/), { nil: undefined }),
    fc.option(fc.stringMatching(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/), { nil: undefined }),
  )
  .map(([request, trace]) => originText(newSalt(), { request, trace })!);
const events: fc.Arbitrary<LogEvent> = fc.oneof(
  fc.record({
    kind: fc.constant("decision" as const),
    seq: fc.integer({ min: 1 }),
    at: fc.integer({ min: 0, max: 8e15 }),
    decision: fc.stringMatching(/^[A-Za-z0-9._:-]{1,20}$/),
    origin,
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
    origin,
    segment: fc.constant(""),
    loss,
    status: fc.constantFrom("applied" as const, "retired" as const, "recorded" as const),
  }),
  fc.record({
    kind: fc.constant("change" as const),
    seq: fc.integer({ min: 1 }),
    at: fc.nat(),
    origin: fc.constant(null),
    windowSeconds: fc.integer({ min: 1 }),
  }),
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
      fc.property(events, fc.constantFrom("decision", "origin", "segment", "body", "hash"), fc.nat(), (event, field, place) => {
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

  it("property: have the same hash when their id and their origin are erased, and another for any other id", () => {
    fc.assert(
      fc.property(events, (event) => {
        const row = { ...toRow(event, "before"), before: "before" };
        if (row.decision === null) return;
        const gone = { ...row, ...erased(row.decision, row.origin!) };
        expect(isOrigin(row.decision, row.origin)).toBe(true);
        expect(isOrigin(gone.decision, gone.origin)).toBe(true);
        expect(() => fromRow(gone, "before")).not.toThrow();
        expect(JSON.stringify(gone)).not.toContain(row.origin!);
        expect(() => fromRow({ ...row, decision: `${row.decision}x` }, "before")).toThrow(/is not as it was written/);
        expect(erased(gone.decision, gone.origin)).toEqual({ decision: gone.decision, origin: gone.origin });
      }),
    );
  });

  it("keep the request that they came with", () => {
    const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    expect(readOrigin(originText(newSalt(), { request: "r-1", trace }))).toEqual({ request: "r-1", trace });
    expect(readOrigin(originText("-", { trace }))).toEqual({ trace });
    expect(originText("-", {})).toBeNull();
    expect(readOrigin(null)).toEqual({});
    for (const wrong of ["", "short", `${newSalt()} a b`, `${newSalt()}  `, `- ${"x".repeat(129)}`]) expect(isOrigin("d", wrong)).toBe(false);
  });

  it("are chained to what came before: number, time and predecessor count too", () => {
    const row = { ...toRow({ kind: "change", seq: 5, at: 9, origin: null, windowSeconds: 60 }, "x"), before: "x" };
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
