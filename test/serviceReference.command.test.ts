// docs/reference/service.md says what the service does: its generated parts are what the generator gives, and the tables written by hand name what there is.
import { describe, expect, it } from "vitest";
import { serviceReference } from "../scripts/serviceReference.mjs";
import { anchorsOf } from "./docs/links.js";
import { read } from "./repository.js";

const PAGE = "docs/reference/service.md";

describe(PAGE, () => {
  const page = read(PAGE);

  it("is what its generator gives; otherwise run: node scripts/build.mjs && node scripts/serviceReference.mjs", () => {
    expect(serviceReference(page)).toBe(page);
  });

  it("has no two headings of one name, which links could not tell apart", () => {
    expect(anchorsOf(page).filter((anchor, i, all) => all.indexOf(anchor) !== i || /-\d+$/.test(anchor))).toEqual([]);
  });

  it("has every alarm", () => {
    const section = page.split(/^## /m).find((text) => text.startsWith("Alarms\n"))!;
    const listed = [...section.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
    const raised = [...read("packages/service/src/insight/alarms.ts").matchAll(/\bcode: "([A-Z_]+)"/g)].map(([, code]) => code);
    expect(listed).toEqual(raised);
  });
});

describe("the generator", () => {
  const page = read(PAGE);

  it.each([
    ["a changed row", (text: string) => text.replace("| `ERR_KEY` |", "| `ERR_KEYS` |")],
    ["a missing shape", (text: string) => text.replace(/### NewBandit\n[\s\S]*?(?=###)/, "")],
    ["another limit", (text: string) => text.replace("1 to 7,776,000", "1 to 7,776,001")],
    ["a route that is not there", (text: string) => text.replace("| `GET /healthz` |", "| `GET /health` |")],
  ])("sees %s", (_, change) => {
    expect(change(page)).not.toBe(page);
    expect(serviceReference(change(page))).toBe(page);
  });

  it("refuses a page without a place for a part", () => {
    expect(() => serviceReference(page.replace("<!-- end of errors -->", ""))).toThrow("no place for its errors");
  });
});
