import { afterAll } from "vitest";
import { DISTRIBUTIONS, ENVIRONMENTS, POLICIES } from "../packages/core/src/index.js";

// Unit tests share a process. What a file has registered is gone after it, so that the next one finds the tables as the library has them.
const tables = [DISTRIBUTIONS, ENVIRONMENTS, POLICIES] as Record<string, unknown>[];
const before = tables.map((table) => new Set(Object.keys(table)));
afterAll(() => {
  for (const [i, table] of tables.entries()) for (const name of Object.keys(table)) if (!before[i]!.has(name)) delete table[name];
});
