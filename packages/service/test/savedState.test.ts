import { expect, it } from "vitest";
import { readSaved } from "../src/bandit/savedState.js";
import { digest } from "../src/log/digest.js";

it.each([null, 7, {}, { learner: null }, { learner: {} }, { learner: { policy: null } }, { learner: { policy: { state: null } } }])(
  "a sealed snapshot that no server wrote is read as it is, for others to refuse: %j",
  (forged) => {
    const text = JSON.stringify(forged);
    expect(readSaved({ part: "bandit", seq: 1, body: digest(text) + text })).toEqual(forged);
  },
);
