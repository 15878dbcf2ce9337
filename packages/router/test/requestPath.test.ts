import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRouter } from "../src/createRouter.js";
import { requireWithin } from "../src/http/requestPath.js";

const ORIGIN = "http://a.example";
const BASE = "/base";

/** What different servers make of a path: as URLs are read, with encoded dots and slashes decoded, with slashes merged, with backslashes as slashes. */
function readings(path: string): string[] {
  const asUrl = new URL(ORIGIN + BASE + path).pathname;
  const raw = BASE + path.replace(/[\t\n\r]/g, "").replace(/[?#].*$/s, "");
  return [asUrl, raw]
    .flatMap((text) => [text, text.replace(/%2e/gi, ".").replace(/%2f/gi, "/").replace(/%5c/gi, "\\")])
    .flatMap((text) => [text, text.replaceAll("\\", "/")])
    .flatMap((text) => [text, posix.normalize(text), new URL(ORIGIN + text.replace(/[?#].*$/s, "")).pathname]);
}

const piece = fc.oneof(
  fc.constantFrom(
    "..",
    ".",
    "%2e",
    "%2E%2e",
    ".%2e",
    "/",
    "//",
    "\\",
    "%2f",
    "%5C",
    "?",
    "#",
    "\t",
    "\n",
    "...",
    "a",
    "%252e",
    ":",
    "@",
    "evil",
    "%",
  ),
  fc.string({ maxLength: 3 }),
);
const anyPath = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`);

function accepts(path: string): boolean {
  try {
    requireWithin(path);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "ERR_PATH", parameter: "path", value: path });
    return false;
  }
}

describe("a path", () => {
  it("that is accepted stays below the base path, however it is read", () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        if (!accepts(path)) return;
        for (const reading of readings(path)) expect(`${reading}/`.startsWith(`${BASE}/`), `${JSON.stringify(path)} as ${reading}`).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it("never changes the origin", () => {
    fc.assert(
      fc.property(anyPath, fc.constantFrom("", BASE), (path, base) => {
        expect(new URL(ORIGIN + base + path).origin).toBe(ORIGIN);
      }),
    );
  });

  it.each([
    "/../x",
    "/a/../b",
    "/..",
    "/a/..",
    "/%2e%2e/x",
    "/.%2E/x",
    "/..\\x",
    "/a\\..\\x",
    "/..%2fx",
    "/a%5c..%5Cx",
    "/a//../x",
    "/.\t./x",
    "/..?q",
    "/..#h",
  ])("%j is refused", (path) => {
    expect(accepts(path)).toBe(false);
  });

  it.each(["/", "//evil/x", "/a..b", "/..a", "/a..", "/...", "/a/./b", "/a?x=../y", "/a#../y", "/%252e%252e/x", "/@evil", "/:80"])(
    "%j is accepted",
    (path) => {
      expect(accepts(path)).toBe(true);
    },
  );

  it("is checked before anything is chosen, whichever upstream has the base path", async () => {
    const router = createRouter({ upstreams: ["http://a.example", "http://b.example/base"] });
    await expect(router.fetch("/../x")).rejects.toMatchObject({ name: "RouterError", code: "ERR_PATH" });
    for (const path of ["/%2e%2e/x", "http://evil.example/x"]) {
      await expect(router.dispatcher().request({ path, method: "GET" })).rejects.toMatchObject({ code: "ERR_PATH" });
    }
    const told = new Promise((resolve) =>
      router.dispatcher().dispatch({ path: "/..", method: "GET" }, { onRequestStart() {}, onResponseError: (_controller, error) => resolve(error) }),
    );
    expect(await told).toMatchObject({ code: "ERR_PATH" });
    expect(() => router.dispatcher().dispatch({ path: "/..", method: "GET" }, {})).toThrow(expect.objectContaining({ code: "ERR_PATH" }));
    expect(router.explain().rounds).toBe(0);
    await router.close();
  });
});
