import { expect, it } from "vitest";
import { read } from "./repository.js";

/** Neither room may import the other, and a core without files is no place for a lock. */
it("the router and the lab take locks by the same file, but for the error", () => {
  const [router, lab] = ["packages/router/src/state/fileLock.ts", "packages/lab/src/journal/fileLock.ts"].map((path) => read(path).split("\n"));
  const error = /^import \{ (?:Router|Lab)Error \}|^ +const message = `the lock |^ +throw new (?:Router|Lab)Error\(/;
  for (const lines of [router!, lab!]) expect(lines.filter((line) => error.test(line))).toHaveLength(3);
  expect(lab!.map((line) => (error.test(line) ? "" : line))).toEqual(router!.map((line) => (error.test(line) ? "" : line)));
});
