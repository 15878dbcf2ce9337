import { expect, test } from "vitest";
import { problemText } from "../src/http/problemText.js";
import { ServiceError } from "../src/serviceError.js";

test("what is wrong with an event is left to the audit: it may be a loss", () => {
  for (const what of ["its loss is 7.25, and must be 3", "loss must be\nat most 1e300, got 7.25"]) {
    const error = new ServiceError("ERR_REPLAY", `event 7 (expiry) of shop does not follow from the log: ${what}`, { seq: 7 });
    expect(problemText(error)).toBe("event 7 (expiry) of shop does not follow from the log; tsallis audit says why");
  }
  const error = new ServiceError("ERR_REPLAY", "event 7 (feedback) cannot be replayed: loss must be finite, got 7.25");
  expect(problemText(error)).toBe("event 7 (feedback) cannot be replayed; tsallis audit says why");
});

test("a defect has its place, and its message unless that quotes a body", () => {
  expect(problemText(new TypeError("x is not a function"))).toMatch(/^TypeError: x is not a function\n {4}at .*problemText\.test/);
  let found: unknown;
  try {
    JSON.parse('{"loss":7.25');
  } catch (error) {
    found = error;
  }
  expect(problemText(found)).toMatch(/^SyntaxError\n {4}at JSON\.parse/);
  expect(problemText("no error")).toBe("no error");
});

test("other errors of the service say what to do", () => {
  expect(problemText(new ServiceError("ERR_STORE", "bandits.db: the disk is full; make room"))).toBe("bandits.db: the disk is full; make room");
});
