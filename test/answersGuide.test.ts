import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { LOGS } from "../scripts/answersGuide.mjs";
import { ROOT } from "./repository.js";

it.each(Object.entries(LOGS))("docs/guides/%s is what scripts/answersGuide.mjs gives", (name, log) => {
  expect(gunzipSync(readFileSync(join(ROOT, "docs/guides", name))).toString() === log()).toBe(true);
});
